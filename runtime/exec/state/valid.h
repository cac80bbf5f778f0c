/* Checks of the invariants of this folder's structs, for debug builds (base/valid.h) and tests.
 * Only the owner may call them. */
#ifndef CDP_EXEC_STATE_VALID_H
#define CDP_EXEC_STATE_VALID_H

#include <stdbool.h>

#include "base/valid.h"

struct cdp_block;
struct cdp_executor;
struct cdp_grid;

/* A launch record from before it is published until it is complete. */
bool cdp_grid_is_valid(const struct cdp_grid *grid);

/* A resident block, while none of its threads runs or is about to change it. */
bool cdp_block_is_valid(const struct cdp_block *block);

/* An executor, in its loop. */
bool cdp_executor_is_valid(const struct cdp_executor *executor);

#endif
