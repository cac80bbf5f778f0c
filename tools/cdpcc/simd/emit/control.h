/* Emission of branches and of the ends of regions, under masks. */
#ifndef CDPCC_SIMD_EMIT_CONTROL_H
#define CDPCC_SIMD_EMIT_CONTROL_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;

/* Emits the nodes of the set that are not done yet. `level` is the loop whose nodes they are; -1:
 * none. */
void simd_nodes(struct simd_emit *emit, const bool *set, int level);

#endif
