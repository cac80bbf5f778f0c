/* Loops that put a word together byte by byte.
 *
 *     for (n = 0; n < 8; n++) s |= (uint64_t)p[8 * i + n] << (8 * n);     shifts by its counter
 *     for (n = 0; n < 4; n++) v = v << 8 | p[n];                          shifts what it has so far
 *
 * The counter is in the index of a load of bytes or halfwords. */
#include "simd/prepare/byte_loops.h"

#include "ir/value.h"

#include <llvm-c/Core.h>

enum { BITS_OF_BYTE = 8, MOST_ITERATIONS = 16, MOST_DEPTH = 8 };

static bool is_of_type(LLVMValueRef value, unsigned least, unsigned most)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= least &&
           LLVMGetIntTypeWidth(type) <= most;
}

static bool is_load_of_bytes(LLVMValueRef at)
{
    return LLVMIsALoadInst(at) != NULL && is_of_type(at, BITS_OF_BYTE, 2 * BITS_OF_BYTE);
}

/* The phi is within the arithmetic that computes the value. */
static bool depends_on(LLVMValueRef value, LLVMValueRef phi, unsigned depth)
{
    if (value == phi) {
        return true;
    }
    bool is_arithmetic = LLVMIsABinaryOperator(value) != NULL || LLVMIsACastInst(value) != NULL ||
                         LLVMIsAGetElementPtrInst(value) != NULL;
    for (unsigned i = 0; is_arithmetic && depth > 0 && i < (unsigned)LLVMGetNumOperands(value);
         i++) {
        if (depends_on(LLVMGetOperand(value, i), phi, depth - 1)) {
            return true;
        }
    }
    return false;
}

/* A constant with which the counter, or its next value, is compared. */
static LLVMValueRef bound_of(LLVMValueRef counter)
{
    for (LLVMUseRef use = LLVMGetFirstUse(counter); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAICmpInst(user) != NULL && LLVMIsAConstantInt(LLVMGetOperand(user, 1)) != NULL) {
            return LLVMGetOperand(user, 1);
        }
    }
    return NULL;
}

/* Its start and its bound are not far from each other. */
static bool has_few_iterations(LLVMValueRef phi)
{
    LLVMValueRef bound = bound_of(phi), start = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (LLVMIsAConstantInt(value) != NULL) {
            start = value;
        } else if (bound == NULL) {
            bound = bound_of(value);
        }
    }
    if (bound == NULL || start == NULL || !is_of_type(phi, BITS_OF_BYTE, 64)) {
        return false;
    }
    int64_t distance = LLVMConstIntGetSExtValue(bound) - LLVMConstIntGetSExtValue(start);
    return distance >= -MOST_ITERATIONS && distance <= MOST_ITERATIONS;
}

/* The counter of the loop with this header. NULL: it has none. */
static LLVMValueRef counter_in(LLVMBasicBlockRef header)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(header);
         at != NULL && LLVMIsAPHINode(at) != NULL; at = LLVMGetNextInstruction(at)) {
        if (simd_is_counter(at)) {
            return at;
        }
    }
    return NULL;
}

/* A shift by a counter, or a shift of what a loop has put together so far. Adds the counters. */
static void add_counters(struct simd_counters *counters, LLVMValueRef shift)
{
    struct simd_counters found = *counters;
    LLVMValueRef by = LLVMGetOperand(shift, 1), word = LLVMGetOperand(shift, 0);
    if (LLVMIsAConstantInt(by) == NULL) {
        if (simd_is_of_counters(&found, by)) {
            *counters = found;
        }
        return;
    }
    bool is_by_bytes = LLVMConstIntGetZExtValue(by) == BITS_OF_BYTE ||
                       LLVMConstIntGetZExtValue(by) == 2 * BITS_OF_BYTE;
    LLVMValueRef counter = is_by_bytes && LLVMIsAPHINode(word) != NULL
                               ? counter_in(LLVMGetInstructionParent(word))
                               : NULL;
    if (counter != NULL) {
        LOWER_PUSH(counters->phis, counters->count, counter);
    }
}

static bool is_shift(LLVMValueRef at)
{
    return LLVMGetInstructionOpcode(at) == LLVMShl;
}

struct simd_counters simd_byte_loops(LLVMValueRef function)
{
    struct simd_counters all = {.phis = NULL}, result = {.phis = NULL};
    struct lower_list loads = lower_instructions(function, is_load_of_bytes);
    if (loads.count == 0) {
        return result;
    }
    struct lower_list shifts = lower_instructions(function, is_shift);
    for (size_t i = 0; i < shifts.count; i++) {
        add_counters(&all, shifts.items[i]);
    }
    for (size_t i = 0; i < all.count; i++) {
        bool is_index = false;
        for (size_t j = 0; j < loads.count && !is_index; j++) {
            is_index = depends_on(LLVMGetOperand(loads.items[j], 0), all.phis[i], MOST_DEPTH);
        }
        if (is_index && has_few_iterations(all.phis[i])) {
            LOWER_PUSH(result.phis, result.count, all.phis[i]);
        }
    }
    return result;
}
