/* Vectorized functions: functions that stay calls, as versions that run all lanes of a chunk. */
#ifndef CDPCC_SIMD_PLAN_CALLEES_H
#define CDPCC_SIMD_PLAN_CALLEES_H
#include "ir/value.h"
#include "simd/plan/cost.h"

#include <stdbool.h>

struct simd_kernel;
struct simd_options;
struct simd_plan;
struct simd_shape;

/* A function that kernels call.
 * Life: simd_callees_find() makes it (simd/callees.c), and plans read it. */
struct simd_callee {
    LLVMValueRef function; /* as it is called */
    struct simd_kernel
        *kernel;         /* of its copy in the form of a kernel; not built if it is refused */
    const char *refusal; /* why its calls run one lane after the other; NULL: they need not */
    unsigned vectors;    /* side by side, at most */
    bool is_recursive;
};

/* A version of a function, for parameters of some shapes.  It takes the lanes that call it, and a
 * vector for each parameter that is not uniform.
 *
 * Life: in the arena.  Planned where a plan first needs it; emission sets `emitted`. */
struct simd_vector_function {
    const struct simd_callee *callee;
    const struct simd_shape *arguments; /* by value number of the callee */
    unsigned lanes, vectors;
    bool in_halves;
    const struct simd_plan *plan; /* NULL while it is planned */
    struct simd_cost cost;        /* of the plan */
    bool is_assumed;              /* a plan has used it while it was planned */
    const char *refusal;          /* why it does not exist */
    LLVMValueRef emitted;         /* NULL: not yet */
};

/* The callees of a unit, and their versions in the order in which they were planned. */
struct simd_callees {
    struct simd_callee **items;
    size_t count;
    struct lower_map numbers; /* by function */
    struct simd_vector_function **functions;
    size_t function_count;
};

/* Calls of it may become calls of vector functions. */
bool simd_is_vectorizable(const struct simd_kernel *kernel, LLVMValueRef call);
/* The vector function for a call in the plan's kernel, whose facts are known.  NULL: its lanes run
 * one after the other, and *why says why if the callee is known. */
struct simd_vector_function *simd_vector_function_for(const struct simd_plan *plan,
                                                      LLVMValueRef call, const char **why);

#endif
