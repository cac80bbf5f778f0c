/* A launch by device code, as Clang writes it, and the values that it passes. */
#include "simd/prepare/launch_form.h"

#include "ir/context.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "support/str.h"

#include <string.h>

/* ---- the buffer ---- */

/* What an instruction writes to the buffer: size bytes from the offset; 0: nothing. */
struct part {
    uint64_t offset, size;
};

/* The address that a store, a copy or a fill writes to; NULL: another instruction, or volatile. */
static LLVMValueRef written_address(LLVMValueRef at)
{
    if (LLVMIsAStoreInst(at) != NULL) {
        return LLVMGetVolatile(at) ? NULL : LLVMGetOperand(at, 1);
    }
    bool is_fill = LLVMIsAMemCpyInst(at) != NULL || LLVMIsAMemSetInst(at) != NULL;
    return is_fill && LLVMIsNull(LLVMGetOperand(at, 3)) ? LLVMGetOperand(at, 0) : NULL;
}

static struct part part_written(struct lower_context *lower, const struct simd_launch_form *form,
                                LLVMValueRef at)
{
    int64_t offset;
    LLVMValueRef to = written_address(at);
    if (to == NULL || simd_address_base(to, &offset) != form->buffer) {
        return (struct part){0, 0};
    }
    if (LLVMIsAStoreInst(at) != NULL) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(at, 0));
        return (struct part){(uint64_t)offset, LLVMStoreSizeOfType(lower->layout, type)};
    }
    LLVMValueRef length = LLVMGetOperand(at, 2);
    bool is_known = LLVMIsAConstantInt(length) != NULL;
    return (struct part){(uint64_t)offset, is_known ? LLVMConstIntGetZExtValue(length) : 0};
}

static bool fills_buffer(struct lower_context *lower, const struct simd_launch_form *form,
                         LLVMValueRef at)
{
    int64_t offset;
    return LLVMIsAGetElementPtrInst(at) != NULL ? simd_address_base(at, &offset) == form->buffer
                                                : part_written(lower, form, at).size != 0;
}

bool simd_stays_with_launch(struct lower_context *lower, const struct simd_launch_form *form,
                            LLVMValueRef at)
{
    return fills_buffer(lower, form, at) || simd_is_hint(at);
}

/* ---- the form ---- */

/* A structure that is passed by value may be copied to a variable first. */
static bool writes_variable(LLVMValueRef at)
{
    int64_t offset;
    LLVMValueRef to = written_address(at);
    LLVMValueRef base = to == NULL ? NULL : simd_address_base(to, &offset);
    return base != NULL && LLVMIsAAllocaInst(base) != NULL;
}

/* It has the same effect before the launch, where nothing else happens in between. */
static bool may_move(LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) != NULL) {
        return !LLVMGetVolatile(at) && LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic;
    }
    if (writes_variable(at)) {
        return true;
    }
    if (LLVMIsACallInst(at) != NULL) {
        return simd_is_pure_call(at);
    }
    return LLVMIsAStoreInst(at) == NULL && LLVMIsAAtomicRMWInst(at) == NULL &&
           LLVMIsAAtomicCmpXchgInst(at) == NULL && LLVMIsAFenceInst(at) == NULL &&
           LLVMIsAPHINode(at) == NULL && LLVMIsAAllocaInst(at) == NULL;
}

static bool is_test(const struct simd_launch_form *form, LLVMValueRef at)
{
    return LLVMIsAICmpInst(at) != NULL && LLVMGetICmpPredicate(at) == LLVMIntEQ &&
           LLVMGetOperand(at, 0) == form->buffer && LLVMIsNull(LLVMGetOperand(at, 1)) &&
           LLVMGetNextUse(LLVMGetFirstUse(at)) == NULL;
}

/* From the buffer's call to the branch that tests it. */
static bool is_right_start(const struct simd_launch_form *form)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(form->from);
    if (LLVMGetSuccessor(end, 1) != form->to || LLVMGetSuccessor(end, 0) == form->to) {
        return false;
    }
    for (LLVMValueRef at = LLVMGetNextInstruction(form->buffer); at != end;
         at = LLVMGetNextInstruction(at)) {
        if (at != form->test && !may_move(at) && !simd_is_hint(at)) {
            return false;
        }
    }
    return true;
}

/* From there to the launch. */
static bool is_right_end(struct lower_context *lower, const struct simd_launch_form *form)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(form->to));
    LLVMValueRef at = LLVMGetFirstInstruction(form->to);
    while (at != form->launch && (simd_stays_with_launch(lower, form, at) || may_move(at))) {
        at = LLVMGetNextInstruction(at);
    }
    return at == form->launch && use != NULL && LLVMGetNextUse(use) == NULL;
}

/* The buffer is only filled and launched, all of it in `to`. */
static bool is_only_filled(struct lower_context *lower, const struct simd_launch_form *form)
{
    for (LLVMUseRef use = LLVMGetFirstUse(form->buffer); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_stored = LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) == form->buffer;
        bool fills = LLVMGetInstructionParent(user) == form->to && fills_buffer(lower, form, user);
        if ((user != form->test && user != form->launch && !fills) || is_stored) {
            return false;
        }
    }
    return true;
}

static bool is_at_most(LLVMValueRef number, uint64_t most)
{
    return LLVMIsAConstantInt(number) != NULL && LLVMConstIntGetZExtValue(number) <= most;
}

bool simd_find_launch_form(struct lower_context *lower, LLVMValueRef launch,
                           struct simd_launch_form *form)
{
    enum { MOST_ALIGN = 64, MOST_SIZE = 4096 }; /* what any kernel may ask for */
    LLVMValueRef buffer = LLVMGetArgOperand(launch, SIMD_LAUNCH_BUFFER);
    *form = (struct simd_launch_form){.launch = launch, .buffer = buffer};
    if (!simd_is_parameter_buffer(buffer) ||
        !is_at_most(LLVMGetArgOperand(buffer, 0), MOST_ALIGN) ||
        !is_at_most(LLVMGetArgOperand(buffer, 1), MOST_SIZE)) {
        return false;
    }
    form->from = LLVMGetInstructionParent(buffer);
    form->to = LLVMGetInstructionParent(launch);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(form->from);
    if (LLVMIsABranchInst(end) == NULL || !LLVMIsConditional(end) ||
        !is_test(form, LLVMGetCondition(end))) {
        return false;
    }
    form->test = LLVMGetCondition(end);
    return is_right_start(form) && is_right_end(lower, form) && is_only_filled(lower, form);
}

/* ---- values ---- */

/* Whether the bits of one type, from a bit on, may be taken as a value of another one. */
static bool may_be_part(struct lower_context *lower, LLVMTypeRef whole, LLVMTypeRef type,
                        uint64_t skip)
{
    uint64_t bits = LLVMSizeOfTypeInBits(lower->layout, whole);
    uint64_t wanted = LLVMSizeOfTypeInBits(lower->layout, type);
    LLVMTypeKind from = LLVMGetTypeKind(whole), to = LLVMGetTypeKind(type);
    if (bits % 8 != 0 || wanted % 8 != 0) {
        return false;
    }
    bool mixes = from == LLVMPointerTypeKind && to != LLVMPointerTypeKind;
    mixes |= to == LLVMPointerTypeKind && from != LLVMPointerTypeKind;
    return bits == wanted && skip == 0
               ? !mixes || from == LLVMIntegerTypeKind || to == LLVMIntegerTypeKind
               : from == LLVMIntegerTypeKind;
}

/* Whether the instruction, which writes that part, determines the value. */
static bool determines(struct lower_context *lower, struct part part, uint64_t offset,
                       LLVMTypeRef type, LLVMValueRef at)
{
    uint64_t size = LLVMStoreSizeOfType(lower->layout, type);
    if (offset < part.offset || offset + size > part.offset + part.size) {
        return false;
    }
    LLVMValueRef stored = LLVMGetOperand(at, LLVMIsAMemSetInst(at) != NULL ? 1 : 0);
    if (LLVMIsAStoreInst(at) != NULL) {
        return may_be_part(lower, LLVMTypeOf(stored), type, offset - part.offset);
    }
    return LLVMIsAMemSetInst(at) == NULL ||
           (LLVMIsAConstantInt(stored) != NULL && LLVMIsNull(stored));
}

bool simd_find_passed_value(struct lower_context *lower, const struct simd_launch_form *form,
                            uint64_t offset, LLVMTypeRef type, struct simd_passed_value *found)
{
    uint64_t end = offset + LLVMStoreSizeOfType(lower->layout, type);
    found->by = NULL;
    for (LLVMValueRef at = LLVMGetFirstInstruction(form->to); at != form->launch;
         at = LLVMGetNextInstruction(at)) {
        struct part part = part_written(lower, form, at);
        if (part.size == 0 || part.offset >= end || part.offset + part.size <= offset) {
            continue;
        }
        if (found->by != NULL || !determines(lower, part, offset, type, at)) {
            return false;
        }
        *found = (struct simd_passed_value){.by = at, .skip = offset - part.offset};
    }
    return found->by != NULL;
}
