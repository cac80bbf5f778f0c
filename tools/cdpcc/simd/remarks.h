/* Remarks of --explain. */
#ifndef CDPCC_SIMD_REMARKS_H
#define CDPCC_SIMD_REMARKS_H
#include <llvm-c/Types.h>
#include <stddef.h>

struct simd_kernel;
struct simd_symbolic_stride;
struct simd_version;
struct simd_versions;

/* The kernel has only thread entries, for that reason. `blamed` is an instruction, or NULL. */
void simd_explain_refusal(const struct simd_kernel *kernel, const char *why, LLVMValueRef blamed);
/* The kernel has these versions.  `general`: the general one, which may have been refused. */
void simd_explain_versions(const struct simd_kernel *kernel, const struct simd_versions *versions,
                           const struct simd_version *general);
/* Besides, it has these versions for launches in which parameters are 1. */
void simd_explain_unit_strides(const struct simd_kernel *kernel,
                               const struct simd_symbolic_stride *strides, size_t count,
                               const struct simd_versions *versions);

#endif
