/* Sums that do not wrap stay so during loop-invariant code motion. */
#ifndef CDPCC_SIMD_PREPARE_EXACT_SUMS_H
#define CDPCC_SIMD_PREPARE_EXACT_SUMS_H
struct lower_context;

/* Marks the module's sums that LLVM's pass licm must not reassociate.  The marks are calls of
 * llvm.fake.use, which simd_release_exact_sums() removes. Only licm may run in between: other
 * passes simplify a value less if it has a second use. */
void simd_keep_exact_sums(struct lower_context *lower);
void simd_release_exact_sums(const struct lower_context *lower);

#endif
