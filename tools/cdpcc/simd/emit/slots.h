/* Emission of values that live across barriers: their memory, and recomputed values. */
#ifndef CDPCC_SIMD_EMIT_SLOTS_H
#define CDPCC_SIMD_EMIT_SLOTS_H
#include "simd/emit/emit.h"
/* Emits the value and all that it is computed from, at the start of a chunk or before the chunks.
 */
void simd_recompute(struct simd_emit *emit, LLVMValueRef value);
/* Allocates the value's slot. To be called before any region is emitted. */
void simd_make_slot(struct simd_emit *emit, int number);
/* Stores the value's active lanes; the values of the other lanes are not changed. */
void simd_save_slot(struct simd_emit *emit, int number);
/* Sets the value from its slot, for the current chunk, or for the block if it is uniform. */
void simd_load_slot(struct simd_emit *emit, int number);
/* The same for a promoted live-in's variable. is_first: the variable has no value before, so all
 * lanes are stored. */
void simd_save_promoted(struct simd_emit *emit, int number, bool is_first);
struct simd_value simd_load_promoted(struct simd_emit *emit, int number);
/* The address of the bits of the vector's lanes that wait at the barrier: sixteen bits for each
 * vector, whatever its number of lanes is. */
LLVMValueRef simd_alive_at(struct simd_emit *emit, unsigned vector);

#endif
