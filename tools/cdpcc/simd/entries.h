/* The block entries of one kernel. */
#ifndef CDPCC_SIMD_ENTRIES_H
#define CDPCC_SIMD_ENTRIES_H

struct lower_kernel;
struct simd_budget;
struct simd_kernel;
struct simd_launches;

/* Emits the entries of a kernel that may have them, and sets source->block. */
void simd_make_entries(const struct simd_kernel *kernel, struct lower_kernel *source,
                       const struct simd_launches *launches, const struct simd_budget *budget);

#endif
