/* The facts that analysis computes for one version of a kernel. */
#ifndef CDPCC_SIMD_ANALYSIS_FACTS_H
#define CDPCC_SIMD_ANALYSIS_FACTS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;
struct simd_shape;

/* The run-time test that decides whether an instruction's result is affine. */
enum simd_test {
    TEST_NONE,
    TEST_SIGNED,
    TEST_UNSIGNED,
    TEST_MASK,
    TEST_LOW_BITS,  /* a uniform mask keeps all bits in which the lanes' numbers differ */
    TEST_HIGH_BITS, /* it keeps none of them */
    TEST_CLAMP,     /* no lane is beyond the limit */
    TEST_REMAINDER, /* the remainder wraps around to zero in the first lane, or in none */
    TEST_QUOTIENT,  /* all lanes have the same quotient */
    TEST_SHIFT,     /* as for a quotient, for a shift to the right */
    TEST_CHOICE,    /* the select takes its affine operand */
};

/* The facts of one version.
 *
 * Life: in the arena, one struct for each version.  The fixed point of planning (plan/plan.c)
 * writes it; afterwards it does not change.  All arrays are indexed by value number. */
struct simd_facts {
    struct simd_shape *shapes;
    /* The test on which an affine shape depends; TEST_NONE: none is needed. */
    enum simd_test *tests;
    bool *needs_test;   /* the affine shape needs its test even where all lanes are active */
    bool *is_forced;    /* the value is made varying, whatever its operands are */
    bool *is_clobbered; /* each chunk runs the load for itself (analysis/clobber.c) */
    bool exits_early;   /* threads may end before a barrier that others reach */
};

/* Creates empty facts.
 * All shapes are unknown, and no value is forced or clobbered. In the arena. */
struct simd_facts *simd_facts_new(const struct simd_kernel *kernel);

/* NULL: none are computed yet. */
const struct simd_facts *simd_facts_of(const struct simd_kernel *kernel);

/* False, with a message on standard error, if shapes and tests contradict each other.
 * For tests of the compiler; the kernel must have its facts. */
bool simd_facts_are_valid(const struct simd_kernel *kernel);

#endif
