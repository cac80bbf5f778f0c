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
 * the array in memory. An array of very few elements may have other indices (small_arrays.c). */
#include "simd/prepare/local_arrays.h"

#include "ir/context.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/clone.h"
#include "simd/prepare/counted_loops.h"
#include "simd/prepare/local_uses.h"
#include "simd/prepare/small_arrays.h"
#include "support/str.h"

#include <llvm-c/Core.h>

enum {
    MOST_BYTES = 512,
    MOST_DEPTH = 6,
    /* Instructions of a function whose loops are unrolled for small arrays: so many times those
     * before, and so many more. */
    MOST_GROWTH = 4,
    MOST_ADDED = 200,
};

/* Copies of constant size, such as assignments of structures, become loads and stores of the
 * elements. */
static bool is_harmless_call(LLVMValueRef user)
{
    enum { LENGTH = 2 };
    const char *name = LLVMIsACallInst(user) != NULL ? simd_callee_name(user) : "";
    bool is_copy = str_starts(name, "llvm.memcpy.") || str_starts(name, "llvm.memmove.");
    return str_starts(name, "llvm.lifetime.") || str_starts(name, "llvm.memset.") ||
           (is_copy && LLVMIsAConstantInt(LLVMGetOperand(user, LENGTH)) != NULL);
}

/* Whether all uses of an address within an array are accesses by indices that become constants. */
static bool has_counted_uses(struct simd_counters *counters, LLVMValueRef address, unsigned depth)
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
            if (!simd_is_of_counters(counters, LLVMGetOperand(user, i))) {
                return false;
            }
        }
        if (!has_counted_uses(counters, user, depth - 1)) {
            return false;
        }
    }
    return true;
}

static bool has_few_bytes(struct lower_context *lower, LLVMValueRef at)
{
    return LLVMGetTypeKind(LLVMGetAllocatedType(at)) != LLVMPointerTypeKind &&
           LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(at, 0)) == 1 &&
           LLVMABISizeOfType(lower->layout, LLVMGetAllocatedType(at)) <= MOST_BYTES;
}

/* ---- arrays of few elements ---- */

/* The counter of which the index is the number, plus a constant; NULL: there is none. */
static LLVMValueRef counter_of(LLVMValueRef index)
{
    while (LLVMIsACastInst(index) != NULL ||
           (LLVMIsABinaryOperator(index) != NULL && LLVMGetInstructionOpcode(index) == LLVMAdd &&
            LLVMIsAConstantInt(LLVMGetOperand(index, 1)) != NULL)) {
        index = LLVMGetOperand(index, 0);
    }
    return LLVMIsAPHINode(index) != NULL && simd_is_counter(index) ? index : NULL;
}

/* Unrolls the loops whose counters are indices of small arrays. False: there are none. */
static bool unroll_for_small_arrays(struct lower_context *lower, LLVMValueRef function)
{
    struct simd_counters counters = {.phis = NULL};
    struct simd_local_uses array;
    size_t count;
    LLVMValueRef *variables = simd_find_variables(function, &count), counter;
    for (size_t i = 0; i < count; i++) {
        bool is_small =
            simd_find_local_uses(&array, lower, variables[i]) && simd_is_small_array(&array);
        for (size_t k = 0; is_small && k < array.address_count; k++) {
            LLVMValueRef address = array.addresses[k];
            bool is_index = LLVMIsAGetElementPtrInst(address) != NULL;
            for (unsigned o = 1; is_index && o < (unsigned)LLVMGetNumOperands(address); o++) {
                if ((counter = counter_of(LLVMGetOperand(address, o))) != NULL) {
                    LOWER_PUSH(counters.phis, counters.count, counter);
                }
            }
        }
    }
    simd_unroll_counted(lower, function, &counters);
    return counters.count != 0;
}

/* No array of few elements has too many accesses by indices that are no constants. */
static bool are_small(struct lower_context *lower, LLVMValueRef function)
{
    struct simd_local_uses array;
    size_t count;
    LLVMValueRef *variables = simd_find_variables(function, &count);
    for (size_t i = 0; i < count; i++) {
        if (simd_find_local_uses(&array, lower, variables[i]) && simd_has_few_elements(&array) &&
            !simd_is_small_array(&array)) {
            return false;
        }
    }
    return true;
}

/* Unrolls a copy at first: a loop may have far more iterations than the array has elements, or the
 * other accesses in it may become too many. */
static bool may_unroll(struct lower_context *lower, LLVMValueRef function)
{
    LLVMValueRef copy =
        simd_clone_as(lower, function, "cdp.unrolled", LLVMGlobalGetValueType(function));
    unsigned before = lower_count_instructions(copy);
    bool result = are_small(lower, copy) && unroll_for_small_arrays(lower, copy) &&
                  are_small(lower, copy) &&
                  lower_count_instructions(copy) <= MOST_GROWTH * before + MOST_ADDED;
    LLVMDeleteFunction(copy);
    return result;
}

void simd_prepare_local_arrays(struct lower_context *lower, LLVMValueRef function)
{
    struct simd_counters all = {.phis = NULL};
    bool has_small = false;
    struct simd_local_uses array;
    size_t count;
    LLVMValueRef *variables = simd_find_variables(function, &count);
    for (size_t i = 0; i < count; i++) {
        struct simd_counters counters = all;
        if (has_few_bytes(lower, variables[i]) &&
            has_counted_uses(&counters, variables[i], MOST_DEPTH)) {
            all = counters;
        } else {
            has_small |=
                simd_find_local_uses(&array, lower, variables[i]) && simd_is_small_array(&array);
        }
    }
    simd_unroll_counted(lower, function, &all);
    if (has_small && may_unroll(lower, function)) {
        unroll_for_small_arrays(lower, function);
    }
}
