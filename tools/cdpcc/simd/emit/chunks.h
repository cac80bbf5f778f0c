/* The loops over chunks. */
#ifndef CDPCC_SIMD_EMIT_CHUNKS_H
#define CDPCC_SIMD_EMIT_CHUNKS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_making;
struct block_region;

/* All chunks of the region. */
void block_chunks(struct block_making *making, const struct block_region *region);
/* Before them: what the region's values are that all chunks share. */
void block_begin_chunks(struct block_making *making, const struct block_region *region);

#endif
