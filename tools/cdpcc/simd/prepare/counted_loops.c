/* Loops that count from one constant to another, to be unrolled before a kernel is vectorized. */
#include "simd/prepare/counted_loops.h"

#include "ir/context.h"
#include "ir/debug_info.h"
#include "ir/module.h"
#include "ir/value.h"

#include <llvm-c/Core.h>

enum { MOST_DEPTH = 6 };

/* phi + constant. */
static bool is_step(LLVMValueRef phi, LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
           LLVMGetOperand(value, 0) == phi && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
}

/* For two iterations the optimizer makes the counter two constants. */
bool simd_is_counter(LLVMValueRef phi)
{
    bool has_start = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        bool is_start = LLVMIsAConstantInt(value) != NULL;
        if (!is_start && !is_step(phi, value)) {
            return false;
        }
        has_start |= is_start;
    }
    return has_start && LLVMCountIncoming(phi) > 1;
}

static bool is_of_counters(struct simd_counters *counters, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAConstantInt(value) != NULL) {
        return true;
    }
    if (LLVMIsAPHINode(value) != NULL && simd_is_counter(value)) {
        LOWER_PUSH(counters->phis, counters->count, value);
        return true;
    }
    bool is_arithmetic = LLVMIsABinaryOperator(value) != NULL || LLVMIsACastInst(value) != NULL;
    if (!is_arithmetic || depth == 0) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_of_counters(counters, LLVMGetOperand(value, i), depth - 1)) {
            return false;
        }
    }
    return true;
}

bool simd_is_of_counters(struct simd_counters *counters, LLVMValueRef value)
{
    return is_of_counters(counters, value, MOST_DEPTH);
}

/* "full" would only unroll loops whose number of iterations is known. "enable" also unrolls those
 * of which at most eight are known, such as a loop that threads leave at the end of the data. */
static void mark(struct lower_context *lower, LLVMValueRef branch)
{
    static const char word[] = "llvm.loop.unroll.enable";
    LLVMContextRef llvm = lower->llvm;
    LLVMMetadataRef name = LLVMMDStringInContext2(llvm, word, sizeof word - 1);
    LLVMMetadataRef loop = lower_md_distinct(lower, LLVMMDNodeInContext2(llvm, &name, 1));
    unsigned kind = LLVMGetMDKindIDInContext(llvm, "llvm.loop", 9);
    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(llvm, loop));
}

/* The mark has no effect on a branch that does not start the next iteration of a loop. */
static void mark_branches(struct lower_context *lower, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        mark(lower, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
    }
}

void simd_unroll_counted(struct lower_context *lower, LLVMValueRef function,
                         const struct simd_counters *counters)
{
    static const char passes[] = "loop(loop-unroll-full),sroa,early-cse<memssa>,"
                                 "instcombine<no-verify-fixpoint>,"
                                 "simplifycfg<no-switch-to-lookup>,loop-simplify,lcssa";
    if (counters->count == 0) {
        return;
    }
    for (size_t i = 0; i < counters->count; i++) {
        mark_branches(lower, counters->phis[i]);
    }
    module_run_passes_on(function, passes, lower->machine);
}
