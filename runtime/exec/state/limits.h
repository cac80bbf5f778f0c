/* The limits of a device that the host may set, and the fault that the host may read. */
#ifndef CDP_EXEC_STATE_LIMITS_H
#define CDP_EXEC_STATE_LIMITS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Limits of one device that the engine enforces.  Any host thread may set them at any time. Kernels
 * that run meanwhile see the old or the new value. */
struct cdp_engine_limits {
    _Atomic uint32_t sync_depth;       /* nesting levels that may synchronize; default 2 */
    _Atomic uint32_t pending_launches; /* default 2048; enforced only with CDP_LAUNCH_POOL=fixed */
    _Atomic size_t printf_fifo;        /* bytes */
    _Atomic size_t stack_size;         /* the value that the program sees; default 1024 */
};

/* A sticky fault of device code. */
struct cdp_fault {
    enum cdp_status status; /* CDP_OK: none */
    char text[512];         /* one line: error, kernel, block, thread */
};

#endif
