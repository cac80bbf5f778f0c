/* Selects the children of a block that a device-side cudaDeviceSynchronize waits for.
 *
 * The call waits for the grids that the block launched before it [CDP guide 2012].  Later launches
 * by other threads must not delay it.  So each launch has the number of an epoch.  A wait closes
 * the open epoch, and ends when all children of this epoch and of all older ones are complete.
 * Then these epochs are over.  Launch, completion and wait take constant time in any order of
 * completion.  A child needs two bytes for its epoch.
 *
 * Some thread waits for each closed epoch that is not over.  So there are at most as many such
 * epochs as the block has threads, and the numbers may wrap around. */
#ifndef CDP_EXEC_STATE_EPOCH_H
#define CDP_EXEC_STATE_EPOCH_H

#include <stdbool.h>
#include <stdint.h>

enum { CDP_EPOCHS_FEW = 4 };

/* Part of its block.  Only the block's executor accesses it.
 * Invariant: epochs first .. open - 1 are closed, and the oldest of them is not over;
 * closed_children is the sum of their counts. */
struct cdp_epochs {
    uint16_t open;  /* number of the open epoch, that of the next launch */
    uint16_t first; /* oldest epoch that is not over; == open: no closed one */
    uint32_t closed_children;
    uint32_t mask;    /* size of counts less 1; the size is a power of two */
    uint32_t *counts; /* ring, by epoch: children of a closed epoch that are not complete */
    uint32_t few[CDP_EPOCHS_FEW];
};

void cdp_epochs_init(struct cdp_epochs *epochs);
void cdp_epochs_finish(struct cdp_epochs *epochs);

/* Closes the open epoch, because a thread is about to wait for all incomplete children of the
 * block. children is their number, and not 0.  Returns the last epoch that the thread waits for.
 * Without memory this is the open epoch.  Then the wait includes later launches, which takes longer
 * but is correct. */
uint16_t cdp_epochs_close(struct cdp_epochs *epochs, uint32_t children);

/* Counts a complete child of a closed epoch.  True if its epoch was the oldest one and is now
 * over. */
bool cdp_epochs_leave(struct cdp_epochs *epochs, uint16_t epoch);

/* A child of that epoch is complete.  True if waiting threads may now continue. */
static inline bool cdp_epochs_child_done(struct cdp_epochs *epochs, uint16_t epoch)
{
    return epoch != epochs->open && cdp_epochs_leave(epochs, epoch);
}

static inline bool cdp_epochs_over(const struct cdp_epochs *epochs, uint16_t epoch)
{
    return (int16_t)(uint16_t)(epoch - epochs->first) < 0;
}

#endif
