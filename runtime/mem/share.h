/* Parts of a heap that other processes can map: for handles of interprocess communication.
 *
 * A heap is memory of this process alone, which is the fastest kind. When an allocation is first
 * shared, its pages move into a file without a name, and stay at their addresses. The pages at its
 * two ends may also have parts of other allocations. A page is in the file at most once, so if both
 * of two neighbours are shared, they have the page in common: then it is a run of its own. When the
 * last allocation of a run is freed, its addresses get memory of this process again. The memory in
 * the file stays as long as another process maps it.
 *
 * The file begins with a table of the shared allocations, whose first entry has a magic number.
 * Another process learns from it where an allocation is, and whether it was freed. */
#ifndef CDP_MEM_SHARE_H
#define CDP_MEM_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/status.h"

struct cdp_heap;
struct cdp_heap_block;

/* The name of a shared allocation, for processes of this machine. */
struct cdp_share_name {
    uint32_t magic;   /* CDP_SHARE_MAGIC */
    uint32_t process; /* the owner */
    int32_t fd;       /* the owner's descriptor of the file */
    uint32_t device;  /* of the owner */
    uint64_t file;    /* cdp_os_shared_number */
    uint64_t serial;  /* of the entry in the file's table */
    uint64_t size;    /* bytes of the allocation */
    uint32_t slot;    /* of the entry */
    uint32_t front;   /* bytes before the allocation in its first page */
    uint32_t pool;    /* the caller's; only stored */
};
#define CDP_SHARE_MAGIC 0x50444d43u /* 'CMDP' */

/* The pages of an allocation: at most the first, those between, and the last. */
enum { CDP_SHARE_MOST_RUNS = 3 };

/* An entry of the file's table. The owner writes it, and other processes read it. serial is 0 while
 * the entry is free; it is written last, and cleared first. */
struct cdp_share_slot {
    _Atomic uint64_t serial;
    uint64_t run_count;
    struct {
        uint64_t offset, bytes;
    } runs[CDP_SHARE_MOST_RUNS];
};
/* The bytes of the table; pages follow. */
#define CDP_SHARE_TABLE ((size_t)1 << 20)
#define CDP_SHARE_TABLE_SERIAL UINT64_C(0x31656c6261543143) /* of the first entry */
enum { CDP_SHARE_SLOTS = CDP_SHARE_TABLE / sizeof(struct cdp_share_slot) };

/* Names the live allocation that contains the address, and shares it if it was not. No work that is
 * pending may use it; but threads that write it meanwhile only wait (cdp_share_waited).
 * CDP_INVALID_VALUE: no such allocation. */
enum cdp_status cdp_share(struct cdp_heap *heap, const void *address,
                          struct cdp_share_name *out) CDP_MUST_CHECK;
/* Another descriptor of the heap's file, with a mark of its own (cdp_os_shared_set_mark); -1: no
 * memory. */
int cdp_share_descriptor(struct cdp_heap *heap, uint32_t mark) CDP_MUST_CHECK;

/* For the heap, with its lock: the block is freed; all blocks are freed, and the heap may end. */
void cdp_share_freed(struct cdp_heap *heap, struct cdp_heap_block *block);
void cdp_share_ended(struct cdp_heap *heap);

/* For the handler of faults: true if the fault may be one of a write to pages that move. Then they
 * do not any more, and the instruction must run again. */
bool cdp_share_waited(void);

#endif
