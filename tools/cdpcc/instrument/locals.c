/* --check=memory: the bounds of local variables in other functions.
 *
 * A function that gets a pointer looks its object up at run time. So a function lists its variables
 * whose addresses leave it, as long as it runs. The list of a call is a variable, too, and the
 * lists of all calls of a thread are linked (struct cdp_abi_frame):
 *
 *     %a = alloca { [8 x i32], [32 x i8] }          the variable, and a gap without an owner
 *     %frame = alloca { ptr, ptr, i64, [1 x ptr] }
 *     %outer = load ptr, ptr %self + frame
 *     store { %outer, @variables, 1, { %a } }, ptr %frame
 *     store ptr %frame, ptr %self + frame
 *     call void @fill(ptr %a)
 *     store ptr %outer, ptr %self + frame
 *     ret void
 *
 * A variable that does not live all the time is entered at the start of its life, and removed at
 * its end: the memory may be another variable's before and after.
 *
 * The accesses are volatile, because callees count as functions that do not read them. A kernel
 * that has them has no block entry. */
#include "instrument/instrument_pass.h"
#include "instrument/site.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"

#include <string.h>

/* One function's variables that are listed, and the list. slots and sizes are in the arena. */
struct instrument_locals {
    struct instrument *instrument;
    LLVMValueRef *slots;
    size_t count;
    LLVMValueRef frame, outer, head; /* head: the address of the thread's newest list */
};

/* ---- Which variables ---- */

/* Whether a call gets the pointer, and may look it up. The runtime's own functions and libraries
 * do not. */
static bool is_passed(LLVMValueRef call, LLVMValueRef pointer)
{
    LLVMValueRef callee = lower_callee(call);
    const char *name = callee == NULL ? "" : lower_name(callee);
    bool is_unchecked = callee != NULL && LLVMIsDeclaration(callee) && !str_ends(name, ".cdp");
    bool is_own = str_starts(name, LOWER_GUARDS) || str_starts(name, "cdp.check.");
    return !is_unchecked && !is_own && !instrument_passes_copy(call, pointer);
}

static bool is_stored(LLVMValueRef user, LLVMValueRef pointer)
{
    if (LLVMIsAStoreInst(user) != NULL) {
        return LLVMGetOperand(user, 0) == pointer;
    }
    bool is_atomic = LLVMIsAAtomicRMWInst(user) != NULL || LLVMIsAAtomicCmpXchgInst(user) != NULL;
    return is_atomic && LLVMGetOperand(user, 0) != pointer;
}

/* Whether the address, or one that is computed from it, is passed to a function or kept in
 * memory. */
static bool leaves(LLVMValueRef pointer, struct lower_map *seen)
{
    unsigned unused;
    if (lower_map_find(seen, pointer, &unused)) {
        return false;
    }
    lower_map_put(seen, pointer, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_call = LLVMIsACallInst(user) != NULL || LLVMIsAInvokeInst(user) != NULL;
        bool is_pointer = LLVMIsAGetElementPtrInst(user) != NULL || LLVMIsAPHINode(user) != NULL ||
                          LLVMIsASelectInst(user) != NULL || LLVMIsAFreezeInst(user) != NULL;
        if (is_stored(user, pointer) || (is_call && is_passed(user, pointer)) ||
            (is_pointer && leaves(user, seen))) {
            return true;
        }
    }
    return false;
}

struct instrument_locals *instrument_locals_of(struct instrument *instrument, LLVMValueRef function)
{
    struct instrument_locals *locals = arena_alloc(sizeof *locals);
    *locals = (struct instrument_locals){.instrument = instrument};
    if (LLVMIsDeclaration(function)) {
        return locals;
    }
    for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        struct lower_map seen = {.keys = NULL};
        bool is_fixed = LLVMIsAAllocaInst(at) != NULL &&
                        LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL &&
                        LLVMConstIntGetZExtValue(LLVMGetOperand(at, 0)) == 1;
        if (is_fixed && instrument_variable_name(NULL, at) != NULL && leaves(at, &seen)) {
            LOWER_PUSH(locals->slots, locals->count, at);
        }
    }
    return locals;
}

/* ---- The list ---- */

static LLVMValueRef number(const struct instrument_locals *locals, uint64_t value)
{
    return LLVMConstInt(locals->instrument->lower.types.i64, value, 0);
}

/* The constant table of names and sizes. */
static LLVMValueRef make_table(const struct instrument_locals *locals)
{
    struct lower_context *lower = &locals->instrument->lower;
    LLVMValueRef *entries = NULL;
    size_t count = 0;
    for (size_t i = 0; i < locals->count; i++) {
        LLVMTypeRef type = LLVMGetAllocatedType(locals->slots[i]);
        LLVMValueRef fields[] = {
            instrument_text(lower, instrument_variable_name(lower, locals->slots[i])),
            number(locals, LLVMABISizeOfType(lower->layout, type))};
        LLVMValueRef entry = LLVMConstStructInContext(lower->llvm, fields, 2, 0);
        LOWER_PUSH(entries, count, entry);
    }
    LLVMValueRef image = LLVMConstArray2(LLVMTypeOf(entries[0]), entries, count);
    LLVMValueRef table = LLVMAddGlobal(lower->module, LLVMTypeOf(image), "cdp.frame.variables");
    LLVMSetInitializer(table, image);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(table, 1);
    return table;
}

static LLVMValueRef add_slot(const struct instrument_locals *locals, LLVMValueRef function,
                             LLVMTypeRef type)
{
    LLVMBuilderRef builder = lower_builder_at_entry(&locals->instrument->lower, function);
    LLVMValueRef slot = LLVMBuildAlloca(builder, type, "");
    LLVMDisposeBuilder(builder);
    return slot;
}

/* Puts the gap behind each variable. */
static void widen(struct instrument_locals *locals, LLVMValueRef function)
{
    struct lower_context *lower = &locals->instrument->lower;
    for (size_t i = 0; i < locals->count; i++) {
        LLVMValueRef slot = locals->slots[i];
        const char *name = str_format("%s", lower_name(slot));
        LLVMTypeRef type = lower_type_with_gap(lower, LLVMGetAllocatedType(slot), CDP_FRAME_GAP);
        LLVMValueRef wide = add_slot(locals, function, type);
        LLVMSetAlignment(wide, LLVMGetAlignment(slot));
        LLVMReplaceAllUsesWith(slot, wide);
        LLVMInstructionEraseFromParent(slot);
        LLVMSetValueName2(wide, name, strlen(name));
        locals->slots[i] = wide;
    }
}

static LLVMValueRef own(LLVMValueRef access)
{
    LLVMSetVolatile(access, 1); /* and so is lower_is_frame_access */
    return lower_mark_own(access);
}

static void put(const struct instrument_locals *locals, LLVMBuilderRef builder, LLVMValueRef value,
                uint64_t offset)
{
    LLVMValueRef field =
        lower_field(&locals->instrument->lower, builder, locals->frame, offset, "");
    (void)own(LLVMBuildStore(builder, value, field));
}

static uint64_t place_of(size_t variable)
{
    return offsetof(struct cdp_abi_frame, address) + variable * sizeof(void *);
}

/* Enters the variable at each start of its life, and removes it at each end. False: it lives all
 * the time. */
static bool follow_life(const struct instrument_locals *locals, size_t variable)
{
    size_t count;
    bool found = false;
    struct lower_use *uses = lower_uses(locals->slots[variable], &count);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef callee = lower_callee(uses[i].user);
        const char *name = callee == NULL ? "" : lower_name(callee);
        bool starts = str_starts(name, "llvm.lifetime.start");
        if (!starts && !str_starts(name, "llvm.lifetime.end")) {
            continue;
        }
        LLVMValueRef at = starts ? LLVMGetNextInstruction(uses[i].user) : uses[i].user;
        LLVMBuilderRef builder = instrument_builder(locals->instrument, at);
        LLVMValueRef none = LLVMConstNull(locals->instrument->lower.types.ptr);
        put(locals, builder, starts ? locals->slots[variable] : none, place_of(variable));
        LLVMDisposeBuilder(builder);
        found = true;
    }
    return found;
}

/* Links the list, which is empty so far. */
static void enter(struct instrument_locals *locals, LLVMBuilderRef builder, LLVMValueRef table)
{
    struct lower_context *lower = &locals->instrument->lower;
    locals->head = lower_field(lower, builder, lower_self(lower, builder),
                               offsetof(struct cdp_abi_thread, frame), "");
    locals->outer = own(LLVMBuildLoad2(builder, lower->types.ptr, locals->head, ""));
    put(locals, builder, locals->outer, offsetof(struct cdp_abi_frame, outer));
    put(locals, builder, table, offsetof(struct cdp_abi_frame, variables));
    put(locals, builder, number(locals, locals->count), offsetof(struct cdp_abi_frame, count));
    for (size_t i = 0; i < locals->count; i++) {
        bool is_scoped = follow_life(locals, i);
        put(locals, builder, is_scoped ? LLVMConstNull(lower->types.ptr) : locals->slots[i],
            place_of(i));
    }
    (void)own(LLVMBuildStore(builder, locals->frame, locals->head));
}

static void leave(const struct instrument_locals *locals, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (LLVMIsAReturnInst(last) != NULL) {
            LLVMBuilderRef builder = instrument_builder(locals->instrument, last);
            (void)own(LLVMBuildStore(builder, locals->outer, locals->head));
            LLVMDisposeBuilder(builder);
        }
    }
}

void instrument_locals_list(struct instrument_locals *locals, LLVMValueRef function)
{
    struct lower_context *lower = &locals->instrument->lower;
    if (locals->count == 0) {
        return;
    }
    LLVMValueRef table = make_table(locals);
    widen(locals, function);
    LLVMTypeRef fields[] = {lower->types.ptr, lower->types.ptr, lower->types.i64,
                            LLVMArrayType2(lower->types.ptr, locals->count)};
    LLVMTypeRef type = LLVMStructTypeInContext(lower->llvm, fields, 4, 0);
    locals->frame = add_slot(locals, function, type);
    LLVMBuilderRef builder =
        instrument_builder(locals->instrument, instrument_after_slots(function));
    enter(locals, builder, table);
    LLVMDisposeBuilder(builder);
    leave(locals, function);
}
