/* Whether all lanes of a chunk go one way. */
#ifndef CDPCC_SIMD_ANALYSIS_CHUNK_CONDITIONS_H
#define CDPCC_SIMD_ANALYSIS_CHUNK_CONDITIONS_H
#include "simd/analysis/shape.h"

struct block_emit;
struct block_kernel;

/* i1: all lanes of the chunk, which are at work, have the condition as wanted. */
LLVMValueRef block_agree(struct block_emit *emit, LLVMValueRef condition, bool wanted);
/* What a loop's phi starts with, if the same number for all lanes is added to it in each turn; else
 * NULL. */
LLVMValueRef block_start_of_stride(const struct block_kernel *kernel, LLVMValueRef phi);
/* The loop's phi grows by the same for the whole chunk, from lanes that follow each other, and an
 * agreement on the condition about the next turn says that they still do: signed or unsigned. */
enum block_test block_stays_line(const struct block_emit *emit, LLVMValueRef condition,
                                 LLVMValueRef phi);

#endif
