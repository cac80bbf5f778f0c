/* Turns arrays of the threads' own variables into values.
 *
 *     float t[4][4];
 *     for (int i = 0; i < 4; i++)          unrolled, t is 16 values in registers
 *         for (int j = 0; j < 4; j++)
 *             t[i][j] = in[i * n + j];
 *
 * As an array t would be in memory, one copy for each thread, so each access of a vector would be a
 * gather. nvcc unrolls such loops, too. Only loops whose counter is an index of a small array are
 * unrolled, and only if all indices of the array are such counters or constants: others would leave
 * the array in memory. */
#include "simd/prepare/local_arrays.h"

#include "ir/context.h"
#include "ir/debug_info.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

enum { MOST_BYTES = 512, MOST_DEPTH = 6 };

/* The counters of loops. In the arena. */
struct counters {
    LLVMValueRef *phis;
    size_t count;
};

/* phi + constant. */
static bool is_step(LLVMValueRef phi, LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
           LLVMGetOperand(value, 0) == phi && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
}

/* Starts with a constant, and each iteration adds one. For two iterations the optimizer makes it
 * two constants. */
static bool is_counter(LLVMValueRef phi)
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

/* Adds the counters that the value is computed of. False: it is computed of other values, too. */
static bool is_of_counters(struct counters *counters, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAConstantInt(value) != NULL) {
        return true;
    }
    if (LLVMIsAPHINode(value) != NULL && is_counter(value)) {
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

static bool is_harmless_call(LLVMValueRef user)
{
    const char *name = LLVMIsACallInst(user) != NULL ? simd_callee_name(user) : "";
    return str_starts(name, "llvm.lifetime.") || str_starts(name, "llvm.memset.");
}

/* Whether all uses of an address within an array are accesses by indices that become constants. */
static bool has_counted_uses(struct counters *counters, LLVMValueRef address, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_access = LLVMIsALoadInst(user) != NULL ||
                         (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 1) == address &&
                          LLVMGetOperand(user, 0) != address);
        if (is_access || is_harmless_call(user)) {
            continue;
        }
        if (LLVMIsAGetElementPtrInst(user) == NULL || depth == 0) {
            return false;
        }
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(user); i++) {
            if (!is_of_counters(counters, LLVMGetOperand(user, i), MOST_DEPTH)) {
                return false;
            }
        }
        if (!has_counted_uses(counters, user, depth - 1)) {
            return false;
        }
    }
    return true;
}

static bool is_small_array(struct lower_context *lower, LLVMValueRef at)
{
    return LLVMIsAAllocaInst(at) != NULL &&
           LLVMGetTypeKind(LLVMGetAllocatedType(at)) != LLVMPointerTypeKind &&
           LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(at, 0)) == 1 &&
           LLVMABISizeOfType(lower->layout, LLVMGetAllocatedType(at)) <= MOST_BYTES;
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
static void unroll(struct lower_context *lower, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        mark(lower, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
    }
}

void simd_prepare_local_arrays(struct lower_context *lower, LLVMValueRef function)
{
    static const char passes[] = "loop(loop-unroll-full),sroa,early-cse<memssa>,"
                                 "instcombine<no-verify-fixpoint>,"
                                 "simplifycfg<no-switch-to-lookup>,loop-simplify,lcssa";
    struct counters all = {.phis = NULL};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef at = LLVMGetFirstInstruction(entry); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        struct counters counters = all;
        if (is_small_array(lower, at) && has_counted_uses(&counters, at, MOST_DEPTH)) {
            all = counters;
        }
    }
    for (size_t i = 0; i < all.count; i++) {
        unroll(lower, all.phis[i]);
    }
    if (all.count != 0) {
        LLVMPassBuilderOptionsRef settings = LLVMCreatePassBuilderOptions();
        LLVMConsumeError(LLVMRunPassesOnFunction(function, passes, lower->machine, settings));
        LLVMDisposePassBuilderOptions(settings);
    }
}
