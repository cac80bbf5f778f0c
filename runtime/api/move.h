/* Moves a user's bytes at once; all workers help with large transfers. */
#ifndef CDP_API_MOVE_H
#define CDP_API_MOVE_H

#include <stdbool.h>

#include "exec/loop/engine.h"
#include "mem/copy.h"

/* A copy or a fill, and how to do it. */
struct cdp_transfer {
    bool is_set;
    uint8_t device; /* whose fault it is if the memory was freed after the call */
    union {
        struct cdp_copy copy;
        struct cdp_set set;
    };
    const void
        *call_site; /* of a copy: where the program calls it; NULL: the source is not checked */
};

/* False: it accessed memory that does not exist, at *address; a part of the transfer may have been
 * done. */
bool cdp_move(struct cdp_engine *engine, const struct cdp_transfer *transfer,
              const void **address) CDP_MUST_CHECK;

/* With the race check: the transfer reads and writes the memory now. */
void cdp_move_note_copy(const struct cdp_copy *copy);
void cdp_move_note_set(const struct cdp_set *set);

#endif
