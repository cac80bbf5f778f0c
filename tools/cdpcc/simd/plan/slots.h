/* Values that live across barriers: which, and which are computed again. */
#ifndef CDPCC_SIMD_PLAN_SLOTS_H
#define CDPCC_SIMD_PLAN_SLOTS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_graph;
struct simd_kernel;

/* Integer arithmetic without memory, or a division by a constant: it can be computed again wherever
 * its operands are known. */
bool simd_is_computable(LLVMValueRef instruction);
/* Of a region, by value number: the values that earlier regions define and it uses; of these, the
 * promoted live-ins, which it defines again; of these, the ones whose divergent reaching
 * definitions make them varying. */
void simd_find_slots(const struct simd_graph *graph, bool *live, bool *mixed, bool *torn);
/* The value is computed again in each chunk, and needs no slot. */
bool simd_can_recompute(const struct simd_kernel *kernel, LLVMValueRef value);
/* Marks the value, and all that it is computed from. */
void simd_mark_recomputed(const struct simd_kernel *kernel, LLVMValueRef value, bool *known);

#endif
