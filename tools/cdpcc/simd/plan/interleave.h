/* Interleave groups: arrays of structures. */
#ifndef CDPCC_SIMD_PLAN_INTERLEAVE_H
#define CDPCC_SIMD_PLAN_INTERLEAVE_H

#include "simd/ir/memory.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;
struct simd_overlaps;

enum {
    SIMD_MOST_FIELDS = 32,
    SIMD_WORD = 4,   /* bytes; smaller fields are extracted from integers of the structure's size */
    SIMD_PIECE = 16, /* bytes of a structure that are transposed together */
};

/* The structure of one lane.  The structures of the next lanes follow it without a gap, unless
 * is_scattered. */
struct simd_structure {
    struct simd_member field; /* the access being planned */
    /* Of the structure, relative to the field's base.  If is_scattered, of a part of it that is
     * large enough. */
    int64_t start, bytes;
    bool is_reversed;  /* those of the next lanes precede it */
    bool is_scattered; /* those of the other lanes are anywhere */
};

/* Fields that are accessed together. */
struct simd_group {
    struct simd_structure layout;
    unsigned count; /* fields of the structure */
    /* Each lane's fields are accessed by pieces of SIMD_PIECE bytes or less, which are transposed.
     * False: the whole structures are accessed, and their elements shuffled. */
    bool is_transposed;
    /* Loads: an earlier load of the node that has read the same structures, or the same pieces of
     * them; NULL: there is none. */
    LLVMValueRef reader;
    int64_t piece; /* loads, if transposed: the first byte of the field's piece, from the base */
    /* Stores only: one for each field, in the order of the fields, and the first and last one in
     * program order.  Fields without a store are NULL; there are none unless is_transposed.
     * Between the first and the last store, memory is only loaded, and not where the group stores
     * before. */
    LLVMValueRef stores[SIMD_MOST_FIELDS], first, last;
    bool needs_distance; /* stores: only if tests of the path's pointers hold (plan/overlaps.h) */
};

/* NULL: the load is not of a field of such structures, or neither the whole structures nor a piece
 * of them may be read.  The group is in the arena. `delayed` is of struct simd_overlaps. */
struct simd_group *simd_find_load_group(const struct simd_kernel *kernel, LLVMValueRef load,
                                        const bool *delayed);
/* Both groups of loads read the same vectors, if nothing stores there between them. */
bool simd_read_the_same(const struct simd_group *a, const struct simd_group *b);
/* NULL: the store is not of such a field, or too few stores of other fields follow it.  The group
 * is in the arena. Tests that it needs are added to `overlaps`; NULL: it must need none.
 */
const struct simd_group *simd_find_store_group(const struct simd_kernel *kernel, LLVMValueRef first,
                                               struct simd_overlaps *overlaps);

#endif
