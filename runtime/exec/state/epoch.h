/* Which of a block's children a device-side cudaDeviceSynchronize waits for.
 *
 * It waits for what the block had launched up to that call [CDP guide 2012], so later
 * launches of other threads must not hold it.  Launches are numbered by epochs: a wait
 * closes the epoch in which the block launches, and goes on once that one and all older
 * are over.  Launch, completion and wait take constant time, whatever order children
 * complete in, and a child needs two bytes for it.
 *
 * Every closed epoch that is not over has a thread that waits for it, so there are at
 * most as many as the block has threads, and numbers may wrap. */
#ifndef CDP_EXEC_STATE_EPOCH_H
#define CDP_EXEC_STATE_EPOCH_H

#include <stdbool.h>
#include <stdint.h>

enum { CDP_EPOCHS_FEW = 4 };

/* Part of its block; its executor's alone.
 * Invariant: epochs first .. open - 1 are closed, and the oldest of them is not over;
 * closed_children is the sum of their counts. */
struct cdp_epochs {
    uint16_t open;  /* the epoch of the next launch */
    uint16_t first; /* == open: no closed one */
    uint32_t closed_children;
    uint32_t mask;    /* of counts, whose size is a power of two */
    uint32_t *counts; /* ring: children of a closed epoch that are not complete */
    uint32_t few[CDP_EPOCHS_FEW];
};

void cdp_epochs_init(struct cdp_epochs *epochs);
void cdp_epochs_finish(struct cdp_epochs *epochs);

/* A thread is about to wait for all of the block's incomplete children, of which there
 * are some.  Returns the last epoch that concerns it.  Without memory that is the open
 * one: the wait then takes in later launches too, which is longer but never wrong. */
uint16_t cdp_epochs_close(struct cdp_epochs *epochs, uint32_t children);

/* For a child of a closed epoch: true if by this its epoch and all older are over. */
bool cdp_epochs_leave(struct cdp_epochs *epochs, uint16_t epoch);

/* A child of that epoch is complete: true if waiting threads may go on by this. */
static inline bool cdp_epochs_child_done(struct cdp_epochs *epochs, uint16_t epoch)
{
    return epoch != epochs->open && cdp_epochs_leave(epochs, epoch);
}

static inline bool cdp_epochs_over(const struct cdp_epochs *epochs, uint16_t epoch)
{
    return (int16_t)(uint16_t)(epoch - epochs->first) < 0;
}

#endif
