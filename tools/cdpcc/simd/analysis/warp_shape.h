/* Shapes of values that depend on warps or on the number of the thread. */
#ifndef CDPCC_SIMD_ANALYSIS_WARP_SHAPE_H
#define CDPCC_SIMD_ANALYSIS_WARP_SHAPE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;
struct simd_shape;
/* Which lanes the mask of an operation names. */
enum simd_named {
    NAMED_ALL,   /* the warp */
    NAMED_TILE,  /* the lane's own tile of the warp; all tiles have the same size */
    NAMED_GROUP, /* those with the lane's own value, by __match_any_sync(): the same must be proven
                  */
    NAMED_PRESENT, /* the lanes that are active; this must be proven */
};
enum simd_named simd_named_by(const struct simd_kernel *kernel, LLVMValueRef call);
/* Lanes of one warp may name different lanes: their tiles or groups. */
bool simd_names_part(const struct simd_kernel *kernel, LLVMValueRef call);
/* The size of the tiles that an operation of NAMED_TILE names. */
uint64_t simd_tile_size(LLVMValueRef call);
/* The shuffle reads the same lane for all lanes of the warp, or of their part of it. */
bool simd_is_broadcast(const struct simd_kernel *kernel, LLVMValueRef call);
/* The value is the thread's number, or the sum of a multiple of the number and it. */
bool simd_counts_from_multiple(const struct simd_kernel *kernel, LLVMValueRef value,
                               uint64_t number);
/* The number of consecutive threads, from each multiple of this number on, that have the same
 * value; 0: unknown. */
uint64_t simd_same_for(const struct simd_kernel *kernel, LLVMValueRef instruction);
/* False if the instruction depends neither on warps nor on the number of the thread.
 * If it is true, *shape is the result's shape. */
bool simd_warp_shape(const struct simd_kernel *kernel, LLVMValueRef instruction,
                     struct simd_shape *shape);

#endif
