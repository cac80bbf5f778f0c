/* What the host may set of an engine, and what it may ask of its faults. */
#ifndef CDP_EXEC_STATE_LIMITS_H
#define CDP_EXEC_STATE_LIMITS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Device limits the engine enforces.  Any host thread may set them, also while other threads'
 * kernels run, which then see the old or the new value. */
struct cdp_engine_limits {
    _Atomic uint32_t sync_depth;       /* deepest level + 1 that may synchronize; default 2 */
    _Atomic uint32_t pending_launches; /* 2048; enforced only with CDP_LAUNCH_POOL=fixed */
    _Atomic size_t printf_fifo;        /* bytes */
    _Atomic size_t stack_size;         /* as the program sees it; 1024 */
};

/* A sticky fault of device code. */
struct cdp_fault {
    enum cdp_status status; /* CDP_OK: none */
    char text[512];         /* one line: what, kernel, block, thread */
};

#endif
