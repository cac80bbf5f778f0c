/* Slabs for blocks' shared memory: one address range for all workers, so
 * that "is this shared memory" is one compare; each worker caches what it took, last
 * used first, so that consecutive blocks reuse hot lines. */
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

/* One worker's slabs: owner only. */
struct cdp_slab_cache {
    struct cdp_slab_range *range;
    void *free[CDP_SLAB_CLASSES]; /* linked through their first word */
    char *next, *end;             /* uncut part of the last chunk */
};

/* Slabs from bytes of reserved memory at low, for so many workers. */
void cdp_slab_range_init(struct cdp_slab_range *range, void *low, size_t bytes, unsigned takers);

/* At least size bytes, aligned to 128 at least; contents undefined.  NULL when the
 * range is used up or size is over the largest class. */
char *cdp_slab_take(struct cdp_slab_cache *cache, size_t size) CDP_MUST_CHECK;
/* Bytes past size that belong to the slab too: a red zone. */
size_t cdp_slab_slack(size_t size);
/* size as when taken. */
void cdp_slab_give(struct cdp_slab_cache *cache, char *slab, size_t size);

#endif
