/* How much of the process's address space the engine takes.
 *
 * Address space is plentiful as a rule, and what is reserved costs nothing.  Where it is limited
 * (ulimit -v), the engine takes a share of what is left, as the program needs some, too; it can do
 * with very little: then fewer device threads can wait at a time, and there are fewer workers. */
#ifndef CDP_EXEC_LOOP_ADDRESS_SPACE_H
#define CDP_EXEC_LOOP_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct cdp_engine;

struct cdp_address_space {
    size_t local, shared; /* bytes for stacks of device threads, and for blocks' shared memory */
    size_t worker_stacks; /* bytes, of all workers' own threads; 0: as much as is usual */
    size_t most_workers;
};

/* As little of the C library's allocator comes with it as can be. */
struct cdp_address_space cdp_address_space_choose(void);

/* Bytes for the own stack of each of so many workers' threads; 0: as is usual. */
size_t cdp_address_space_stack(const struct cdp_address_space *space, unsigned workers);

/* Reserves local and shared memory side by side, so that whether a pointer leads to either is one
 * compare; half of both where that is not to be had, and so on.  False: nothing will do. */
bool cdp_address_space_reserve(struct cdp_engine *engine,
                               struct cdp_address_space space) CDP_MUST_CHECK;

#endif
