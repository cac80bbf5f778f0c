/* Emission of values that live across barriers: their memory, and recomputed values. */
#ifndef CDPCC_SIMD_EMIT_SLOTS_H
#define CDPCC_SIMD_EMIT_SLOTS_H
#include "simd/emit/emit.h"
void simd_recompute(struct simd_emit *emit, LLVMValueRef value);
void simd_make_slot(struct simd_emit *emit, int number);
void simd_save_slot(struct simd_emit *emit, int number);
void simd_load_slot(struct simd_emit *emit, int number);
void simd_save_promoted(struct simd_emit *emit, int number, bool is_first);
struct simd_value simd_load_promoted(struct simd_emit *emit, int number);

#endif
