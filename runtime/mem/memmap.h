/* Classifies pointers. There is one map for the process, because there is one address space.
 *
 * It has three kinds of entries. The two heaps of each device know their own allocations. Fixed
 * ranges (shared slabs, fiber stacks) are few, are never removed, and are found without a lock.
 * Registered ranges (host memory, device variables) are in a tree under a lock. */
#ifndef CDP_MEM_MEMMAP_H
#define CDP_MEM_MEMMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/status.h"
#include "mem/heap.h"
#include "mem/space.h"

/* The result of a query. For CDP_SPACE_HOST all other fields are zero. size is 0 if an address is
 * in a heap's range but in no live allocation of it. */
struct cdp_memory {
    enum cdp_space space;
    char *base;       /* of the allocation, variable or range */
    size_t size;      /* bytes from base */
    uint32_t kind;    /* enum cdp_memory_kind if space is CDP_SPACE_DEVICE */
    uint32_t flags;   /* as given at allocation or registration */
    uint32_t device;  /* of its heap or registration; 0 for all other memory */
    const char *name; /* of a variable, mangled; borrowed; else NULL */
};

/* Whether it is an allocation or a variable that is managed. Other device variables are not. */
static inline bool cdp_memory_is_managed(const struct cdp_memory *memory)
{
    return memory->kind == CDP_MEMORY_MANAGED &&
           (memory->space == CDP_SPACE_DEVICE || memory->space == CDP_SPACE_VARIABLE);
}

/* Borrows both heaps of the device, which is the next one in order, until called again with NULL,
 * NULL. */
void cdp_memmap_set_heaps(unsigned device, struct cdp_heap *memory, struct cdp_heap *device_heap);

/* Registers [lo, hi) for ever. CDP_NO_MEMORY if the table is full (it is for arenas, not for single
 * blocks). */
enum cdp_status cdp_memmap_add_range(enum cdp_space space, void *lo, void *hi) CDP_MUST_CHECK;

/* A device variable. */
struct cdp_memmap_variable {
    void *address;
    size_t size;
    const char *name; /* borrowed for ever */
    bool is_constant, is_managed;
};
/* Registers a variable. The result for a known variable is CDP_OK. */
enum cdp_status cdp_memmap_add_variable(const struct cdp_memmap_variable *variable) CDP_MUST_CHECK;

/* A flag of registered memory: the parameters of launches by device code. Each launch has its own,
 * so no two threads share them. */
#define CDP_MEMMAP_PARAMETERS (1u << 31)

/* Host memory, registered while that device was current: CDP_ALREADY_REGISTERED if any byte of it
 * is registered already; CDP_NOT_REGISTERED if lo is not the start of a registration. */
enum cdp_status cdp_memmap_register_host(unsigned device, void *lo, size_t size,
                                         uint32_t flags) CDP_MUST_CHECK;
enum cdp_status cdp_memmap_unregister_host(void *lo) CDP_MUST_CHECK;
/* A flag of registered memory, cudaHostRegisterReadOnly: copies may not write it. */
#define CDP_MEMMAP_HOST_READ_ONLY 0x08u
/* A flag of device memory outside of the heaps: nothing may write it. */
#define CDP_MEMMAP_READ_ONLY (1u << 30)

/* Another one: it is an allocation of another process (mem/import.h). */
#define CDP_MEMMAP_FOREIGN (1u << 29)

/* Device memory outside of the heaps: of that device. cuMemMap has mapped it, or an import.
 * CDP_ALREADY_REGISTERED if any byte of it is known. Removing takes the start of what was added. */
enum cdp_status cdp_memmap_add_mapped(unsigned device, void *lo, size_t size,
                                      uint32_t flags) CDP_MUST_CHECK;
void cdp_memmap_remove_mapped(void *lo);
/* Forgets all host registrations of the device. */
void cdp_memmap_reset(unsigned device);

/* Only the space: cheap, without a lock for heaps, slabs and stacks. */
enum cdp_space cdp_memmap_space(const void *address);
void cdp_memmap_find(const void *address, struct cdp_memory *out);
/* The last variable or registered memory that starts at or below address. It need not contain
 * address. False if there is none. */
bool cdp_memmap_find_below(const void *address, struct cdp_memory *out);
/* The heap whose range contains address, or NULL; CDP_SPACE_DEVICE or CDP_SPACE_HEAP. */
struct cdp_heap *cdp_memmap_heap(const void *address, enum cdp_space *space);
/* The device whose memory or device heap contains address; CDP_MOST_DEVICES: none. */
unsigned cdp_memmap_device(const void *address);

#endif
