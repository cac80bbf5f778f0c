/* The address of a plain access as base[number] plus some bytes. */
#ifndef CDPCC_SIMD_PLAN_INDEX_H
#define CDPCC_SIMD_PLAN_INDEX_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_graph;
struct simd_path;

/* The position of an access in a path. */
struct simd_site {
    const struct simd_path *path;
    const struct simd_graph *graph; /* one of the path's two graphs */
    unsigned node;
};

/* An address of the form base[number] plus offset. */
struct simd_index {
    LLVMTypeRef type;
    LLVMValueRef base, number; /* the base is uniform, the number has 64 bits */
    int64_t offset;            /* bytes */
};

/* False: the address does not have that form.
 * If it is true, *index is set; the base is available at the site. */
bool simd_index_of(const struct simd_site *site, LLVMValueRef address, LLVMTypeRef type,
                   struct simd_index *index);
/* The value is available there, and it is the same for all lanes of a vector; or it is affine with
 * stride 1. */
bool simd_is_known_uniform(const struct simd_site *site, LLVMValueRef value);
bool simd_is_known_affine(const struct simd_site *site, LLVMValueRef value);

#endif
