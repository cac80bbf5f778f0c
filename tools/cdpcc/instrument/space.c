/* --check=space: accesses to memory of another block or thread, and to misaligned addresses.
 *
 * Each access becomes "if (suspicious) judge(address, size, flags)", and the runtime judges exactly
 * (cdp_abi_check_access). The private memory of all blocks and threads is in one range of
 * addresses. So one comparison shows that a pointer is not suspicious, or two more if it points to
 * the thread's own memory.
 *
 * The comparisons use the base, the pointer from which the address was computed: it is the same for
 * all elements of an array. If the base is in other memory, an address in memory of others is an
 * overrun, which is the task of another check. The comparisons are emitted where the base is
 * computed, with one flag for all bases of one basic block. So a loop over several arrays tests one
 * condition that does not change, and the optimizer unswitches the loop: one copy has no tests.
 *
 * What remains in a loop over p[i], after inlining and unswitching:
 *
 *     if ((uint64_t)p - private_low < private_size && p is not the thread's own)
 *         loop with a call before each access
 *     else
 *         loop without tests
 *
 * The first round only tests assignments of classes, because the optimizer would split them; the
 * second round tests all accesses. */
#include "instrument/instrument_pass.h"
#include "ir/value.h"
#include "support/arena.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* A base of accesses in other basic blocks. Its flag is computed at the end of block. */
struct base {
    LLVMValueRef value;
    LLVMBasicBlockRef block; /* the basic block that computes it */
    uint64_t align;          /* the alignment that some access requires of it */
};

/* All bases that one basic block computes. suspicious is the "or" of their flags. */
struct group {
    LLVMBasicBlockRef block;
    LLVMValueRef suspicious; /* whether any base is suspicious */
};

/* The state for one function: bases by value and groups by basic block. In the arena. */
struct space {
    struct base *bases;
    size_t base_count;
    struct lower_map base_numbers;
    struct group *groups;
    size_t group_count;
    struct lower_map group_numbers;
};

/* The tests: functions of the module. */

/* The runtime's function that judges. */
static LLVMValueRef judge(struct instrument *instrument)
{
    struct lower_types *types = &instrument->lower.types;
    LLVMTypeRef parameters[] = {types->ptr, types->i64, types->i32};
    LLVMValueRef function = instrument_runtime(instrument, "cdp_abi_check_access",
                                               LLVMFunctionType(types->none, parameters, 3, 0));
    lower_add_attribute(&instrument->lower, function, "cold");
    return function;
}

/* A test under construction; the builder is at its end. */
struct body {
    struct lower_context *lower;
    LLVMValueRef function;
    LLVMBuilderRef builder;
};

static LLVMBasicBlockRef add_block(struct body *body)
{
    return LLVMAppendBasicBlockInContext(body->lower->llvm, body->function, "");
}

static struct body begin_body(struct instrument *instrument, LLVMValueRef function)
{
    struct body body = {.lower = &instrument->lower, .function = function};
    body.builder = LLVMCreateBuilderInContext(body.lower->llvm);
    LLVMPositionBuilderAtEnd(body.builder, add_block(&body));
    return body;
}

/* The function cdp.guard.access(suspicious, address, size, flags): calls the runtime if
 * suspicious. */
static LLVMValueRef access_test(struct instrument *instrument)
{
    return instrument_guard(instrument, "access", judge(instrument));
}

/* number - low < size, without sign. */
static LLVMValueRef is_within(LLVMBuilderRef builder, LLVMValueRef number, LLVMValueRef low,
                              LLVMValueRef size)
{
    return LLVMBuildICmp(builder, LLVMIntULT, LLVMBuildSub(builder, number, low, ""), size, "");
}

/* low and size are fields of a struct of the runtime, at these offsets. */
static LLVMValueRef is_in_range(struct body *body, LLVMValueRef number, LLVMValueRef structure,
                                uint64_t low_at, uint64_t size_at)
{
    LLVMValueRef bounds[2];
    const uint64_t offsets[] = {low_at, size_at};
    for (int i = 0; i < 2; i++) {
        LLVMValueRef field = lower_field(body->lower, body->builder, structure, offsets[i], "");
        bounds[i] = lower_load_const(body->lower, body->builder, body->lower->types.i64, field, "");
    }
    return is_within(body->builder, number, bounds[0], bounds[1]);
}

/* Asserts that the pointer may be dereferenced at any time: then the bounds can be loaded before a
 * loop. */
static LLVMValueRef always_readable(struct lower_context *lower, LLVMValueRef load, uint64_t size)
{
    const struct {
        const char *word;
        uint64_t value;
    } rows[] = {{"dereferenceable", size}, {"align", sizeof(void *)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LLVMMetadataRef number =
            LLVMValueAsMetadata(LLVMConstInt(lower->types.i64, rows[i].value, false));
        unsigned kind =
            LLVMGetMDKindIDInContext(lower->llvm, rows[i].word, (unsigned)strlen(rows[i].word));
        LLVMSetMetadata(
            load, kind,
            LLVMMetadataAsValue(lower->llvm, LLVMMDNodeInContext2(lower->llvm, &number, 1)));
    }
    return load;
}

/* Private memory, and not this thread's or its block's. Without branches, because then block
 * entries compute it once if the pointer is uniform. */
static void make_foreign_test(struct body *body)
{
    struct lower_context *lower = body->lower;
    LLVMValueRef number =
        LLVMBuildPtrToInt(body->builder, LLVMGetParam(body->function, 0), lower->types.i64, "");
    LLVMValueRef self =
        always_readable(lower, lower_self(lower, body->builder), sizeof(struct cdp_abi_thread));
    LLVMValueRef is_private =
        is_in_range(body, number, self, offsetof(struct cdp_abi_thread, private_low),
                    offsetof(struct cdp_abi_thread, private_size));
    LLVMValueRef local = is_in_range(body, number, self, offsetof(struct cdp_abi_thread, local_low),
                                     offsetof(struct cdp_abi_thread, local_size));
    LLVMValueRef block =
        always_readable(lower, lower_block(lower, body->builder), sizeof(struct cdp_abi_block));
    LLVMValueRef shared = is_in_range(body, number, block, offsetof(struct cdp_abi_block, shared),
                                      offsetof(struct cdp_abi_block, shared_size));
    LLVMValueRef own = LLVMBuildOr(body->builder, local, shared, "");
    LLVMValueRef is_foreign = LLVMBuildNot(body->builder, own, "");
    LLVMBuildRet(body->builder, LLVMBuildAnd(body->builder, is_private, is_foreign, ""));
}

/* The function cdp.check.foreign(pointer): whether it points to memory of another thread or
 * block. */
static LLVMValueRef foreign_test(struct instrument *instrument)
{
    struct lower_context *lower = &instrument->lower;
    LLVMTypeRef type = LLVMFunctionType(lower->types.i1, &lower->types.ptr, 1, 0);
    bool is_new;
    LLVMValueRef function = instrument_function(instrument, "cdp.check.foreign", type, &is_new);
    if (is_new) {
        struct body body = begin_body(instrument, function);
        make_foreign_test(&body);
        LLVMDisposeBuilder(body.builder);
    }
    return function;
}

/* Suspicion. */

/* align is a power of two. */
static LLVMValueRef is_misaligned(struct lower_context *lower, LLVMBuilderRef builder,
                                  LLVMValueRef pointer, uint64_t align)
{
    LLVMValueRef number = LLVMBuildPtrToInt(builder, pointer, lower->types.i64, "");
    LLVMValueRef mask = LLVMConstInt(lower->types.i64, align - 1, 0);
    return LLVMBuildICmp(builder, LLVMIntNE, LLVMBuildAnd(builder, number, mask, ""),
                         LLVMConstInt(lower->types.i64, 0, 0), "");
}

static LLVMValueRef is_suspicious(struct instrument *instrument, LLVMBuilderRef builder,
                                  const struct base *base)
{
    struct lower_context *lower = &instrument->lower;
    LLVMValueRef test = foreign_test(instrument), pointer = base->value;
    LLVMValueRef result =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(test), test, &pointer, 1, "");
    if (base->align > 1) {
        LLVMValueRef misaligned = is_misaligned(lower, builder, base->value, base->align);
        result = LLVMBuildOr(builder, result, misaligned, "");
    }
    return result;
}

/* The basic block at whose end a base is known; NULL if the block's terminator computes it. */
static LLVMBasicBlockRef block_of(LLVMValueRef base)
{
    if (LLVMIsAArgument(base) != NULL) {
        return LLVMGetEntryBasicBlock(LLVMGetParamParent(base));
    }
    bool is_end = LLVMIsAInstruction(base) == NULL || LLVMIsATerminatorInst(base) != NULL;
    return is_end ? NULL : LLVMGetInstructionParent(base);
}

/* The requirements of an access on its base, and whether its own alignment follows from these. */
static struct base needed(const struct instrument_access *access,
                          const struct instrument_origin *origin, bool *aligned_by_base)
{
    *aligned_by_base = origin->step >= access->align;
    return (struct base){
        .value = origin->base,
        .block = block_of(origin->base),
        .align = *aligned_by_base ? access->align : 1,
    };
}

/* A base in the access's own block would have its flag after the access, so it is tested there. */
static bool uses_flag(const struct base *base, const struct instrument_access *access)
{
    return base->block != NULL && base->block != LLVMGetInstructionParent(access->at);
}

/* First pass: the requirements on each base.
 *
 * The strictest alignment of all accesses counts. */
static void note_base(struct instrument *instrument, const struct instrument_access *access)
{
    struct space *space = instrument->space;
    struct instrument_origin origin = instrument_origin_of(instrument, access->address);
    bool unused;
    unsigned number;
    struct base base = needed(access, &origin, &unused);
    if (origin.is_own || !uses_flag(&base, access)) {
        return;
    }
    if (!lower_map_find(&space->base_numbers, base.value, &number)) {
        number = (unsigned)space->base_count;
        lower_map_put(&space->base_numbers, base.value, number);
        LOWER_PUSH(space->bases, space->base_count, base);
    }
    struct base *known = &space->bases[number];
    known->align = base.align > known->align ? base.align : known->align;
}

/* At the end of the basic block, where all its bases are known. */
static void make_flags(struct instrument *instrument)
{
    struct space *space = instrument->space;
    for (size_t i = 0; i < space->base_count; i++) {
        const struct base *base = &space->bases[i];
        LLVMBuilderRef builder =
            instrument_builder(instrument, LLVMGetBasicBlockTerminator(base->block));
        LLVMValueRef suspicious = is_suspicious(instrument, builder, base);
        unsigned number;
        if (lower_map_find(&space->group_numbers, base->block, &number)) {
            struct group *group = &space->groups[number];
            group->suspicious = LLVMBuildOr(builder, group->suspicious, suspicious, "");
        } else {
            struct group group = {.block = base->block, .suspicious = suspicious};
            lower_map_put(&space->group_numbers, base->block, (unsigned)space->group_count);
            LOWER_PUSH(space->groups, space->group_count, group);
        }
        LLVMDisposeBuilder(builder);
    }
}

static void build_test(struct instrument *instrument, LLVMBuilderRef builder,
                       LLVMValueRef suspicious, const struct instrument_access *access)
{
    LLVMValueRef test = access_test(instrument);
    uint64_t flags = access->flags | access->align << CDP_ACCESS_ALIGNMENT;
    LLVMValueRef arguments[] = {suspicious, access->address, access->size,
                                LLVMConstInt(instrument->lower.types.i32, flags, 0)};
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(test), test, arguments, 4, "");
}

/* The alignment that a variable or a parameter has by its definition; 1 if it is not known. */
static uint64_t known_align(LLVMValueRef base)
{
    if (LLVMIsAAllocaInst(base) != NULL || LLVMIsAGlobalVariable(base) != NULL) {
        unsigned align = LLVMGetAlignment(base);
        return align == 0 ? 1 : align;
    }
    if (LLVMIsAArgument(base) == NULL || !instrument_is_own_argument(base)) {
        return 1;
    }
    LLVMValueRef function = LLVMGetParamParent(base);
    unsigned index = 0, kind = LLVMGetEnumAttributeKindForName("align", 5);
    while (LLVMGetParam(function, index) != base) {
        index++;
    }
    LLVMAttributeRef align = LLVMGetEnumAttributeAtIndex(function, index + 1, kind);
    return align == NULL ? 1 : LLVMGetEnumAttributeValue(align);
}

/* Second pass: the tests. */
static void test_access(struct instrument *instrument, const struct instrument_access *access)
{
    struct space *space = instrument->space;
    struct lower_context *lower = &instrument->lower;
    struct instrument_origin origin = instrument_origin_of(instrument, access->address);
    bool aligned_by_base;
    struct base base = needed(access, &origin, &aligned_by_base);
    LLVMBuilderRef builder = instrument_builder(instrument, access->at);
    LLVMValueRef suspicious = LLVMConstInt(lower->types.i1, 0, 0);
    unsigned number;
    if (!origin.is_own && uses_flag(&base, access)) {
        lower_map_find(&space->group_numbers, base.block, &number);
        suspicious = space->groups[number].suspicious;
    } else if (!origin.is_own) {
        suspicious = is_suspicious(instrument, builder, &base);
    } else if (aligned_by_base && access->align > known_align(base.value)) {
        suspicious = LLVMBuildOr(builder, suspicious,
                                 is_misaligned(lower, builder, base.value, access->align), "");
    }
    if (!aligned_by_base) {
        LLVMValueRef misaligned = is_misaligned(lower, builder, access->address, access->align);
        suspicious = LLVMBuildOr(builder, suspicious, misaligned, "");
    }
    if (LLVMIsAConstantInt(suspicious) == NULL || LLVMConstIntGetZExtValue(suspicious) != 0) {
        build_test(instrument, builder, suspicious, access);
    }
    LLVMDisposeBuilder(builder);
}

void instrument_space(struct instrument *instrument, LLVMValueRef function)
{
    struct space space = {.bases = NULL};
    instrument->space = &space;
    instrument_each(instrument, function, note_base);
    make_flags(instrument);
    instrument_each(instrument, function, test_access);
    instrument->space = NULL;
}

/* The optimizer splits the assignment of a class into several accesses. */
static void test_assignment(struct instrument *instrument, const struct instrument_access *access)
{
    bool is_assignment = LLVMIsAMemCpyInst(access->at) != NULL && access->align > 1;
    bool is_variable = LLVMIsAAllocaInst(access->address) != NULL ||
                       LLVMIsAGlobalVariable(access->address) != NULL;
    if (is_assignment && !is_variable) {
        LLVMBuilderRef builder = instrument_builder(instrument, access->at);
        build_test(instrument, builder,
                   is_misaligned(&instrument->lower, builder, access->address, access->align),
                   access);
        LLVMDisposeBuilder(builder);
    }
}

void instrument_space_lowered(struct instrument *instrument, LLVMValueRef function)
{
    instrument_each(instrument, function, test_assignment);
}
