/* Values that live across barriers. */
#ifndef CDPCC_SIMD_PLAN_SLOTS_H
#define CDPCC_SIMD_PLAN_SLOTS_H
#include "simd/emit/emit.h"

struct block_graph;

/* Likewise, or divides by a constant: it can be made once more, wherever its operands are known. */
bool block_is_computable(LLVMValueRef instruction);
void block_find_slots(struct block_emit *emit, const struct block_graph *graph, bool *live,
                      bool *mixed, bool *torn);
bool block_can_recompute(const struct block_emit *emit, LLVMValueRef value);
void block_recompute(struct block_emit *emit, LLVMValueRef value);
void block_make_slot(struct block_emit *emit, int number);
void block_save_slot(struct block_emit *emit, int number);
void block_load_slot(struct block_emit *emit, int number);
void block_save_mixed(struct block_emit *emit, int number, bool is_first);
struct block_value block_load_mixed(struct block_emit *emit, int number);

#endif
