/* Branches and the ends of regions, under masks. */
#ifndef CDPCC_SIMD_EMIT_CONTROL_H
#define CDPCC_SIMD_EMIT_CONTROL_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;

void block_nodes(struct block_emit *emit, const bool *set, int level);

#endif
