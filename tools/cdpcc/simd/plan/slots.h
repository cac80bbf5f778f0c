/* Values that live across barriers: which ones have slots, and which are recomputed. */
#ifndef CDPCC_SIMD_PLAN_SLOTS_H
#define CDPCC_SIMD_PLAN_SLOTS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

struct simd_graph;
struct simd_kernel;
struct simd_plan;
struct simd_region;

enum {
    /* Bytes of slots and variables: a block runs on the stack of a fiber, and perhaps inside its
     * parent's block. */
    SIMD_MOST_STACK = 160 << 10,
    /* Of these, bytes of variables. */
    SIMD_MOST_LOCAL = SIMD_MOST_STACK / 2,
    /* Bytes of variables of a kernel that never runs inside its parent's block. */
    SIMD_MOST_LARGE_LOCAL = 256 << 10,
};

/* Integer arithmetic without memory, or a division by a constant: it can be recomputed wherever its
 * operands are available. */
bool simd_is_computable(LLVMValueRef instruction);
/* Computes three sets for a region, by value number.  `live`: values that earlier regions define
 * and this one uses.  Of these, `promoted`: promoted live-ins, which this region defines again.  Of
 * those, `divergent`: values whose divergent reaching definitions make them varying.
 * The arrays must be zero at first; the function only adds to them. */
void simd_find_slots(const struct simd_graph *graph, bool *live, bool *promoted, bool *divergent);
/* The value is recomputed in each chunk, and needs no slot. */
bool simd_can_recompute(const struct simd_kernel *kernel, LLVMValueRef value);
/* The numbers of the uniform values that a value is computed from.  A number may be there twice. */
struct simd_leaves {
    size_t *items;
    size_t count;
};
/* The value can be computed in the region from what simd_can_recompute() allows and from uniform
 * values that earlier regions define: the leaves.  The plan must have all regions of the kernel. */
bool simd_can_recompute_from_uniforms(const struct simd_plan *plan,
                                      const struct simd_region *region, LLVMValueRef value,
                                      struct simd_leaves *leaves);
/* Marks the value and all values that it is computed from.
 * Stops at values that are already marked, so repeated calls cost little. */
void simd_mark_recomputed(const struct simd_kernel *kernel, LLVMValueRef value, bool *known);

#endif
