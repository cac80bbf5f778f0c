/* How much of the process's address space the engine reserves.
 *
 * Address space is usually plentiful, and a reservation costs nothing.  If it is limited (ulimit
 * -v), the engine reserves a share of what is left, because the program needs some, too.  The
 * engine can run with very little.  Then fewer device threads can wait at the same time, and there
 * are fewer workers. */
#ifndef CDP_EXEC_LOOP_ADDRESS_SPACE_H
#define CDP_EXEC_LOOP_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct cdp_engine;

struct cdp_address_space {
    size_t local, shared; /* bytes for stacks of device threads, and for blocks' shared memory */
    size_t worker_stacks; /* bytes for the stacks of all workers' own threads; 0: the usual size */
    size_t most_workers;
};

/* Chooses the shares.  If little is left, it also limits what the C library's allocator
 * reserves. */
struct cdp_address_space cdp_address_space_choose(void);

/* Bytes for the stack of each worker's own thread. 0: the usual size. */
size_t cdp_address_space_stack(const struct cdp_address_space *space, unsigned workers);

/* Reserves local and shared memory in one range, so one compare shows whether a pointer points to
 * either.  If the reservation fails, tries half of both, and so on.  False: no size was
 * possible. */
bool cdp_address_space_reserve(struct cdp_engine *engine,
                               struct cdp_address_space space) CDP_MUST_CHECK;

#endif
