/* The invariants of a heap. */
#include "mem/heap.h"
#include "mem/heap_block.h"

/* What the blocks add up to. */
struct sum {
    size_t used, live, large;
};

/* Whether the block is in the tree that it should be in, under its key. */
static bool is_in_tree(const struct cdp_heap *heap, const struct cdp_heap_block *block)
    CDP_NEEDS(&heap->lock)
{
    if (block->requested == CDP_HEAP_KEPT) {
        return true;
    }
    bool is_live = block->requested != 0;
    uint64_t major = is_live ? (uintptr_t)block->lo : block->size;
    uint64_t minor = is_live ? 0 : (uintptr_t)block->lo;
    return cdp_tree_floor(is_live ? &heap->live : &heap->free, major, minor) == &block->node;
}

/* The block and the one before it in address order tile the range. */
static bool is_block_valid(const struct cdp_heap *heap, const struct cdp_heap_block *block)
    CDP_NEEDS(&heap->lock)
{
    const struct cdp_heap_block *previous = block->previous;
    if (previous == NULL ? block->lo != heap->lo + CDP_HEAP_FRONT
                         : previous->next != block || previous->lo + previous->size != block->lo ||
                               (previous->requested == 0 && block->requested == 0)) {
        return false;
    }
    return block->size != 0 && block->size % heap->granule == 0 &&
           (block->requested <= block->size || block->requested == CDP_HEAP_KEPT) &&
           is_in_tree(heap, block);
}

static void add(struct sum *sum, const struct cdp_heap *heap, const struct cdp_heap_block *block)
{
    if (block->requested != 0 && block->requested != CDP_HEAP_KEPT) {
        sum->used += cdp_heap_charge(heap, block->requested);
        sum->live++;
        sum->large += block->size >= CDP_HEAP_LARGE;
    }
}

bool cdp_heap_is_valid(const struct cdp_heap *heap)
{
    struct sum sum = {0};
    if (heap->last == NULL || heap->last->next != NULL) {
        return false;
    }
    for (const struct cdp_heap_block *block = heap->last; block != NULL; block = block->previous) {
        if (!is_block_valid(heap, block)) {
            return false;
        }
        add(&sum, heap, block);
    }
    return sum.used == heap->used && sum.live == heap->count.live &&
           sum.large == heap->count.large && heap->used <= heap->limit && heap->limit <= heap->most;
}
