/* Moving a user's bytes: at once, with all workers where there are many. */
#ifndef CDP_API_MOVE_H
#define CDP_API_MOVE_H

#include <stdbool.h>

#include "exec/loop/engine.h"
#include "mem/copy.h"

/* A copy or a fill, and how to do it. */
struct cdp_transfer {
    bool is_set;
    union {
        struct cdp_copy copy;
        struct cdp_set set;
    };
};

/* False: it met memory that is not there, at *address; the rest may have been done. */
bool cdp_move(struct cdp_engine *engine, const struct cdp_transfer *transfer,
              const void **address) CDP_MUST_CHECK;

#endif
