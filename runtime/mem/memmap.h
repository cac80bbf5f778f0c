/* What is this pointer?  One map for the process, as there is one address space.
 *
 * Three kinds of entries: the two heaps, which know their own allocations; fixed
 * ranges (shared slabs, fiber stacks), few and never removed, found without a lock;
 * and registered ranges (host memory, device variables), in a tree under a lock. */
#ifndef CDP_MEM_MEMMAP_H
#define CDP_MEM_MEMMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/status.h"
#include "mem/heap.h"
#include "mem/space.h"

/* The answer.  For CDP_SPACE_HOST all else is zero; size is 0 where an address is in
 * a heap's range but in no live allocation of it. */
struct cdp_memory {
    enum cdp_space space;
    char *base;       /* of the allocation, variable or range */
    size_t size;      /* bytes from base */
    uint32_t kind;    /* enum cdp_memory_kind if space is CDP_SPACE_DEVICE */
    uint32_t flags;   /* as given at allocation or registration */
    const char *name; /* of a variable, mangled; borrowed; else NULL */
};

/* Borrows both heaps until called again with NULL, NULL. */
void cdp_memmap_set_heaps(struct cdp_heap *device, struct cdp_heap *device_heap);

/* Registers [lo, hi) for ever.  CDP_NO_MEMORY when the table is full (it is made for
 * arenas, not for single blocks). */
enum cdp_status cdp_memmap_add_range(enum cdp_space space, void *lo, void *hi) CDP_MUST_CHECK;

/* A device variable. */
struct cdp_memmap_variable {
    void *address;
    size_t size;
    const char *name; /* borrowed for ever */
    bool is_constant, is_managed;
};
/* Registers a variable.  One that is known already is CDP_OK. */
enum cdp_status cdp_memmap_add_variable(const struct cdp_memmap_variable *variable) CDP_MUST_CHECK;

/* Host memory: CDP_ALREADY_REGISTERED if any byte of it is; CDP_NOT_REGISTERED if
 * lo is not the start of a registration. */
enum cdp_status cdp_memmap_register_host(void *lo, size_t size, uint32_t flags) CDP_MUST_CHECK;
enum cdp_status cdp_memmap_unregister_host(void *lo) CDP_MUST_CHECK;
/* Forgets all host registrations. */
void cdp_memmap_reset(void);

/* The space alone: cheap, no lock for heaps, slabs and stacks. */
enum cdp_space cdp_memmap_space(const void *address);
void cdp_memmap_find(const void *address, struct cdp_memory *out);
/* The last variable or registered memory that begins at or below address, which need not
 * lie in it; false if there is none. */
bool cdp_memmap_find_below(const void *address, struct cdp_memory *out);
/* The heap whose range address lies in, or NULL; CDP_SPACE_DEVICE or CDP_SPACE_HEAP. */
struct cdp_heap *cdp_memmap_heap(const void *address, enum cdp_space *space);

#endif
