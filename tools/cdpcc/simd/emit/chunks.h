/* Emission of the loops over chunks. */
#ifndef CDPCC_SIMD_EMIT_CHUNKS_H
#define CDPCC_SIMD_EMIT_CHUNKS_H

struct simd_emit;
struct simd_path;

/* Emits, before the chunks, the values of the scope's region that all chunks share. */
void simd_begin_chunks(struct simd_emit *emit);
/* Emits the loops over all chunks of the path.
 * The builder is left behind the loops. */
void simd_chunks(struct simd_emit *emit, const struct simd_path *path);

#endif
