/* Interleave groups: arrays of structures. */
#ifndef CDPCC_SIMD_PLAN_INTERLEAVE_H
#define CDPCC_SIMD_PLAN_INTERLEAVE_H
#include "simd/ir/instructions.h"

#include <llvm-c/Types.h>
#include <stdint.h>

struct simd_kernel;

enum {
    SIMD_MOST_FIELDS = 8,
    SIMD_WORD = 4, /* bytes; smaller fields are parts of numbers as large as the structure */
};

/* One lane's structure; those of other lanes follow it. */
struct simd_structure {
    struct simd_member field; /* the access at hand */
    int64_t start, bytes;     /* of the structure, from the field's base */
};

/* Fields that are accessed together. */
struct simd_group {
    struct simd_structure layout;
    unsigned count; /* fields of the structure */
    /* Of stores only: one for each field, by its place, and the first and last one in the program.
     * Nothing between them touches memory. */
    LLVMValueRef stores[SIMD_MOST_FIELDS], first, last;
};

/* NULL: the load is none of a field of such structures, or must not read all of them. */
const struct simd_group *simd_find_load_group(const struct simd_kernel *kernel, LLVMValueRef load);
/* NULL: the store is none, or no others follow it that store all fields. */
const struct simd_group *simd_find_store_group(const struct simd_kernel *kernel,
                                               LLVMValueRef first);

#endif
