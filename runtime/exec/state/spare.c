/* Batches of unused launch records, blocks, streams and events that workers share. */
#include "exec/state/spare.h"

#include "exec/state/block.h"
#include "exec/state/grid.h"

/* The offsets of two links in an unused object: to the next object of its free list and, in the
 * first object of a batch, to the next batch.  A record is linked by its task, which is its first
 * member. */
struct links {
    size_t next, next_batch;
};
_Static_assert(offsetof(struct cdp_grid, task) == 0, "a link to a record's task is one to it");

static struct links links_of(unsigned kind)
{
    if (kind == CDP_SPARE_BLOCKS) {
        return (struct links){offsetof(struct cdp_block, next),
                              offsetof(struct cdp_block, suspension.next)};
    }
    if (kind == CDP_SPARE_OBJECTS) {
        return (struct links){offsetof(struct cdp_spare_links, next),
                              offsetof(struct cdp_spare_links, next_batch)};
    }
    return (struct links){offsetof(struct cdp_grid, task.link), offsetof(struct cdp_grid, objects)};
}

static void **link_at(void *object, size_t offset)
{
    return (void **)(void *)((char *)object + offset);
}

void cdp_spares_init(struct cdp_spares *spares)
{
    cdp_lock_init(&spares->lock, CDP_RANK_SPARES);
    for (unsigned kind = 0; kind < CDP_SPARE_KINDS; kind++) {
        atomic_init(&spares->batches[kind], NULL);
    }
}

void cdp_spares_finish(struct cdp_spares *spares)
{
    cdp_lock_finish(&spares->lock);
}

void cdp_spares_give(struct cdp_spares *spares, unsigned kind, void **list)
{
    struct links links = links_of(kind);
    void *first = *list, *last = first;
    for (unsigned i = 1; i < CDP_SPARE_BATCH; i++) {
        last = *link_at(last, links.next);
    }
    *list = *link_at(last, links.next);
    *link_at(last, links.next) = NULL;
    cdp_lock_acquire(&spares->lock);
    *link_at(first, links.next_batch) =
        atomic_load_explicit(&spares->batches[kind], memory_order_relaxed);
    atomic_store_explicit(&spares->batches[kind], first, memory_order_relaxed);
    cdp_lock_release(&spares->lock);
}

void *cdp_spares_take(struct cdp_spares *spares, unsigned kind)
{
    /* Relaxed: this may miss a batch that is given at the same time. */
    if (atomic_load_explicit(&spares->batches[kind], memory_order_relaxed) == NULL) {
        return NULL;
    }
    cdp_lock_acquire(&spares->lock);
    void *first = atomic_load_explicit(&spares->batches[kind], memory_order_relaxed);
    if (first != NULL) {
        void **link = link_at(first, links_of(kind).next_batch);
        atomic_store_explicit(&spares->batches[kind], *link, memory_order_relaxed);
        *link = NULL;
    }
    cdp_lock_release(&spares->lock);
    return first;
}
