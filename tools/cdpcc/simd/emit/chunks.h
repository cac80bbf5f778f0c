/* The loops over chunks. */
#ifndef CDPCC_SIMD_EMIT_CHUNKS_H
#define CDPCC_SIMD_EMIT_CHUNKS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_making;
struct simd_region;

/* All chunks of the region. */
void simd_chunks(struct simd_making *making, const struct simd_region *region);
/* Before them: what the region's values are that all chunks share. */
void simd_begin_chunks(struct simd_making *making, const struct simd_region *region);

#endif
