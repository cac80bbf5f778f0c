/* Loads that all chunks share.
 *
 * Behind a barrier, all threads often read one place of shared memory: the sum that the block has
 * made.  Where such a load comes before anything that its region does, one does for the whole
 * block, before the first chunk: what a thread stores without a barrier between may come before or
 * after the others' loads.  It also gives what programs get from a GPU that forget the barrier
 * behind the load, as reductions do that are called twice: there all warps have long read the
 * first sum when one of them stores the second. */
#include "block/block.h"

static bool may_write(LLVMValueRef at)
{
    return block_is_order(at) || LLVMIsAStoreInst(at) != NULL ||
           (LLVMIsACallInst(at) != NULL && !block_is_pure_call(at));
}

/* Always mapped, and the same for all that have come here. */
static bool is_shared_by_all(const struct block_emit *emit, LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) == NULL || LLVMGetVolatile(at) ||
        LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic) {
        return false;
    }
    LLVMValueRef address = LLVMGetOperand(at, 0);
    return block_is_shared(address) &&
           block_shape_of(emit->kernel, address).kind <= SHAPE_UNIFORM &&
           block_shape_of(emit->kernel, at).kind <= SHAPE_UNIFORM &&
           block_can_recompute(emit, address);
}

void block_load_early(struct block_emit *emit, const struct block_graph *graph, unsigned entry,
                      const bool *mixed)
{
    const struct block_node *node = &emit->kernel->nodes[entry];
    if (entry == 0 || graph->loop_of[entry] >= 0) {
        return;
    }
    for (LLVMValueRef i = node->first; i != NULL && i != node->last && !may_write(i);
         i = LLVMGetNextInstruction(i)) {
        int number = block_number(emit->kernel, i);
        if (is_shared_by_all(emit, i) && !mixed[number]) {
            block_recompute(emit, LLVMGetOperand(i, 0));
            block_load(emit, i);
            emit->is_early[number] = true;
        }
    }
}
