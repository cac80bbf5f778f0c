/* Emission of loads that read rows of memory in tiles. */
#ifndef CDPCC_SIMD_EMIT_ROW_TILES_H
#define CDPCC_SIMD_EMIT_ROW_TILES_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_element;
struct simd_emit;
struct simd_row_tiles;
struct simd_value;

/* Before a loop with these tiles, and after it. */
void simd_start_tiles(struct simd_emit *emit, const struct simd_row_tiles *tiles);
void simd_end_tiles(struct simd_emit *emit, const struct simd_row_tiles *tiles);
/* The load is in such a loop, and all lanes are active. */
bool simd_has_tile(const struct simd_emit *emit, LLVMValueRef load);
struct simd_value simd_load_from_tile(struct simd_emit *emit, const struct simd_element *element,
                                      const struct simd_value *at);

#endif
