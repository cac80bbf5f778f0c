/* Memory pools. All pools of a device have their memory from its heap; a pool only marks its
 * allocations with its number. */
#ifndef CDP_API_POOL_H
#define CDP_API_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "driver_types.h"

#include "mem/heap.h"

/* The number of all default pools, in the flags of their allocations; those of cudaMalloc have 0.
 */
enum { CDP_POOL_DEFAULT = 1 };

/* The maxima of a pool's use: since the program reset the attributes of used and of reserved
 * memory, and since it trimmed the pool. */
enum { CDP_POOL_USED, CDP_POOL_RESERVED, CDP_POOL_SINCE_TRIM };

/* Life: that of the device; of a pool that the program makes or imports: until it is destroyed,
 * while no thread uses it. Its allocations may live longer. */
struct cdp_memory_pool {
    uint32_t number; /* const */
    uint64_t handle; /* const; what the program has */
    unsigned device; /* const */
    bool can_export; /* const: made for file descriptors */
    /* const; of an imported pool: owned descriptor of the other process's memory, and its number;
     * else -1 */
    int fd;
    uint64_t file;
    uint32_t imported; /* const; of an imported pool: the pool's number in that process */
    uint64_t most;     /* const; bytes; 0: no limit */
    struct cdp_memory_pool *next; /* of the destroyed ones; guarded by the lock of pool.c */
    struct cdp_heap_use use;      /* guarded by the lock of the device's heap */
    /* stored and returned; the threshold counts for the attributes of reserved memory */
    _Atomic uint64_t release_threshold;
    _Atomic uint32_t reuse[3];
};

void cdp_memory_pool_init(struct cdp_memory_pool *pool, uint32_t number, unsigned device);
/* cudaMallocFromPoolAsync; site: the return address in the program. */
cudaError_t cdp_pool_allocate(void **ptr, size_t size, cudaMemPool_t handle, cudaStream_t stream,
                              const void *site);

#endif
