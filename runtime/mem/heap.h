/* One of the device's memories: an allocator over one reserved address range. There are two of
 * them: the device memory (cudaMalloc and the like) and the device heap (malloc in kernels).
 *
 * All bookkeeping is stored elsewhere. User code that overruns a buffer damages data, never the
 * allocator, and a fault inside device code cannot leave the allocator in an inconsistent state. In
 * builds with AddressSanitizer everything except live allocations is poisoned, with a gap after
 * each allocation. */
#ifndef CDP_MEM_HEAP_H
#define CDP_MEM_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/lock.h"
#include "base/status.h"
#include "mem/tree.h"

struct cdp_heap_block; /* heap_block.h */
struct cdp_share;      /* share.c */

/* A heap of a checked program fills fresh memory with bytes that are no number as a float, and
 * freed memory with others: of each block at most the first CDP_HEAP_MOST_FILLED. */
#define CDP_HEAP_FRESH_BYTE 0xFF
#define CDP_HEAP_MOST_FILLED ((size_t)256 << 20)

/* What a heap does for the checks of memory and of initialization; zero: nothing. */
struct cdp_heap_checks {
    size_t gap;  /* at least this many bytes without an owner follow each allocation; const */
    size_t most; /* bytes of freed blocks that are not used again yet; const */
    size_t most_filled; /* bytes of a fresh or freed block that get a pattern; const */
    /* Freed blocks, the oldest first, linked by their nodes. */
    struct cdp_heap_block *first, *last;
    size_t bytes; /* of these blocks */
};

/* Counts of live blocks. */
struct cdp_heap_count {
    size_t live, large; /* number of all, and of large ones */
    /* Bytes of memory of the device, and of arrays. Borrowed for the heap's life; NULL: not
     * counted. Other processes read it at any time. */
    _Atomic uint64_t *device_bytes;
};

/* Thread-safe. Blocks, free and live, cover all after the front and are linked in address order.
 * Two neighbours are never both free. Live blocks are in the tree by address, free ones in the tree
 * by size. */
struct cdp_heap {
    char *lo;        /* const after init; owned reservation */
    size_t reserved; /* const after init */
    size_t most;     /* const after init; upper bound of the limit */
    size_t granule;  /* const after init; a power of two; least alignment */
    struct cdp_lock lock;
    size_t limit CDP_GUARDED_BY(&lock);  /* most bytes of live blocks, <= most */
    size_t opened CDP_GUARDED_BY(&lock); /* bytes from lo that were ever accessible */
    size_t used CDP_GUARDED_BY(&lock);   /* bytes of live blocks */
    struct cdp_heap_count count CDP_GUARDED_BY(&lock);
    struct cdp_tree live CDP_GUARDED_BY(&lock);
    struct cdp_tree free CDP_GUARDED_BY(&lock);
    struct cdp_heap_block *last CDP_GUARDED_BY(&lock);  /* highest address */
    struct cdp_heap_block *spare CDP_GUARDED_BY(&lock); /* unused descriptors */
    void *slabs CDP_GUARDED_BY(&lock);                  /* owned memory of descriptors */
    /* The latest allocations that were freed, as a ring. NULL until the first free, and if there is
     * no memory for it. */
    struct cdp_heap_freed *freed CDP_GUARDED_BY(&lock); /* owned */
    uint64_t freed_count CDP_GUARDED_BY(&lock);
    uint64_t serial CDP_GUARDED_BY(&lock); /* of the latest allocation or free */
    struct cdp_heap_checks checks CDP_GUARDED_BY(&lock);
    /* What other processes can map; NULL until then. */
    struct cdp_share *share CDP_GUARDED_BY(&lock); /* owned */
};

/* The bytes, as requested, of some allocations that the caller wants counted together.
 * Owner: the caller, as long as such allocations live.  Guarded by the heap's lock. */
struct cdp_heap_use {
    uint64_t now;
    uint64_t most[3]; /* since the caller reset each of them */
};

struct cdp_heap_request {
    size_t size;              /* bytes, > 0 */
    size_t alignment;         /* a power of two; 0 = the granule */
    uint32_t kind;            /* the caller's; only stored */
    uint32_t flags;           /* the caller's; only stored */
    const void *site;         /* return address of the user's call; may be NULL */
    struct cdp_heap_use *use; /* that includes the allocation; NULL: none */
};

/* The known facts about one live allocation. */
struct cdp_heap_info {
    char *base;
    size_t size; /* as requested */
    uint32_t kind, flags;
    const void *site;
    uint64_t serial; /* grows with each allocation and free */
    bool mark;       /* see cdp_heap_set_mark */
};

#define CDP_HEAP_RESET ((const void *)1)

/* The same for an allocation that was freed. */
struct cdp_heap_freed {
    char *base;
    size_t size;
    uint32_t kind;
    const void *site;       /* where it was allocated, */
    const void *freed_site; /* and freed; CDP_HEAP_RESET: with all others */
    uint64_t serial;        /* of the free */
};

/* Reserves the range, at least 64 MiB. It is smaller than requested if address space is limited.
 * granule is a power of two. */
enum cdp_status cdp_heap_init(struct cdp_heap *heap, size_t bytes, size_t limit,
                              size_t granule) CDP_MUST_CHECK;
void cdp_heap_finish(struct cdp_heap *heap);
/* From now on: gaps after allocations, freed blocks that are kept for a while, and patterns in
 * fresh and freed memory. Before the first allocation. */
void cdp_heap_enable_checks(struct cdp_heap *heap);
/* Only the patterns. Before the first allocation. */
void cdp_heap_enable_fill(struct cdp_heap *heap);
/* Counts the bytes of cudaMalloc and the like there. Before the first allocation. */
void cdp_heap_count_in(struct cdp_heap *heap, _Atomic uint64_t *device_bytes);
/* Grows whenever memory of some heap is freed, or host memory is no longer registered. */
extern _Atomic uint64_t cdp_heap_generation;

enum cdp_status cdp_heap_alloc(struct cdp_heap *heap, const struct cdp_heap_request *request,
                               void **out) CDP_MUST_CHECK;
/* memory must be the start of a live allocation. Otherwise the result is CDP_INVALID_VALUE, and
 * nothing happens. site as for the allocation. */
enum cdp_status cdp_heap_free(struct cdp_heap *heap, void *memory, const void *site) CDP_MUST_CHECK;
struct cdp_heap_use cdp_heap_read_use(struct cdp_heap *heap, const struct cdp_heap_use *use);
/* Lowers most[which] to what is used now, or to at_least if that is more. */
void cdp_heap_reset_use(struct cdp_heap *heap, struct cdp_heap_use *use, int which,
                        uint64_t at_least);
/* The allocations are not counted any more. */
void cdp_heap_end_use(struct cdp_heap *heap, const struct cdp_heap_use *use);
/* Finds the live allocation that contains address (its end is outside). */
bool cdp_heap_find(struct cdp_heap *heap, const void *address, struct cdp_heap_info *out);
/* Stores a mark of the caller's with the live allocation that contains address; without it, an
 * allocation has none. False: there is none. */
bool cdp_heap_set_mark(struct cdp_heap *heap, const void *address, bool mark);
/* Finds the live allocation nearest to address, which lies in none. */
bool cdp_heap_find_nearest(struct cdp_heap *heap, const void *address, struct cdp_heap_info *out);
/* Finds the first live allocation that starts at or above address. */
bool cdp_heap_find_from(struct cdp_heap *heap, const void *address, struct cdp_heap_info *out);
/* Among the latest thousand freed allocations, finds the last freed one that contained address. */
bool cdp_heap_find_freed(struct cdp_heap *heap, const void *address, struct cdp_heap_freed *out);
/* Inside the reserved range, allocated or not.  Takes no lock. */
static inline bool cdp_heap_contains(const struct cdp_heap *heap, const void *address)
{
    return (uintptr_t)address - (uintptr_t)heap->lo < heap->reserved;
}

/* Whether the invariants hold (base/valid.h): looks at every block. */
bool cdp_heap_is_valid(const struct cdp_heap *heap) CDP_NEEDS(&heap->lock);

/* The limit can always grow, up to heap->most. It can shrink only while nothing is allocated: else
 * CDP_NOT_PERMITTED. CDP_INVALID_VALUE if it is greater than heap->most. */
enum cdp_status cdp_heap_set_limit(struct cdp_heap *heap, size_t limit) CDP_MUST_CHECK;
size_t cdp_heap_limit(struct cdp_heap *heap);
/* Bytes not in use. */
size_t cdp_heap_available(struct cdp_heap *heap);
/* Frees everything and returns the memory to the system: an access faults. */
void cdp_heap_reset(struct cdp_heap *heap);

#endif
