/* Which comparisons can be decided for all lanes of a chunk by lane 0 and the stride. */
#ifndef CDPCC_SIMD_ANALYSIS_CHUNK_CONDITIONS_H
#define CDPCC_SIMD_ANALYSIS_CHUNK_CONDITIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;
struct simd_shape;

/* The threads of a chunk, as vectors side by side. */
struct simd_chunk {
    unsigned lanes, vectors;
};

/* All active lanes of a chunk have one value. A value that each warp has for itself is one if a
 * chunk is not larger than a warp: chunks of kernels with such values never share a warp. */
bool simd_is_one_for_chunk(const struct simd_kernel *kernel, const struct simd_chunk *chunk,
                           LLVMValueRef value);
/* Lane 0 and the stride decide the comparison of a value of this shape with a uniform one. */
bool simd_is_comparable(const struct simd_shape *shape, LLVMIntPredicate predicate);
/* The difference between the values of the chunk's last and first lane. */
int64_t simd_span_of_chunk(const struct simd_chunk *chunk, const struct simd_shape *shape);
/* The one vector that decides for the whole chunk, if no value wraps in the chunk; -1: each vector
 * decides for itself. */
int simd_deciding_vector(const struct simd_kernel *kernel, const struct simd_chunk *chunk,
                         LLVMIntPredicate predicate, LLVMValueRef source,
                         const struct simd_shape *shape, const struct simd_shape *other);
/* The loop's phi grows by the same step for the whole chunk, and its lanes start with consecutive
 * values.  If all lanes agree on the condition for the next iteration, their values are consecutive
 * there too: as signed or as unsigned numbers. */
enum simd_test simd_stays_affine(const struct simd_kernel *kernel, const struct simd_chunk *chunk,
                                 LLVMValueRef condition, LLVMValueRef phi);

#endif
