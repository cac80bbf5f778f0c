/* The devices as the host has them: one struct for each, and the current one of each host thread.
 */
#ifndef CDP_API_DEVICES_H
#define CDP_API_DEVICES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/pool.h"
#include "base/options.h"
#include "base/status.h"
#include "mem/heap.h"

struct cdp_profile;
struct cdp_runtime;

/* Life: from the start of the runtime to the end of the process. All fields may be used by any
 * thread. */
struct cdp_device {
    unsigned number;                   /* const */
    unsigned machine;                  /* const; its number in the machine, as NVML counts */
    const struct cdp_profile *profile; /* const */
    struct cdp_heap memory;            /* cudaMalloc and the like */
    struct cdp_heap device_heap;       /* malloc in kernels */
    _Atomic uint32_t cache_config, flags;
    _Atomic uint64_t l2_fetch_granularity, persisting_l2;
    struct cdp_memory_pool pool;                   /* the default one */
    _Atomic(struct cdp_memory_pool *) pool_in_use; /* that of cudaMallocAsync; borrowed */
    _Atomic uint64_t mapped;                       /* bytes of cuMemCreate's memory */
    _Atomic uint32_t pending_frees;                /* cudaFreeAsync calls whose work is not done */
    /* A cudaError_t that the host's next call that waits for the device returns, once. Device code
     * sets it, that call clears it. */
    _Atomic uint32_t deferred_error;
};

/* The number of the calling thread's current device. */
extern __thread unsigned cdp_device_number;

/* Reserves the memory of all devices. */
enum cdp_status cdp_devices_start(struct cdp_runtime *runtime) CDP_MUST_CHECK;
/* Whether there is a device of that number. */
bool cdp_device_exists(const struct cdp_runtime *runtime, int number);
/* The device of that number in the machine; device_count: not visible. */
unsigned cdp_device_of_machine(const struct cdp_runtime *runtime, unsigned machine);
/* The device whose memory or device heap contains the address; NULL: none. */
struct cdp_device *cdp_device_of(struct cdp_runtime *runtime, const void *address);
/* Kernels may access less memory than before: for the check of memory, which keeps what it finds.
 */
void cdp_device_access_ended(void);
/* Waits for all work that may use the memory of the device: its own, and that of its peers. */
void cdp_device_wait_for_users(struct cdp_runtime *runtime, const struct cdp_device *device);

#endif
