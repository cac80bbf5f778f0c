/* --check=init for local arrays and classes.
 *
 * Each gets a shadow: a second variable of its type, in which the bytes that were written are 0xFF.
 * It is accessed at the same offsets, so the optimizer splits it and keeps it in registers as it
 * does with the variable:
 *
 *     %x = getelementptr %struct.acc, ptr %s, i32 0, i32 1
 *     %x.shadow = getelementptr %struct.acc, ptr %s.shadow, i32 0, i32 1
 *     %v = load float, ptr %x
 *     %bits = load i32, ptr %x.shadow
 *     %unwritten = icmp ne i32 %bits, -1
 *     call void @cdp.guard.local(i1 %unwritten, ptr @site)
 *
 * The accesses of the shadow come after those of the variable: another check may end the thread
 * there, if the index is wrong.
 *
 * It comes between the two rounds, when functions have been inlined: member functions are most
 * often. There members are accessed through a pointer that was stored to a variable, "this". The
 * pass SROA removes these variables first. A variable of which the uses are not all known has no
 * shadow. If a function gets its address, it counts as written from then on: a second variable
 * holds UNTOUCHED until then. So a function that writes beyond the variable, and so to the shadow,
 * can make the check silent, but it cannot cause a report. To copy a member is no use, as a class
 * may have members that are only sometimes set. */
#include "instrument/instrument_pass.h"
#include "instrument/site.h"
#include "ir/module.h"
#include "ir/value.h"
#include "support/str.h"

#include "abi/cdp_check.h"

enum { MOST_SIZE = 4096, MOST_SCALAR = 16, WRITTEN = 0xff };

static const uint64_t UNTOUCHED = 0x9e3779b97f4a7c15; /* no number that a program often stores */

/* A local variable with a shadow. In the arena. */
struct part_slot {
    LLVMValueRef slot, shadow;
    LLVMValueRef state; /* UNTOUCHED: no function got the address yet. NULL: none gets it */
    LLVMTypeRef type;
    LLVMValueRef size; /* i64 */
    uint32_t flags;    /* enum cdp_abi_site_flags */
};

/* A pointer into a variable, and the same place in its shadow. type: what is there, as the source
 * declares it; NULL: not known. */
struct part_pointer {
    LLVMValueRef pointer, mirror;
    LLVMTypeRef type;
    const struct part_slot *slot;
};

/* One function's. In the arena. */
struct parts {
    struct instrument *instrument;
    struct part_slot *slots;
    size_t slot_count;
    struct part_pointer *pointers;
    size_t count;
    struct lower_map numbers; /* of pointers */
};

/* ---- Types ---- */

static bool is_aggregate(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ||
           LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* The type of the first element; NULL: there is none. */
static LLVMTypeRef first_of(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        return LLVMGetElementType(type);
    }
    bool has_first =
        LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type) != 0;
    return has_first ? LLVMStructGetTypeAtIndex(type, 0) : NULL;
}

/* Whether something of type part is at the start of an object. */
static bool starts_with(LLVMTypeRef type, LLVMTypeRef part)
{
    while (type != NULL && type != part) {
        type = first_of(type);
    }
    return type != NULL;
}

/* What an offset instruction points to; NULL if it does not follow the type of its base, as for a
 * class that is passed as integers. */
static LLVMTypeRef type_at(LLVMValueRef offset, LLVMTypeRef base)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(offset);
    if (base == NULL || !starts_with(base, type)) {
        return NULL;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(offset);
    for (unsigned i = 2; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(offset, i);
        type = LLVMGetTypeKind(type) == LLVMStructTypeKind
                   ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                   : LLVMGetElementType(type);
    }
    return type;
}

/* ---- Which variables ---- */

static bool is_plain_array(LLVMTypeRef type)
{
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        type = LLVMGetElementType(type);
    }
    return LLVMGetTypeKind(type) != LLVMStructTypeKind;
}

static bool is_candidate(struct instrument *instrument, LLVMValueRef slot)
{
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    LLVMValueRef count = LLVMGetOperand(slot, 0);
    return is_aggregate(type) && instrument_variable_name(NULL, slot) != NULL &&
           LLVMIsAConstantInt(count) != NULL && LLVMConstIntGetZExtValue(count) == 1 &&
           LLVMABISizeOfType(instrument->lower.layout, type) <= MOST_SIZE;
}

static bool is_copy_of_memory(LLVMValueRef call)
{
    return LLVMIsAMemCpyInst(call) != NULL || LLVMIsAMemMoveInst(call) != NULL;
}

static bool is_lifetime(LLVMValueRef call, const char *which)
{
    LLVMValueRef callee = lower_callee(call);
    return callee != NULL && str_starts(lower_name(callee), which);
}

static bool is_known_call(LLVMValueRef call)
{
    LLVMValueRef callee = lower_callee(call);
    bool is_intrinsic = callee != NULL && str_starts(lower_name(callee), "llvm.");
    return !is_intrinsic || is_copy_of_memory(call) || LLVMIsAMemSetInst(call) != NULL ||
           is_lifetime(call, "llvm.lifetime.");
}

/* Whether all uses of a pointer into a variable are known. */
static bool is_followable(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_store = LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) != pointer;
        bool is_offset = LLVMIsAGetElementPtrInst(user) != NULL &&
                         LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind;
        bool is_call = LLVMIsACallInst(user) != NULL && is_known_call(user);
        if (is_offset ? !is_followable(user)
                      : !is_store && !is_call && LLVMIsALoadInst(user) == NULL &&
                            LLVMIsAICmpInst(user) == NULL) {
            return false;
        }
    }
    return true;
}

/* ---- Code ---- */

static LLVMBuilderRef builder_after(const struct parts *parts, LLVMValueRef at)
{
    return instrument_builder(parts->instrument, LLVMGetNextInstruction(at));
}

static void fill(const struct parts *parts, LLVMBuilderRef builder, LLVMValueRef shadow,
                 unsigned value, LLVMValueRef size)
{
    LLVMTypeRef i8 = parts->instrument->lower.types.i8;
    (void)lower_mark_own(LLVMBuildMemSet(builder, shadow, LLVMConstInt(i8, value, 0), size, 1));
}

static void set_state(const struct parts *parts, LLVMBuilderRef builder,
                      const struct part_slot *slot, uint64_t value)
{
    if (slot->state != NULL) {
        LLVMTypeRef i64 = parts->instrument->lower.types.i64;
        (void)lower_mark_own(LLVMBuildStore(builder, LLVMConstInt(i64, value, 0), slot->state));
    }
}

/* i1: no function got the address so far. The slot has a state. */
static LLVMValueRef is_untouched(const struct parts *parts, LLVMBuilderRef builder,
                                 const struct part_slot *slot)
{
    const struct lower_types *types = &parts->instrument->lower.types;
    LLVMValueRef state = lower_mark_own(LLVMBuildLoad2(builder, types->i64, slot->state, ""));
    return LLVMBuildICmp(builder, LLVMIntEQ, state, LLVMConstInt(types->i64, UNTOUCHED, 0), "");
}

/* Nothing of the variable is written, and only this function has its address. */
static void begin_life(const struct parts *parts, LLVMBuilderRef builder,
                       const struct part_slot *slot)
{
    fill(parts, builder, slot->shadow, 0, slot->size);
    set_state(parts, builder, slot, UNTOUCHED);
}

static LLVMValueRef size_of(const struct parts *parts, LLVMTypeRef type)
{
    const struct lower_context *lower = &parts->instrument->lower;
    return LLVMConstInt(lower->types.i64, LLVMStoreSizeOfType(lower->layout, type), 0);
}

/* ---- Loads ---- */

/* A bit-field is changed: x & mask | bits is stored to where x came from. */
static bool is_update(LLVMValueRef load)
{
    LLVMValueRef value = load;
    for (int step = 0; step < 3; step++) {
        LLVMUseRef use = LLVMGetFirstUse(value);
        LLVMValueRef user = use == NULL ? NULL : LLVMGetUser(use);
        if (user == NULL || LLVMGetNextUse(use) != NULL) {
            return false;
        }
        if (LLVMIsAStoreInst(user) != NULL) {
            return step > 0 && LLVMGetOperand(user, 1) == LLVMGetOperand(load, 0);
        }
        LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
        if (opcode != LLVMAnd && opcode != LLVMOr) {
            return false;
        }
        value = user;
    }
    return false;
}

/* Whether the value of a class's member is only passed on with the class. */
static bool is_copied(LLVMValueRef load, LLVMTypeRef type)
{
    bool is_single =
        LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type) == 1;
    for (LLVMUseRef use = LLVMGetFirstUse(load); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool passes = LLVMIsAStoreInst(user) != NULL || LLVMIsAReturnInst(user) != NULL ||
                      LLVMIsAInsertValueInst(user) != NULL ||
                      (is_single && LLVMIsACallInst(user) != NULL);
        if (!passes) {
            return false;
        }
    }
    return true;
}

static bool is_use(const struct part_pointer *at, LLVMValueRef load)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    bool is_element = (at->slot->flags & CDP_SITE_ELEMENT) != 0;
    return at->type != NULL && !is_aggregate(type) && starts_with(at->type, type) &&
           LLVMGetFirstUse(load) != NULL && !is_update(load) &&
           !instrument_is_only_shuffled(load) && (is_element || !is_copied(load, at->slot->type));
}

static void test_load(struct parts *parts, const struct part_pointer *at, LLVMValueRef load)
{
    struct lower_context *lower = &parts->instrument->lower;
    uint64_t size = LLVMStoreSizeOfType(lower->layout, LLVMTypeOf(load));
    if (!is_use(at, load) || size > MOST_SCALAR) {
        return;
    }
    LLVMTypeRef bits = LLVMIntTypeInContext(lower->llvm, (unsigned)size * 8);
    LLVMBuilderRef builder = builder_after(parts, load);
    LLVMValueRef shadow = lower_mark_own(LLVMBuildLoad2(builder, bits, at->mirror, ""));
    LLVMSetAlignment(shadow, 1);
    LLVMValueRef unwritten = LLVMBuildICmp(builder, LLVMIntNE, shadow, LLVMConstAllOnes(bits), "");
    if (at->slot->state != NULL) {
        LLVMValueRef untouched = is_untouched(parts, builder, at->slot);
        unwritten = LLVMBuildAnd(builder, unwritten, untouched, "");
    }
    instrument_local_test(parts->instrument, builder, unwritten,
                          instrument_site(lower, load, at->slot->flags,
                                          instrument_variable_name(lower, at->slot->slot)));
    LLVMDisposeBuilder(builder);
}

/* ---- Writes ---- */

static void follow_store(struct parts *parts, const struct part_pointer *at, LLVMValueRef store)
{
    struct lower_context *lower = &parts->instrument->lower;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    uint64_t size = LLVMStoreSizeOfType(lower->layout, type);
    if (instrument_is_automatic(lower->llvm, store)) {
        return;
    }
    LLVMBuilderRef builder = builder_after(parts, store);
    if (size > MOST_SCALAR) {
        fill(parts, builder, at->mirror, WRITTEN, size_of(parts, type));
    } else {
        LLVMTypeRef bits = LLVMIntTypeInContext(lower->llvm, (unsigned)size * 8);
        LLVMValueRef all = LLVMBuildStore(builder, LLVMConstAllOnes(bits), at->mirror);
        LLVMSetAlignment(lower_mark_own(all), 1);
    }
    LLVMDisposeBuilder(builder);
}

/* If a function got the address of the source, what its shadow says is void. */
static void copy_shadow(const struct parts *parts, LLVMBuilderRef builder,
                        const struct part_pointer *to, const struct part_pointer *from,
                        LLVMValueRef size)
{
    (void)lower_mark_own(LLVMBuildMemMove(builder, to->mirror, 1, from->mirror, 1, size));
    if (from->slot->state != NULL) {
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(size));
        LLVMValueRef untouched = is_untouched(parts, builder, from->slot);
        fill(parts, builder, to->mirror, WRITTEN,
             LLVMBuildSelect(builder, untouched, none, size, ""));
    }
}

/* A copy or fill of memory that writes the variable. */
static void follow_transfer(struct parts *parts, const struct part_pointer *at, LLVMValueRef call)
{
    unsigned from;
    bool is_copy = is_copy_of_memory(call);
    if (LLVMGetOperand(call, 0) != at->pointer ||
        instrument_is_automatic(parts->instrument->lower.llvm, call)) {
        return;
    }
    LLVMBuilderRef builder = builder_after(parts, call);
    LLVMValueRef size = LLVMGetOperand(call, 2);
    if (is_copy && lower_map_find(&parts->numbers, LLVMGetOperand(call, 1), &from)) {
        copy_shadow(parts, builder, at, &parts->pointers[from], size);
    } else {
        fill(parts, builder, at->mirror, WRITTEN, size);
    }
    LLVMDisposeBuilder(builder);
}

/* Whether the call gets the variable's address. All other uses by intrinsics are known. */
static bool passes_address(LLVMValueRef call, LLVMValueRef pointer)
{
    LLVMValueRef callee = lower_callee(call);
    bool is_intrinsic = callee != NULL && str_starts(lower_name(callee), "llvm.");
    return !is_intrinsic && !instrument_passes_copy(call, pointer);
}

/* Whether a call gets the address, or one that is computed from it. */
static bool is_passed(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) != NULL
                ? passes_address(user, pointer)
                : LLVMIsAGetElementPtrInst(user) != NULL && is_passed(user)) {
            return true;
        }
    }
    return false;
}

static void follow_call(struct parts *parts, const struct part_pointer *at, LLVMValueRef call)
{
    if (is_lifetime(call, "llvm.lifetime.start")) {
        LLVMBuilderRef builder = builder_after(parts, call);
        begin_life(parts, builder, at->slot);
        LLVMDisposeBuilder(builder);
    } else if (is_copy_of_memory(call) || LLVMIsAMemSetInst(call) != NULL) {
        follow_transfer(parts, at, call);
    } else if (passes_address(call, at->pointer)) {
        LLVMBuilderRef builder = instrument_builder(parts->instrument, call);
        set_state(parts, builder, at->slot, 0);
        LLVMDisposeBuilder(builder);
    }
}

static void follow_uses(struct parts *parts, const struct part_pointer *at)
{
    size_t count;
    struct lower_use *uses = lower_uses(at->pointer, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef user = uses[i].user;
        if (LLVMIsALoadInst(user) != NULL) {
            test_load(parts, at, user);
        } else if (LLVMIsAStoreInst(user) != NULL) {
            follow_store(parts, at, user);
        } else if (LLVMIsACallInst(user) != NULL) {
            follow_call(parts, at, user);
        }
    }
}

/* ---- Shadows ---- */

/* Adds a pointer, and all that are computed from it. */
static void add_pointer(struct parts *parts, const struct part_pointer *at)
{
    size_t count;
    struct lower_use *uses = lower_uses(at->pointer, &count);
    struct part_pointer own_copy = *at;
    lower_map_put(&parts->numbers, at->pointer, (unsigned)parts->count);
    LOWER_PUSH(parts->pointers, parts->count, own_copy);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef user = uses[i].user;
        if (LLVMIsAGetElementPtrInst(user) == NULL) {
            continue;
        }
        LLVMBuilderRef builder = builder_after(parts, user);
        LLVMValueRef mirror = LLVMInstructionClone(user);
        LLVMInsertIntoBuilder(builder, mirror);
        LLVMSetOperand(mirror, 0, own_copy.mirror);
        LLVMDisposeBuilder(builder);
        struct part_pointer next = {.pointer = user,
                                    .mirror = mirror,
                                    .type = type_at(user, own_copy.type),
                                    .slot = own_copy.slot};
        add_pointer(parts, &next);
    }
}

static void add_shadow(struct parts *parts, struct part_slot *slot, LLVMValueRef start)
{
    struct lower_context *lower = &parts->instrument->lower;
    LLVMBuilderRef builder = instrument_builder(parts->instrument, slot->slot);
    slot->type = LLVMGetAllocatedType(slot->slot);
    slot->flags = is_plain_array(slot->type) ? CDP_SITE_ELEMENT : CDP_SITE_MEMBER;
    slot->size = LLVMConstInt(lower->types.i64, LLVMABISizeOfType(lower->layout, slot->type), 0);
    slot->shadow = LLVMBuildAlloca(builder, slot->type, "");
    slot->state = is_passed(slot->slot) ? LLVMBuildAlloca(builder, lower->types.i64, "") : NULL;
    LLVMDisposeBuilder(builder);
    builder = instrument_builder(parts->instrument, start);
    begin_life(parts, builder, slot);
    LLVMDisposeBuilder(builder);
    struct part_pointer pointer = {
        .pointer = slot->slot, .mirror = slot->shadow, .type = slot->type, .slot = slot};
    add_pointer(parts, &pointer);
}

/* Runs the pass that keeps variables in registers, on those without a shadow: the call makes the
 * addresses of the others known to a function. */
static void promote_pointers(struct parts *parts, LLVMValueRef function, LLVMValueRef start)
{
    struct lower_context *lower = &parts->instrument->lower;
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, NULL, 0, true);
    LLVMValueRef keep = LLVMAddFunction(lower->module, "cdp.init.keep", type), *slots = NULL;
    size_t count = 0;
    for (size_t i = 0; i < parts->slot_count; i++) {
        LOWER_PUSH(slots, count, parts->slots[i].slot);
    }
    LLVMBuilderRef builder = instrument_builder(parts->instrument, start);
    LLVMValueRef call = LLVMBuildCall2(builder, type, keep, slots, (unsigned)count, "");
    LLVMDisposeBuilder(builder);
    module_run_passes_on(function, "sroa", lower->machine);
    LLVMInstructionEraseFromParent(call);
    LLVMDeleteFunction(keep);
}

void instrument_init_parts(struct instrument *instrument, LLVMValueRef function)
{
    struct parts parts = {.instrument = instrument};
    if (LLVMIsDeclaration(function)) {
        return;
    }
    for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMIsAAllocaInst(at) != NULL && is_candidate(instrument, at)) {
            struct part_slot slot = {.slot = at};
            LOWER_PUSH(parts.slots, parts.slot_count, slot);
        }
    }
    if (parts.slot_count == 0) {
        return;
    }
    if (!instrument->lower.options->debug_device) {
        promote_pointers(&parts, function, instrument_after_slots(function));
    }
    for (size_t i = 0; i < parts.slot_count; i++) {
        if (is_followable(parts.slots[i].slot)) {
            add_shadow(&parts, &parts.slots[i], instrument_after_slots(function));
        }
    }
    for (size_t i = 0; i < parts.count; i++) {
        struct part_pointer at = parts.pointers[i];
        follow_uses(&parts, &at);
    }
}
