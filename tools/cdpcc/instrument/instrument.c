/* Finds the accesses of device code, and emits the requested tests.
 *
 * An address is followed backwards to its root: through offsets, selects and phis.
 *
 *     %p = phi ptr [ %a, %entry ], [ %next, %loop ]      root of %next and of %p: %a
 *     %next = getelementptr i8, ptr %p, i64 4            step: 4
 *
 * Along the way the step is the greatest power of two, up to 16, that divides all offsets. If the
 * root is aligned to the step, so is each address that is computed from it. So one test of the
 * root before the loop can stand for the tests of all iterations. */
#include "instrument/instrument_pass.h"
#include "instrument/kept_lines.h"
#include "instrument/site.h"
#include "ir/context.h"
#include "ir/indices.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_ALIGN = 16 };

static bool has_metadata(LLVMValueRef at, const char *kind)
{
    unsigned id =
        LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(at)), kind, (unsigned)strlen(kind));
    return LLVMGetMetadata(at, id) != NULL;
}

/* Whether it is a load that the lowering emitted, of a value that does not change while a thread
 * runs. */
static bool is_lowered_load(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) != NULL && has_metadata(value, "invariant.load") &&
           lower_is_own(value);
}

/* Follows constant and other offsets to the start of an object. */
static LLVMValueRef without_offsets(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

/* The optimizer may have merged such loads, and removed the marks of lower_load_const. */
bool instrument_is_context_load(LLVMValueRef value)
{
    enum { MOST_LOADS = 3 }; /* the thread, its block, a pointer there */
    for (int i = 0; i < MOST_LOADS && LLVMIsALoadInst(value) != NULL; i++) {
        value = without_offsets(LLVMGetOperand(value, 0));
        if (LLVMIsAIntrinsicInst(value) != NULL) { /* llvm.threadlocal.address */
            value = LLVMGetOperand(value, 0);
        }
        if (LLVMIsAGlobalVariable(value) != NULL) {
            return str_equals(lower_name(value), "cdp_abi_self");
        }
    }
    return false;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- Origins of addresses ---- */

static bool has_attribute(LLVMValueRef function, unsigned index, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

bool instrument_is_own_argument(LLVMValueRef value)
{
    if (LLVMIsAArgument(value) == NULL) {
        return false;
    }
    LLVMValueRef function = LLVMGetParamParent(value);
    if (str_starts(lower_name(function), "cdp.thread.")) {
        return true;
    }
    unsigned count = LLVMCountParams(function);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetParam(function, i) == value) {
            return has_attribute(function, i + 1, "byval") ||
                   has_attribute(function, i + 1, "sret");
        }
    }
    return false;
}

bool instrument_is_marker(LLVMValueRef value)
{
    LLVMValueRef callee = lower_callee(value);
    return callee != NULL && str_equals(lower_name(callee), LOWER_SHARED_MARKER);
}

/* Whether memory that is reached from the root certainly may be accessed by this thread. */
static bool is_own(LLVMValueRef root)
{
    return LLVMIsAAllocaInst(root) != NULL || LLVMIsAGlobalValue(root) != NULL ||
           is_lowered_load(root) || instrument_is_context_load(root) ||
           instrument_is_own_argument(root) || LLVMIsUndef(root);
}

/* The largest power of two, up to the largest relevant one, that divides a number. */
static uint64_t factor_of(uint64_t number)
{
    uint64_t factor = 1;
    while (factor < MOST_ALIGN && number % (factor * 2) == 0) {
        factor *= 2;
    }
    return factor;
}

/* The same for a value: a power of two that certainly divides it.
 *
 * A constant factor is the second operand of a product in optimized code. */
static uint64_t known_factor(LLVMValueRef value)
{
    if (LLVMIsAConstantInt(value) != NULL) {
        return factor_of(LLVMConstIntGetZExtValue(value));
    }
    LLVMOpcode opcode = LLVMIsAInstruction(value) != NULL ? LLVMGetInstructionOpcode(value) : 0;
    if (opcode == LLVMSExt || opcode == LLVMZExt) {
        return known_factor(LLVMGetOperand(value, 0));
    }
    if (opcode == LLVMMul) {
        return known_factor(LLVMGetOperand(value, 1));
    }
    if (opcode == LLVMShl && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL) {
        uint64_t shift = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
        return shift < 4 ? 1u << shift : MOST_ALIGN;
    }
    return 1;
}

/* A number that certainly divides the distance that an offset instruction adds. */
static uint64_t step_of(const struct instrument *instrument, LLVMValueRef offset)
{
    LLVMTypeRef type = NULL;
    uint64_t step = MOST_ALIGN;
    unsigned count = (unsigned)LLVMGetNumOperands(offset);
    for (unsigned i = 1; i < count; i++) {
        struct lower_index index = lower_index_of(instrument->lower.layout, offset, i, &type);
        uint64_t factor = index.number == NULL ? 1 : known_factor(index.number);
        step = least(step, factor_of(index.bytes) * factor);
    }
    return step;
}

/* The search for the roots of one address. step covers all offsets on all paths. */
struct roots {
    const struct instrument *instrument;
    LLVMValueRef *items;
    size_t count;
    uint64_t step;
    struct lower_map seen;
};

/* Follows offsets and casts of address spaces. */
static LLVMValueRef strip_offsets(struct roots *roots, LLVMValueRef address)
{
    for (;;) {
        bool is_expression = LLVMIsAConstantExpr(address) != NULL;
        LLVMOpcode opcode = is_expression ? LLVMGetConstOpcode(address)
                            : LLVMIsAInstruction(address) != NULL
                                ? LLVMGetInstructionOpcode(address)
                                : 0;
        if (opcode == LLVMGetElementPtr) {
            roots->step = least(roots->step, step_of(roots->instrument, address));
        } else if (opcode != LLVMAddrSpaceCast) {
            return address;
        }
        address = LLVMGetOperand(address, 0);
    }
}

/* Each value once, so that loops end. */
static void find_roots(struct roots *roots, LLVMValueRef value)
{
    unsigned unused;
    value = strip_offsets(roots, value);
    if (lower_map_find(&roots->seen, value, &unused)) {
        return;
    }
    lower_map_put(&roots->seen, value, 1);
    if (LLVMIsAPHINode(value) != NULL) {
        unsigned count = LLVMCountIncoming(value);
        for (unsigned i = 0; i < count; i++) {
            find_roots(roots, LLVMGetIncomingValue(value, i));
        }
    } else if (LLVMIsASelectInst(value) != NULL) {
        find_roots(roots, LLVMGetOperand(value, 1));
        find_roots(roots, LLVMGetOperand(value, 2));
    } else {
        LOWER_PUSH(roots->items, roots->count, value);
    }
}

/* If all origins lead to one root, every path to the access passes it. A pointer that a loop
 * increments is tested by its start, before the loop. */
struct instrument_origin instrument_origin_of(struct instrument *instrument, LLVMValueRef address)
{
    struct roots roots = {.instrument = instrument, .step = MOST_ALIGN};
    LLVMValueRef nearest = strip_offsets(&roots, address);
    uint64_t nearest_step = roots.step;
    find_roots(&roots, nearest);
    bool is_one = roots.count == 1;
    struct instrument_origin origin = {
        .base = is_one ? roots.items[0] : nearest,
        .step = is_one ? roots.step : nearest_step,
        .is_own = true,
    };
    for (size_t i = 0; i < roots.count; i++) {
        origin.is_own &= is_own(roots.items[i]);
    }
    return origin;
}

bool instrument_all_roots(struct instrument *instrument, LLVMValueRef address,
                          bool (*is)(LLVMValueRef), const char **variable)
{
    struct roots roots = {.instrument = instrument, .step = MOST_ALIGN};
    bool all = true;
    find_roots(&roots, address);
    for (size_t i = 0; i < roots.count; i++) {
        all &= is(roots.items[i]);
    }
    if (roots.count == 1) {
        const char *name = instrument_variable_name(&instrument->lower, roots.items[0]);
        *variable = name == NULL ? *variable : name;
    }
    return all;
}

LLVMValueRef instrument_after_slots(LLVMValueRef function)
{
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(at) != NULL) {
        at = LLVMGetNextInstruction(at);
    }
    return at;
}

bool instrument_passes_copy(LLVMValueRef call, LLVMValueRef pointer)
{
    static const char by_value[] = "byval";
    unsigned kind = LLVMGetEnumAttributeKindForName(by_value, sizeof by_value - 1);
    unsigned count = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetOperand(call, i) == pointer &&
            LLVMGetCallSiteEnumAttribute(call, i + 1, kind) == NULL) {
            return false;
        }
    }
    return true;
}

/* ---- What holds for an object as long as it is not freed ---- */

LLVMValueRef instrument_place_after(LLVMValueRef root)
{
    LLVMValueRef at = NULL;
    if (LLVMIsAArgument(root) != NULL) {
        at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetParamParent(root)));
    } else if (LLVMIsAInstruction(root) != NULL && LLVMIsATerminatorInst(root) == NULL) {
        at = LLVMGetNextInstruction(root);
    }
    while (at != NULL && (LLVMIsAPHINode(at) != NULL || LLVMIsAAllocaInst(at) != NULL)) {
        at = LLVMGetNextInstruction(at);
    }
    return at;
}

/* Functions of the runtime during which memory may be freed: by this thread, or by others for which
 * it waits. Starts of names. */
static const char *const freeing[] = {
    "cdp_abi_free",          "cdp_abi_cudaFree",  "cdp_abi_cudaDeviceSynchronize",
    "cdp_abi_syncthreads",   "cdp_abi_barrier",   "cdp_abi_tile_sync",
    "cdp_abi_mbarrier_test", "cdp_abi_grid_wait", "cdp_abi_cluster_wait",
};

/* Whether memory may be freed while the instruction executes. */
static bool may_free(LLVMValueRef at)
{
    if (LLVMIsACallInst(at) == NULL && LLVMIsAInvokeInst(at) == NULL) {
        return false;
    }
    LLVMValueRef callee = lower_callee(at);
    const char *name = callee == NULL ? "" : lower_name(callee);
    for (size_t i = 0; i < sizeof freeing / sizeof *freeing; i++) {
        if (str_starts(name, freeing[i])) {
            return true;
        }
    }
    return callee == NULL || (!LLVMIsDeclaration(callee) && !str_starts(name, "cdp."));
}

bool instrument_may_free(LLVMValueRef function)
{
    return lower_any_instruction(function, may_free);
}

/* ---- Accesses ---- */

/* The alignment that the hardware requires: the size of a number; for a vector its size, up to 16
 * bytes.
 *
 * At most the alignment that the instruction declares: a packed member needs none. */
static uint64_t natural_align(const struct instrument *instrument, LLVMTypeRef type,
                              uint64_t declared)
{
    uint64_t size = LLVMStoreSizeOfType(instrument->lower.layout, type);
    uint64_t align = 1;
    while (align < MOST_ALIGN && align * 2 <= size && align * 2 <= declared) {
        align *= 2;
    }
    return align;
}

static LLVMValueRef bytes(const struct instrument *instrument, uint64_t count)
{
    return LLVMConstInt(instrument->lower.types.i64, count, 0);
}

static void visit_typed(struct instrument *instrument, LLVMValueRef at, LLVMValueRef address,
                        LLVMTypeRef type, uint32_t flags, instrument_visitor *visit)
{
    struct instrument_access access = {
        .at = at,
        .address = address,
        .size = bytes(instrument, LLVMStoreSizeOfType(instrument->lower.layout, type)),
        .align = natural_align(instrument, type, LLVMGetAlignment(at)),
        .flags = flags,
    };
    visit(instrument, &access);
}

/* The alignment that the call states for a pointer; 1 if it states none. */
static uint64_t argument_align(LLVMValueRef call, unsigned index)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, index + 1, kind);
    return align == NULL ? 1 : LLVMGetEnumAttributeValue(align);
}

/* Whether a copy is the assignment of a class. Without optimization the front end does not mark
 * these. Then a copy counts as one if both pointers have the same alignment. */
static bool is_assignment(const struct instrument *instrument, LLVMValueRef copy, uint64_t align)
{
    bool unsaid = instrument->lower.options->debug_device;
    return has_metadata(copy, "cdp.assignment") || (unsaid && align >= MOST_ALIGN);
}

/* memcpy and the like: only an assignment requires an alignment. */
static void visit_block(struct instrument *instrument, LLVMValueRef at, unsigned operand,
                        uint32_t flags, instrument_visitor *visit)
{
    uint64_t align = argument_align(at, operand);
    LLVMBuilderRef builder = lower_builder_before(&instrument->lower, at);
    LLVMValueRef size =
        LLVMBuildIntCast2(builder, LLVMGetOperand(at, 2), instrument->lower.types.i64, false, "");
    LLVMDisposeBuilder(builder);
    struct instrument_access access = {
        .at = at,
        .address = LLVMGetOperand(at, operand),
        .size = size,
        .align = is_assignment(instrument, at, align) ? least(align, MOST_ALIGN) : 1,
        .flags = flags,
    };
    visit(instrument, &access);
}

/* Atomics that the runtime executes. */
static void visit_call(struct instrument *instrument, LLVMValueRef at, instrument_visitor *visit)
{
    enum { WIDE = 16 };
    LLVMValueRef callee = lower_callee(at);
    const char *name = callee == NULL ? "" : lower_name(callee);
    if (!str_equals(name, "cdp_abi_cas128") && !str_equals(name, "cdp_abi_exch128")) {
        return;
    }
    struct instrument_access access = {
        .at = at,
        .address = LLVMGetOperand(at, 0),
        .size = bytes(instrument, WIDE),
        .align = WIDE,
        .flags = CDP_ACCESS_WRITE | CDP_ACCESS_ATOMIC,
    };
    visit(instrument, &access);
}

bool instrument_is_own_code(LLVMValueRef at)
{
    return lower_is_own(at) || instrument_is_context_load(at);
}

static void visit_instruction(struct instrument *instrument, LLVMValueRef at,
                              instrument_visitor *visit)
{
    const uint32_t atomic = CDP_ACCESS_WRITE | CDP_ACCESS_ATOMIC;
    if (instrument_is_own_code(at)) {
        return;
    }
    if (LLVMIsALoadInst(at) != NULL) {
        visit_typed(instrument, at, LLVMGetOperand(at, 0), LLVMTypeOf(at), CDP_ACCESS_READ, visit);
    } else if (LLVMIsAStoreInst(at) != NULL) {
        visit_typed(instrument, at, LLVMGetOperand(at, 1), LLVMTypeOf(LLVMGetOperand(at, 0)),
                    CDP_ACCESS_WRITE, visit);
    } else if (LLVMIsAAtomicRMWInst(at) != NULL) {
        visit_typed(instrument, at, LLVMGetOperand(at, 0), LLVMTypeOf(at), atomic, visit);
    } else if (LLVMIsAAtomicCmpXchgInst(at) != NULL) {
        visit_typed(instrument, at, LLVMGetOperand(at, 0), LLVMTypeOf(LLVMGetOperand(at, 1)),
                    atomic, visit);
    } else if (LLVMIsAMemCpyInst(at) != NULL || LLVMIsAMemMoveInst(at) != NULL) {
        visit_block(instrument, at, 0, CDP_ACCESS_WRITE, visit);
        visit_block(instrument, at, 1, CDP_ACCESS_READ, visit);
    } else if (LLVMIsAMemSetInst(at) != NULL) {
        visit_block(instrument, at, 0, CDP_ACCESS_WRITE, visit);
    } else {
        visit_call(instrument, at, visit);
    }
}

/* Accesses with a cache hint are atomic in IR, but not in the source. */
uint32_t instrument_site_flags(const struct instrument_access *access)
{
    LLVMValueRef at = access->at;
    bool is_call = LLVMIsACallInst(at) != NULL;
    bool is_atomic = (access->flags & CDP_ACCESS_ATOMIC) != 0 || (!is_call && LLVMIsAtomic(at));
    bool is_hinted = lower_is_cached(at);
    bool is_volatile = is_hinted || (!is_call && LLVMGetVolatile(at));
    uint32_t flags = (access->flags & CDP_ACCESS_WRITE) != 0 ? CDP_SITE_WRITE : 0;
    flags |= is_atomic && !is_hinted ? CDP_SITE_ATOMIC : 0;
    flags |= is_volatile ? CDP_SITE_VOLATILE : 0;
    if (is_atomic && !is_call) {
        LLVMAtomicOrdering order =
            LLVMIsAAtomicCmpXchgInst(at) ? LLVMGetCmpXchgSuccessOrdering(at) : LLVMGetOrdering(at);
        flags |= order > LLVMAtomicOrderingMonotonic ? CDP_SITE_SYSTEM : 0;
    }
    return flags;
}

void instrument_each(struct instrument *instrument, LLVMValueRef function,
                     instrument_visitor *visit)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef next;
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            visit_instruction(instrument, at, visit);
        }
    }
}

/* Removes the source's promises about the alignment of its pointers. With them the optimizer would
 * remove the tests. */

static void forget_align(LLVMValueRef function, unsigned index)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    if (!has_attribute(function, index, "byval") && !has_attribute(function, index, "sret")) {
        LLVMRemoveEnumAttributeAtIndex(function, index, kind);
    }
}

/* Entries keep theirs: the runtime aligns the buffer. */
static void forget_alignments(struct instrument *instrument)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(instrument->lower.module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        unsigned count = LLVMCountParams(function);
        bool is_entry = str_starts(lower_name(function), "cdp.thread.");
        for (unsigned i = 0; !is_entry && i <= count; i++) {
            forget_align(function, i); /* 0 is the result */
        }
    }
}

/* Tests. */

enum { MOST_PARAMETERS = 8 }; /* of a function of the runtime that a test calls */

LLVMValueRef instrument_function(struct instrument *instrument, const char *name, LLVMTypeRef type,
                                 bool *is_new)
{
    LLVMValueRef function = LLVMGetNamedFunction(instrument->lower.module, name);
    *is_new = function == NULL;
    if (*is_new) {
        function = LLVMAddFunction(instrument->lower.module, name, type);
        LLVMSetLinkage(function, LLVMInternalLinkage);
        lower_add_attribute(&instrument->lower, function, "alwaysinline");
        lower_add_attribute(&instrument->lower, function, "nounwind");
    }
    return function;
}

LLVMValueRef instrument_runtime(struct instrument *instrument, const char *name, LLVMTypeRef type)
{
    struct lower_context *lower = &instrument->lower;
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(lower->module, name, type);
        lower_add_attribute(lower, function, "nounwind");
        lower_add_memory_attribute(lower, function, LOWER_INACCESSIBLE_READ_WRITE);
    }
    return function;
}

/* Emits the body: calls the function of the runtime with all arguments but the first one, if that
 * is true. */
static void fill_guard(struct instrument *instrument, LLVMValueRef function, LLVMValueRef callee)
{
    struct lower_context *lower = &instrument->lower;
    unsigned count = LLVMCountParams(callee);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(lower->llvm);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(lower->llvm, function, "");
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(lower->llvm, function, "");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(lower->llvm, function, "");
    LLVMPositionBuilderAtEnd(builder, entry);
    LLVMBuildCondBr(builder, LLVMGetParam(function, 0), call, out);
    LLVMPositionBuilderAtEnd(builder, call);
    LLVMValueRef arguments[MOST_PARAMETERS];
    for (unsigned i = 0; i < count; i++) {
        arguments[i] = LLVMGetParam(function, i + 1);
    }
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, arguments, count, "");
    LLVMBuildBr(builder, out);
    LLVMPositionBuilderAtEnd(builder, out);
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

LLVMValueRef instrument_guard(struct instrument *instrument, const char *name, LLVMValueRef callee)
{
    struct lower_context *lower = &instrument->lower;
    LLVMTypeRef type = LLVMGlobalGetValueType(callee), parameters[MOST_PARAMETERS + 1];
    unsigned count = LLVMCountParamTypes(type);
    parameters[0] = lower->types.i1;
    LLVMGetParamTypes(type, parameters + 1);
    name = str_format(LOWER_GUARDS "%s", name);
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(lower->module, name,
                                   LLVMFunctionType(lower->types.none, parameters, count + 1, 0));
        LLVMSetLinkage(function, LLVMInternalLinkage);
        lower_add_attribute(lower, function, "noinline");
        lower_add_attribute(lower, function, "nounwind");
        /* Not willreturn: a wrong access that follows would prove that the condition is false. */
        lower_add_memory_attribute(lower, function, LOWER_INACCESSIBLE_READ_WRITE);
        fill_guard(instrument, function, callee);
    }
    return function;
}

LLVMBuilderRef instrument_builder(struct instrument *instrument, LLVMValueRef before)
{
    LLVMBuilderRef builder = lower_builder_before(&instrument->lower, before);
    LLVMMetadataRef scope = LLVMGetSubprogram(lower_function_of(before));
    if (LLVMInstructionGetDebugLoc(before) == NULL && scope != NULL) {
        LLVMSetCurrentDebugLocation2(
            builder, LLVMDIBuilderCreateDebugLocation(instrument->lower.llvm, 0, 0, scope, NULL));
    }
    return builder;
}

/* The context only serves the helpers. end() frees what it holds. */
static struct instrument begin(const struct lower_options *options, LLVMModuleRef module,
                               LLVMTargetMachineRef machine)
{
    struct instrument instrument = {.lower = {.options = NULL}};
    lower_context_init(&instrument.lower, options, module, machine);
    return instrument;
}

static void end(struct instrument *instrument)
{
    LLVMDisposeTargetData(instrument->lower.layout);
}

/* The tests themselves are not tested. */
static void each_function(struct instrument *instrument,
                          void (*run)(struct instrument *, LLVMValueRef))
{
    for (LLVMValueRef function = LLVMGetFirstFunction(instrument->lower.module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!str_starts(lower_name(function), "cdp.check.") &&
            !str_starts(lower_name(function), LOWER_GUARDS)) {
            run(instrument, function);
        }
    }
}

/* Attributes that forbid the optimizer to add loads (sanitize_thread), and to decide branches on
 * undefined values (sanitize_memory). */
static void add_attributes(struct instrument *instrument, LLVMValueRef function)
{
    const bool *on = instrument->lower.options->checks.on;
    if ((on[CHECK_RACE] || on[CHECK_INIT]) && !LLVMIsDeclaration(function)) {
        lower_add_attribute(&instrument->lower, function, "sanitize_thread");
    }
    if (on[CHECK_INIT] && !LLVMIsDeclaration(function)) {
        lower_add_attribute(&instrument->lower, function, "sanitize_memory");
    }
}

void instrument_forget_markers(const struct lower_context *lower)
{
    LLVMValueRef marker = LLVMGetNamedFunction(lower->module, LOWER_SHARED_MARKER);
    if (marker == NULL) {
        return;
    }
    size_t count;
    struct lower_use *uses = lower_uses(marker, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMReplaceAllUsesWith(uses[i].user, LLVMGetOperand(uses[i].user, 0));
        LLVMInstructionEraseFromParent(uses[i].user);
    }
    LLVMDeleteFunction(marker);
}

/* The optimizer found the conditions of some guards to be false: most variables are certainly
 * written. As calls, such guards would still count as code of the loops around them. */
void instrument_forget_idle(const struct lower_context *lower)
{
    for (LLVMValueRef guard = LLVMGetFirstFunction(lower->module); guard != NULL;
         guard = LLVMGetNextFunction(guard)) {
        if (!str_starts(lower_name(guard), LOWER_GUARDS)) {
            continue;
        }
        size_t count;
        struct lower_use *uses = lower_uses(guard, &count);
        for (size_t i = 0; i < count; i++) {
            LLVMValueRef call = LLVMIsACallInst(uses[i].user), condition;
            condition = call == NULL ? NULL : LLVMIsAConstantInt(LLVMGetOperand(call, 0));
            if (condition != NULL && LLVMConstIntGetZExtValue(condition) == 0) {
                LLVMInstructionEraseFromParent(call);
            }
        }
    }
}

/* A kind of check and what it does in each of the rounds, in this order; NULL: nothing. */
static const struct kind {
    enum check kind;
    void (*lowered)(struct instrument *, LLVMValueRef);
    void (*optimized)(struct instrument *, LLVMValueRef);
} kinds[] = {
    {CHECK_SPACE, instrument_space_lowered, instrument_space},
    {CHECK_MEMORY, NULL, instrument_memory},
    {CHECK_RACE, NULL, instrument_race},
    {CHECK_INIT, instrument_init_lowered, instrument_init},
};

void instrument_lowered(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine)
{
    struct instrument instrument = begin(options, module, machine);
    instrument_keep_lines(&instrument.lower);
    if (options->checks.on[CHECK_SPACE]) {
        forget_alignments(&instrument);
    }
    each_function(&instrument, add_attributes);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (options->checks.on[kinds[i].kind] && kinds[i].lowered != NULL) {
            each_function(&instrument, kinds[i].lowered);
        }
    }
    end(&instrument);
}

void instrument_inlined(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine)
{
    struct instrument instrument = begin(options, module, machine);
    each_function(&instrument, instrument_init_parts);
    end(&instrument);
}

void instrument_optimized(const struct lower_options *options, LLVMModuleRef module,
                          LLVMTargetMachineRef machine)
{
    struct instrument instrument = begin(options, module, machine);
    instrument_forget_idle(&instrument.lower);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (options->checks.on[kinds[i].kind]) {
            each_function(&instrument, kinds[i].optimized);
        }
    }
    if (options->checks.on[CHECK_MEMORY]) {
        instrument_recursion(&instrument);
    }
    if (options->checks.counts) {
        each_function(&instrument, instrument_count);
    }
    instrument_forget_markers(&instrument.lower);
    end(&instrument);
}

void instrument_release(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine)
{
    struct instrument instrument = begin(options, module, machine);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (str_starts(lower_name(function), LOWER_GUARDS)) {
            LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                           LLVMGetEnumAttributeKindForName("noinline", 8));
            lower_add_attribute(&instrument.lower, function, "alwaysinline");
        }
    }
    end(&instrument);
}
