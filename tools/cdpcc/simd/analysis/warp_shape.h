/* Shapes of what depends on warps, and on the number of the thread. */
#ifndef CDPCC_SIMD_ANALYSIS_WARP_SHAPE_H
#define CDPCC_SIMD_ANALYSIS_WARP_SHAPE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;
struct simd_shape;
/* The number of the thread in its block, of any type, where vectors begin at multiples of the
 * lanes: not if rows are padded. */
bool simd_is_thread_number(const struct simd_kernel *kernel, LLVMValueRef value);
/* The value is a constant that is not negative; *number is it, or 0. */
bool simd_small_constant(LLVMValueRef value, uint64_t *number);
/* Whom an operation's mask names. */
enum simd_named {
    NAMED_ALL,     /* the warp */
    NAMED_TILE,    /* the lane's own part of it, as large as all others */
    NAMED_PRESENT, /* the lanes that are there; to be proven */
};
enum simd_named simd_named_by(const struct simd_kernel *kernel, LLVMValueRef call);
/* False if it is nothing that depends on warps or on the number of the thread. */
bool simd_warp_shape(const struct simd_kernel *kernel, LLVMValueRef instruction,
                     struct simd_shape *shape);

#endif
