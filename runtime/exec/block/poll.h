/* Blocks that poll: how long each does so before it gives way to others, in which order they get
 * their turns, and what starts meanwhile (poll.c).
 *
 * A thread polls for what another one must do: of its own block, of one that has started and given
 * way too, of one that has not started, or of one that another worker runs. */
#ifndef CDP_EXEC_BLOCK_POLL_H
#define CDP_EXEC_BLOCK_POLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cdp_abi_kernel;
struct cdp_block;
struct cdp_executor;
struct cdp_fiber;

/* A worker's blocks that have given way.  Owner only.
 * A turn goes through all of `now`, from its head; those that poll on come to the head of `later`,
 * which is `now` for the next turn: so turns go up and down, and a chain of blocks, each of which
 * waits for its neighbour, is done in two of them. */
struct cdp_polls {
    struct cdp_block *now, *later;       /* by next */
    const struct cdp_abi_kernel *kernel; /* whose blocks poll for other blocks: one did so with all
                                          * of its threads started; NULL: none seen */
    uint32_t holding;                    /* blocks that start no more threads while they poll */
    uint32_t visits;          /* of blocks that poll, since one of those that hold was released */
    uint32_t waits;           /* visits before anything else is begun */
    uint32_t visits_in_a_row; /* before others may have the processor; const */
    uint64_t began;           /* when that was last done, in ticks */
    bool is_joined;           /* what was begun then polls, too */
    bool is_turn;             /* of a block that polls, rather than of something else */
};

void cdp_polls_init(struct cdp_executor *executor);

static inline bool cdp_polls_any(const struct cdp_polls *polls)
{
    return polls->now != NULL || polls->later != NULL;
}

/* The running fiber's thread polls for something another thread must do: lets the block's other
 * threads run, and when none can, the worker's other work. */
void cdp_poll_yield(struct cdp_executor *executor, struct cdp_fiber *self);
/* The block holds no threads back any more. */
void cdp_poll_release(struct cdp_block *block);
/* The block has got on. */
void cdp_poll_got_on(struct cdp_block *block);

/* With some blocks that poll: whether the next thing to do is to go on with one of them. */
bool cdp_poll_has_turn(struct cdp_executor *executor);
/* Where the next of them is, to be taken from there. */
struct cdp_block **cdp_poll_next(struct cdp_executor *executor);
/* Something else is about to be begun, if there is anything. */
void cdp_poll_begin_other(struct cdp_executor *executor);

#endif
