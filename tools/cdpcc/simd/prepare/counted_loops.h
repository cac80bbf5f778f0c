/* Loops that count from one constant to another, to be unrolled before a kernel is vectorized. */
#ifndef CDPCC_SIMD_PREPARE_COUNTED_LOOPS_H
#define CDPCC_SIMD_PREPARE_COUNTED_LOOPS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

struct lower_context;

/* The counters of loops. In the arena. */
struct simd_counters {
    LLVMValueRef *phis;
    size_t count;
};

/* The phi starts with a constant, and each iteration adds the same constant. */
bool simd_is_counter(LLVMValueRef phi);
/* Adds the counters that the value is computed of. False: it is computed of other values, too. */
bool simd_is_of_counters(struct simd_counters *counters, LLVMValueRef value);
/* Unrolls the loops of these counters, where LLVM finds their number of iterations, and simplifies
 * the function. Without counters it does nothing. */
void simd_unroll_counted(struct lower_context *lower, LLVMValueRef function,
                         const struct simd_counters *counters);

#endif
