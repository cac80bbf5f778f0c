/* Slabs for blocks' shared memory. All workers use one address range, so one comparison tests
 * whether an address is in shared memory. Each worker caches its slabs, and uses the last used one
 * first, so that consecutive blocks reuse cached lines. */
#ifndef CDP_MEM_SHARED_SLAB_H
#define CDP_MEM_SHARED_SLAB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

enum { CDP_SLAB_CLASSES = 13 }; /* 1 KiB to 4 MiB, powers of two */

/* The range, shared by all workers; the memory is the engine's. */
struct cdp_slab_range {
    char *low, *high;     /* const after init */
    size_t chunk;         /* bytes that a worker takes at a time; const */
    _Atomic(char *) next; /* workers take chunks */
};

/* One worker's slabs; only the owner accesses them. */
struct cdp_slab_cache {
    struct cdp_slab_range *range;
    void *free[CDP_SLAB_CLASSES]; /* linked through their first word */
    char *next, *end;             /* uncut part of the last chunk */
};

/* Slabs from bytes of reserved memory at low, for the given number of workers. */
void cdp_slab_range_init(struct cdp_slab_range *range, void *low, size_t bytes, unsigned takers);

/* At least size bytes, aligned to at least CDP_ABI_SHARED_ALIGN; contents undefined. NULL if the
 * range is used up or size is above the largest class. */
char *cdp_slab_take(struct cdp_slab_cache *cache, size_t size) CDP_MUST_CHECK;
/* Bytes after size that also belong to the slab: a red zone. */
size_t cdp_slab_slack(size_t size);
/* size as for cdp_slab_take. */
void cdp_slab_give(struct cdp_slab_cache *cache, char *slab, size_t size);

#endif
