/* The one global: everything the host API stands on, started by the first call that
 * needs it. */
#ifndef CDP_API_RUNTIME_H
#define CDP_API_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "driver_types.h"

#include "api/register.h"
#include "base/options.h"
#include "base/status.h"
#include "exec/engine.h"
#include "mem/heap.h"
#include "stream/stream.h"
#include "texture/table.h"

#define CDP_DEVICE_HEAP_DEFAULT ((size_t)8 << 20)
#define CDP_PRINTF_FIFO_DEFAULT ((size_t)8650752)

/* Life: the registry is usable before main, the rest after the first start; nothing
 * is taken down before the process ends, since other threads may still be calling. */
struct cdp_runtime {
    struct cdp_registry registry;
    /* From here on const or thread-safe once started. */
    struct cdp_options options;
    struct cdp_engine *engine;   /* owned */
    struct cdp_streams *streams; /* owned */
    struct cdp_heap device;      /* cudaMalloc and its kin */
    struct cdp_texture_table textures;
    struct cdp_heap device_heap; /* malloc in kernels */
    _Atomic uint32_t cache_config, shared_config, device_flags;
    _Atomic uint64_t l2_fetch_granularity, persisting_l2;
    _Atomic uint64_t pool_release_threshold; /* told back, no more */
    _Atomic uint32_t pool_reuse[3];
    /* cudaError_t that the host's next call which waits returns, once: device code sets it, that
     * call clears it. */
    _Atomic uint32_t deferred_error;
};

/* The runtime once started; NULL before. */
struct cdp_runtime *cdp_runtime_running(void);
/* Begins to count allocations for CDP_FAIL_ALLOC: before the first there is.  Later
 * calls do nothing. */
void cdp_runtime_count_allocations(void);
/* The registry, started or not. */
struct cdp_registry *cdp_runtime_registry(void);

/* What nearly every host call begins with: starts the runtime; refuses calls from
 * stream callbacks; reports a sticky fault.  On success *runtime is set. */
cudaError_t cdp_api_enter(struct cdp_runtime **runtime) CDP_MUST_CHECK;
/* As above, but goes on after a fault: for calls that must reach a sick device, and for
 * those that only tell what is known anyway. */
cudaError_t cdp_api_enter_any(struct cdp_runtime **runtime) CDP_MUST_CHECK;
/* What a synchronizing call ends with: writes device output, reports a fault, else status, else
 * an error that device code left for the host. */
cudaError_t cdp_api_synchronized(struct cdp_runtime *runtime, enum cdp_status status);
/* The same for a call that waits first and then does its own work: only a fault keeps it from
 * that. */
cudaError_t cdp_api_waited(struct cdp_runtime *runtime);

#endif
