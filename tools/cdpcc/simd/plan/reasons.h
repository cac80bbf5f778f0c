/* Why an access or a loop is not better than it is, for --explain=plan. */
#ifndef CDPCC_SIMD_PLAN_REASONS_H
#define CDPCC_SIMD_PLAN_REASONS_H
#include <llvm-c/Types.h>

struct simd_access;
struct simd_kernel;
struct simd_loop_plan;

/* All fields are NULL if there is nothing to report. */
struct simd_reason {
    const char *text;
    LLVMValueRef at;    /* the instruction that is the cause; may be NULL */
    const char *advice; /* what the author could do; may be NULL */
};

/* No reason for kinds that cost one access for each vector. */
struct simd_reason simd_reason_of_access(const struct simd_kernel *kernel, LLVMValueRef at,
                                         const struct simd_access *access);
struct simd_reason simd_reason_of_loop(const struct simd_kernel *kernel,
                                       const struct simd_loop_plan *loop);
/* What must hold at run time for the access to be of its kind; NULL: nothing. */
const char *simd_test_of_access(const struct simd_kernel *kernel, LLVMValueRef at,
                                const struct simd_access *access);

#endif
