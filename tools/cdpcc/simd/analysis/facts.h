/* What is known of a kernel for one variant of it. */
#ifndef CDPCC_SIMD_ANALYSIS_FACTS_H
#define CDPCC_SIMD_ANALYSIS_FACTS_H
#include "simd/analysis/shape.h"

#include <llvm-c/Types.h>

struct simd_kernel;

/* One struct for each version of a kernel, in the arena.  The fixed point of planning (plan/plan.c)
 * writes it; after that it does not change.  All arrays are by value number. */
struct simd_facts {
    struct simd_shape *shapes;
    enum simd_test
        *tests;       /* what makes an affine shape hold; TEST_NONE where nothing need be tested */
    bool *needs_test; /* the affine shape needs a test also where all lanes are active */
    bool *is_forced;  /* the value is varying, whatever it is computed from */
    bool *is_clobbered; /* a load that each chunk makes for itself (analysis/clobber.c) */
    bool exits_early;   /* threads may end before a barrier that others reach */
};

/* Fresh ones: nothing is known. */
struct simd_facts *simd_facts_new(const struct simd_kernel *kernel);
struct simd_shape simd_shape_of(const struct simd_kernel *kernel, LLVMValueRef value);
/* Each vector lies within one row of the block. */
bool simd_has_rows(const struct simd_kernel *kernel);
/* Lanes for each thread, at most: more than one if rows are padded. */
unsigned simd_filled(const struct simd_kernel *kernel);
/* Bytes between the copies of two threads of a variable of the function. */
uint64_t simd_local_stride(const struct simd_kernel *kernel, LLVMValueRef alloca);

#endif
