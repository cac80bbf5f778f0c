/* Loops that count bits become one instruction:
 *
 *     for (n = 0; x != 0; n++) x &= x - 1;          llvm.ctpop
 *     for (n = 0; x != 0; n++) x >>= 1;             llvm.ctlz
 *
 * Threads leave such a loop at different times.  So a vector would run it under masks until its
 * slowest lane has left.  The intrinsics have vector forms.
 *
 * LLVM's pass loop-idiom replaces them.  It runs only on functions with such a loop, because it
 * does more than is wanted here:
 *   - It makes calls of memset, memcpy and strlen.  A call runs once for each lane, but a loop is
 *     vector code.  So the function must not use these library functions while the pass runs.
 *   - It tests whether the processor counts bits fast.  Functions have the front end's baseline
 *     here (lower/target.c), so the target machine names the processor instead. */
#include "simd/prepare/bit_loops.h"

#include "ir/context.h"
#include "ir/module.h"

#include <llvm-c/Core.h>
#include <string.h>

static const char passes[] = "loop(loop-idiom,loop-deletion),instcombine<no-verify-fixpoint>,"
                             "simplifycfg<no-switch-to-lookup>,loop-simplify,lcssa";

static const char *const unwanted[] = {"no-builtin-memset", "no-builtin-memset_pattern16",
                                       "no-builtin-memcpy", "no-builtin-memmove",
                                       "no-builtin-strlen", "no-builtin-wcslen"};
enum { UNWANTED = sizeof unwanted / sizeof *unwanted };

static const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

static bool is_number(LLVMValueRef value, long long number)
{
    return LLVMIsAConstantInt(value) != NULL && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
           LLVMConstIntGetSExtValue(value) == number;
}

static bool is_decrement(LLVMValueRef value, LLVMValueRef of)
{
    return LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
           LLVMGetOperand(value, 0) == of && is_number(LLVMGetOperand(value, 1), -1);
}

/* Whether the step clears a bit of the value: x & (x - 1), or a shift by one. */
static bool clears_a_bit(LLVMValueRef step, LLVMValueRef value)
{
    if (LLVMIsABinaryOperator(step) == NULL) {
        return false;
    }
    LLVMValueRef left = LLVMGetOperand(step, 0), right = LLVMGetOperand(step, 1);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(step);
    if (opcode == LLVMAnd) {
        return (left == value && is_decrement(right, value)) ||
               (right == value && is_decrement(left, value));
    }
    bool is_shift = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
    return is_shift && left == value && is_number(right, 1);
}

/* A loop of one block that ends when a value, or its next one, is zero. */
static bool ends_at_zero(LLVMBasicBlockRef block, LLVMValueRef value, LLVMValueRef next)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsABranchInst(end) == NULL || !LLVMIsConditional(end)) {
        return false;
    }
    LLVMValueRef test = LLVMGetCondition(end);
    return LLVMIsAICmpInst(test) != NULL && is_number(LLVMGetOperand(test, 1), 0) &&
           (LLVMGetOperand(test, 0) == value || LLVMGetOperand(test, 0) == next);
}

static bool is_bit_loop(LLVMBasicBlockRef block)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && LLVMIsAPHINode(at) != NULL;
         at = LLVMGetNextInstruction(at)) {
        for (unsigned i = 0; i < LLVMCountIncoming(at); i++) {
            LLVMValueRef next = LLVMGetIncomingValue(at, i);
            if (LLVMGetIncomingBlock(at, i) == block && clears_a_bit(next, at) &&
                ends_at_zero(block, at, next)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_bit_loop(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        if (is_bit_loop(block)) {
            return true;
        }
    }
    return false;
}

/* Removes a string attribute.  NULL: there is none. */
static LLVMAttributeRef take(LLVMValueRef function, const char *name)
{
    unsigned length = (unsigned)strlen(name);
    LLVMAttributeRef found = LLVMGetStringAttributeAtIndex(function, whole, name, length);
    LLVMRemoveStringAttributeAtIndex(function, whole, name, length);
    return found;
}

static void give_back(LLVMValueRef function, LLVMAttributeRef attribute)
{
    if (attribute != NULL) {
        LLVMAddAttributeAtIndex(function, whole, attribute);
    }
}

static void replace(const struct lower_context *lower, LLVMValueRef function)
{
    LLVMAttributeRef processor = take(function, "target-cpu"),
                     features = take(function, "target-features");
    for (size_t i = 0; i < UNWANTED; i++) {
        unsigned length = (unsigned)strlen(unwanted[i]);
        LLVMAddAttributeAtIndex(function, whole,
                                LLVMCreateStringAttribute(lower->llvm, unwanted[i], length, "", 0));
    }
    module_run_passes_on(function, passes, lower->machine);
    for (size_t i = 0; i < UNWANTED; i++) {
        take(function, unwanted[i]);
    }
    give_back(function, processor);
    give_back(function, features);
}

void simd_replace_bit_loops(const struct lower_context *lower)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (has_bit_loop(f)) {
            replace(lower, f);
        }
    }
}
