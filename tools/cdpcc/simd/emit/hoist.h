/* Emission of the loads that are hoisted out of the chunk loops. */
#ifndef CDPCC_SIMD_EMIT_HOIST_H
#define CDPCC_SIMD_EMIT_HOIST_H

struct simd_emit;

/* Emitted before the region's chunks. */
void simd_load_hoisted(struct simd_emit *emit);

#endif
