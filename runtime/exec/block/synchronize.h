/* A thread waits for what its block has launched. */
#ifndef CDP_EXEC_BLOCK_SYNCHRONIZE_H
#define CDP_EXEC_BLOCK_SYNCHRONIZE_H

#include "base/attr.h"
#include "base/status.h"
#include "exec/state/block.h"

/* Suspends the calling thread until everything its block has launched so far is
 * complete.  CDP_SYNC_DEPTH_EXCEEDED past the engine's limit. */
enum cdp_status cdp_block_synchronize(struct cdp_block *block) CDP_MUST_CHECK;

#endif
