/* What each call becomes. */
#ifndef CDPCC_SIMD_PLAN_CALLS_H
#define CDPCC_SIMD_PLAN_CALLS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;

enum simd_call_kind {
    CALL_DROPPED,  /* a mark for the optimizer, of no meaning for several threads */
    CALL_SCALAR,   /* a pure call of uniform operands: one call for the lanes that share them */
    CALL_VECTOR,   /* an intrinsic with a vector form */
    CALL_CLAMP,    /* a minimum or maximum that is affine */
    CALL_SATURATE, /* a conversion that saturates */
    CALL_WARP,     /* a warp operation */
    CALL_COPY,     /* a copy of small structures that follow each other, where all lanes are active;
                    * else scalarized */
    CALL_SCALARIZED, /* one lane after the other */
};

/* An intrinsic whose vector form is as exact as the scalar one. */
struct simd_vector_form {
    const char *name;
    unsigned vectors; /* the number of arguments that become vectors */
};
const struct simd_vector_form *simd_vector_form_of(LLVMValueRef call);
/* The call may set or read the thread's last error; functions of the program may do all that. */
bool simd_may_fail(LLVMValueRef call);
enum simd_call_kind simd_call_kind_of(const struct simd_kernel *kernel, LLVMValueRef call);

#endif
