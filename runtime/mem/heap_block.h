/* The blocks of a heap: for heap.c, and for the check of its invariants. */
#ifndef CDP_MEM_HEAP_BLOCK_H
#define CDP_MEM_HEAP_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/heap.h"
#include "mem/tree.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CDP_HEAP_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CDP_HEAP_ASAN 1
#endif
#ifdef CDP_HEAP_ASAN
#include <sanitizer/asan_interface.h>
#define cdp_heap_poison(address, bytes) ASAN_POISON_MEMORY_REGION(address, bytes)
#define cdp_heap_unpoison(address, bytes) ASAN_UNPOISON_MEMORY_REGION(address, bytes)
/* Each allocation is followed by at least this many poisoned bytes. */
#define CDP_HEAP_RED_ZONE 32
#else
#define cdp_heap_poison(address, bytes) ((void)(address), (void)(bytes))
#define cdp_heap_unpoison(address, bytes) ((void)(address), (void)(bytes))
#define CDP_HEAP_RED_ZONE 0
#endif

/* Accessible bytes before the first block, which belong to none. Programs read a little before an
 * array and ignore the value, as a stencil does at its border. Before all other blocks this finds
 * the memory of a block; before the first one it would find whatever the system mapped there, or
 * fault. */
#define CDP_HEAP_FRONT ((size_t)2 << 20)

/* From this size on blocks are large. */
#define CDP_HEAP_LARGE ((size_t)64 << 10)

/* The value of requested for freed blocks that are kept for a while. */
#define CDP_HEAP_KEPT SIZE_MAX

/* A piece of the range.  Exactly one of: live (in heap.live, key address), free
 * (in heap.free, key size and address), kept after its free (in heap.checks, through node.right),
 * spare (in heap.spare through next). */
struct cdp_heap_block {
    struct cdp_tree_node node; /* must be first */
    struct cdp_heap_block *previous, *next;
    char *lo;
    size_t size;      /* with padding; a multiple of the granule */
    size_t requested; /* 0 = free */
    uint32_t kind, flags;
    const void *site;
    uint64_t serial;
    struct cdp_heap_use *use; /* that includes the block while it is live; NULL: none */
    char *open_to;            /* from lo to here the memory is accessible; after it, perhaps not */
    bool is_shared;           /* other processes can map its pages (share.h) */
    bool mark;                /* the caller's, of a live block */
};

/* The bytes of an allocation that count for the limit: its size with padding, without the gap of
 * checked programs. */
size_t cdp_heap_charge(const struct cdp_heap *heap, size_t requested);

#endif
