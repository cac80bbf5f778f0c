/* Values that live across barriers. */
#ifndef CDPCC_SIMD_PLAN_SLOTS_H
#define CDPCC_SIMD_PLAN_SLOTS_H
#include <llvm-c/Types.h>
#include "simd/emit/emit.h"

struct simd_graph;

/* Likewise, or divides by a constant: it can be made once more, wherever its operands are known. */
bool simd_is_computable(LLVMValueRef instruction);
void simd_find_slots(struct simd_emit *emit, const struct simd_graph *graph, bool *live,
                     bool *mixed, bool *torn);
bool simd_can_recompute(const struct simd_emit *emit, LLVMValueRef value);
void simd_recompute(struct simd_emit *emit, LLVMValueRef value);
void simd_make_slot(struct simd_emit *emit, int number);
void simd_save_slot(struct simd_emit *emit, int number);
void simd_load_slot(struct simd_emit *emit, int number);
void simd_save_mixed(struct simd_emit *emit, int number, bool is_first);
struct simd_value simd_load_mixed(struct simd_emit *emit, int number);

#endif
