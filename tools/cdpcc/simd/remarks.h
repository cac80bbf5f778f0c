/* Remarks of --explain. */
#ifndef CDPCC_SIMD_REMARKS_H
#define CDPCC_SIMD_REMARKS_H

struct simd_kernel;
struct simd_versions;

/* The kernel stays on thread entries, for that reason. */
void simd_explain_refusal(const struct simd_kernel *kernel, const char *why);
/* The kernel has these versions.  `why`: its general one was refused; else NULL. */
void simd_explain_versions(struct simd_kernel *kernel, const struct simd_versions *versions,
                           const char *why);

#endif
