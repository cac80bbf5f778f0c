/* What each call becomes. */
#ifndef CDPCC_SIMD_PLAN_CALLS_H
#define CDPCC_SIMD_PLAN_CALLS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;
struct simd_plan;

/* How a call is emitted. */
enum simd_call_kind {
    CALL_NONE,     /* the instruction is not a call, or it is a barrier */
    CALL_DROPPED,  /* a hint for the optimizer that has no meaning for several threads */
    CALL_SCALAR,   /* a pure call with uniform operands: one call for the lanes that share them */
    CALL_VECTOR,   /* an intrinsic with a vector form */
    CALL_CLAMP,    /* a minimum or maximum whose result is affine */
    CALL_SATURATE, /* a saturating conversion */
    CALL_PRODUCT,  /* the high half of a product of 64-bit numbers */
    CALL_WARP,     /* a warp operation */
    CALL_COPY, /* a copy of small contiguous structures if all lanes are active; else scalarized */
    CALL_COPY_EACH, /* another copy of small structures; without masks no loop over the lanes */
    CALL_GUARD,     /* one lane after the other, for the lanes whose first operand is true */
    CALL_RECORD,    /* one call for the lanes of a vector; then one for each lane that it returns */
    CALL_COUNT,     /* one call for the lanes of the warps of a chunk */
    CALL_FUNCTION,  /* of a function's version for all lanes of the chunk */
    CALL_SCALARIZED, /* one lane after the other */
};

/* An intrinsic whose vector form is as exact as its scalar form. */
struct simd_vector_form {
    const char *name;
    unsigned vectors; /* the number of arguments that are vectors */
};
/* NULL: the call has no vector form. The result is constant. */
const struct simd_vector_form *simd_vector_form_of(LLVMValueRef call);
/* The call may set or read the thread's last error.  A call of a function of the program may do
 * both. */
bool simd_may_fail(LLVMValueRef call);
/* Needs the shapes: a call with uniform operands is a scalar call.  Calls of functions are given as
 * scalarized; a plan may make them vectorized. */
enum simd_call_kind simd_call_kind_of(const struct simd_kernel *kernel, LLVMValueRef call);
/* Decides the kinds of all calls of the plan's kernel, whose facts must be known. */
void simd_plan_calls(struct simd_plan *plan);

#endif
