/* Loads of a loop in which each lane reads along a row of memory of its own. */
#ifndef CDPCC_SIMD_PLAN_ROW_TILES_H
#define CDPCC_SIMD_PLAN_ROW_TILES_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simd_edge_name;
struct simd_graph;
struct simd_narrow;

/* Tiles of a loop, and vectors side by side, at most: their code is long. */
enum { SIMD_MOST_TILES = 4, SIMD_MOST_TILE_VECTORS = 4 };

/* A load, and what must hold where a tile of its rows is read. Owner: the loop's plan; in the
 * arena, const for emission. */
struct simd_row_tile {
    LLVMValueRef load;
    const struct simd_narrow *narrow; /* analysis/growth.h: they must not wrap around in a tile */
    size_t narrow_count;
};

/* How many iterations follow: the loop stays while `counter + step` compares so with the end. */
struct simd_remaining {
    LLVMValueRef counter, end; /* both uniform; the end is from outside the loop */
    int64_t step;              /* 1 or -1; the counter's */
    bool is_next;              /* the counter's next value is compared */
    LLVMIntPredicate stays;
};

/* The tiles of a loop; count 0: it has none. */
struct simd_row_tiles {
    struct simd_row_tile items[SIMD_MOST_TILES];
    size_t count;
    struct simd_remaining remaining;
    /* Stores of the loop, to addresses from outside of it. They must not be within a tile. */
    LLVMValueRef *stores;
    size_t store_count;
};

/* The tiles of a loop that all lanes leave together, by that edge. */
struct simd_row_tiles simd_find_row_tiles(const struct simd_graph *graph, int loop,
                                          const struct simd_edge_name *exit, unsigned vectors);

#endif
