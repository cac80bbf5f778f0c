/* Virtual memory management: reserved addresses, memory without addresses, and mappings.
 *
 * Memory is a file without a name, which several mappings and processes can share. What a program
 * may access is registered with the map of addresses (mem/memmap.h), neighbours as one range, so
 * that copies and fills may go across mappings. */
#include "api/driver/driver.h"

#include "api/runtime.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "mem/heap.h"
#include "mem/memmap.h"
#include "os/os.h"
#include "os/shared.h"

enum {
    MEMORY_TAG = 0x50, /* 'P' */
    GRANULARITY = 2 << 20,
    OF_WINDOWS = CU_MEM_HANDLE_TYPE_WIN32 | CU_MEM_HANDLE_TYPE_WIN32_KMT
};

/* Life: until it is released as often as it was created or retained, and no mapping uses it. */
struct memory {
    size_t size;
    int fd; /* owned */
    CUmemAllocationProp prop;
    CUmemGenericAllocationHandle handle; /* 0: released */
    unsigned owners, mappings;
};

/* A part of a reservation with memory behind it. In the reservation's list, by address. */
struct mapping {
    struct mapping *next;
    char *lo;
    size_t size; /* of its memory */
    struct memory *memory;
    unsigned char access[CDP_MOST_DEVICES]; /* of each device: CUmemAccess_flags */
    bool is_registered;                     /* a registered range starts here */
};

/* Life: from cuMemAddressReserve to cuMemAddressFree. */
struct reservation {
    struct reservation *next;
    char *lo;
    size_t size;
    struct mapping *mappings;
};

static struct {
    struct cdp_lock lock; /* guards all of this file's objects */
    struct cdp_handle_table handles;
    struct reservation *reservations;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_DRIVER), .handles = {.tag = MEMORY_TAG}};

static bool is_granular(uint64_t bytes)
{
    return bytes % GRANULARITY == 0;
}

/* These calls name their device, and need no context. */
static CUresult begin(void)
{
    struct cdp_driver_call call;
    struct cdp_runtime *runtime;
    CUresult result = cdp_driver_begin_any(&call);
    return result != CUDA_SUCCESS ? result : cdp_driver_end(&call, cdp_api_enter_any(&runtime));
}

/* ---- Look-ups, under the lock ---- */

static struct reservation *find_reservation(const char *lo, size_t size)
{
    for (struct reservation *r = all.reservations; r != NULL; r = r->next) {
        if (lo >= r->lo && (size_t)(lo - r->lo) < r->size &&
            size <= r->size - (size_t)(lo - r->lo)) {
            return r;
        }
    }
    return NULL;
}

/* The first mapping that ends above the address. */
static struct mapping **find_slot(struct reservation *reservation, const char *address)
{
    struct mapping **slot = &reservation->mappings;
    while (*slot != NULL && (*slot)->lo + (*slot)->size <= address) {
        slot = &(*slot)->next;
    }
    return slot;
}

static struct mapping *find_mapping(const char *address)
{
    struct reservation *reservation = find_reservation(address, 1);
    struct mapping *found = reservation != NULL ? *find_slot(reservation, address) : NULL;
    return found != NULL && found->lo <= address ? found : NULL;
}

/* Whether whole mappings cover the range without gaps; *first is the first of them. */
static bool is_covered(char *lo, size_t size, struct mapping **first)
{
    struct reservation *reservation = find_reservation(lo, size);
    struct mapping *at = reservation != NULL && size > 0 ? *find_slot(reservation, lo) : NULL;
    *first = at;
    char *end = lo;
    while (at != NULL && at->lo == end && end < lo + size) {
        end += at->size;
        at = at->next;
    }
    return size > 0 && *first != NULL && end == lo + size;
}

/* ---- Memory ---- */

static _Atomic uint64_t *used_on(int device)
{
    return &cdp_runtime_running()->devices[device].mapped;
}

static void free_if_unused(struct memory *memory)
{
    if (memory->owners == 0 && memory->mappings == 0) {
        atomic_fetch_sub(used_on(memory->prop.location.id), memory->size);
        cdp_os_shared_close(memory->fd);
        cdp_free(memory);
    }
}

/* Takes over the descriptor, also after an error. */
static CUresult add_memory(CUmemGenericAllocationHandle *handle, size_t size, int fd,
                           const CUmemAllocationProp *prop)
{
    struct memory *memory = fd >= 0 ? cdp_alloc_zero(sizeof *memory) : NULL;
    if (memory == NULL) {
        if (fd >= 0) {
            cdp_os_shared_close(fd);
        }
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *memory = (struct memory){.size = size, .fd = fd, .prop = *prop, .owners = 1};
    cdp_lock_acquire(&all.lock);
    memory->handle = cdp_handle_create(&all.handles, memory);
    atomic_fetch_add(used_on(prop->location.id), size);
    if (memory->handle == 0) {
        memory->owners = 0;
        free_if_unused(memory);
    } else {
        *handle = memory->handle;
    }
    cdp_lock_release(&all.lock);
    return *handle != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || granularity == NULL || prop == NULL ||
        (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *granularity = GRANULARITY;
    return CUDA_SUCCESS;
}

static bool is_device(const CUmemLocation *location)
{
    return location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id >= 0 &&
           (unsigned)location->id < cdp_runtime_running()->device_count;
}

static bool is_memory_wanted(const CUmemAllocationProp *prop)
{
    return prop->type == CU_MEM_ALLOCATION_TYPE_PINNED && is_device(&prop->location);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *prop, unsigned long long flags)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || handle == NULL || size == 0 || !is_granular(size) ||
        prop == NULL || !is_memory_wanted(prop) || flags != 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    if ((prop->requestedHandleTypes & OF_WINDOWS) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if ((prop->requestedHandleTypes & CU_MEM_HANDLE_TYPE_FABRIC) != 0) {
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    int device = prop->location.id;
    size_t available = cdp_heap_available(&cdp_runtime_running()->devices[device].memory);
    uint64_t used = atomic_load(used_on(device));
    bool fits = used <= available && size <= available - used;
    *handle = 0;
    return fits ? add_memory(handle, size, cdp_os_shared_create(size), prop)
                : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cdp_lock_acquire(&all.lock);
    struct memory *memory = cdp_handle_find(&all.handles, handle);
    if (memory != NULL && --memory->owners == 0) {
        cdp_handle_remove(&all.handles, handle);
        memory->handle = 0;
        free_if_unused(memory);
    }
    cdp_lock_release(&all.lock);
    return memory != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                CUmemGenericAllocationHandle handle)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || prop == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cdp_lock_acquire(&all.lock);
    const struct memory *memory = cdp_handle_find(&all.handles, handle);
    if (memory != NULL) {
        *prop = memory->prop;
    }
    cdp_lock_release(&all.lock);
    return memory != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Mapped memory whose handles were all released gets a new one. */
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || handle == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cdp_lock_acquire(&all.lock);
    struct mapping *mapping = find_mapping(address);
    struct memory *memory = mapping != NULL ? mapping->memory : NULL;
    result = memory != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (memory != NULL && memory->handle == 0) {
        memory->handle = cdp_handle_create(&all.handles, memory);
        result = memory->handle != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result == CUDA_SUCCESS) {
        memory->owners++;
        *handle = memory->handle;
    }
    cdp_lock_release(&all.lock);
    return result;
}

/* One that is no file descriptor. */
static CUresult error_of_type(CUmemAllocationHandleType type)
{
    return type == CU_MEM_HANDLE_TYPE_FABRIC ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || shareable == NULL || flags != 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
        return error_of_type(type);
    }
    cdp_lock_acquire(&all.lock);
    const struct memory *memory = cdp_handle_find(&all.handles, handle);
    bool may = memory != NULL && (memory->prop.requestedHandleTypes & type) != 0;
    int fd = may ? cdp_os_shared_copy(memory->fd) : -1;
    cdp_lock_release(&all.lock);
    if (fd >= 0) {
        *(int *)shareable = fd;
    }
    return !may ? CUDA_ERROR_INVALID_VALUE : fd >= 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* The descriptor stays the program's. */
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *os_handle,
                                        CUmemAllocationHandleType type)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || handle == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
        return error_of_type(type);
    }
    int fd = (int)(intptr_t)os_handle;
    if (fd < 0) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    size_t size = cdp_os_shared_size(fd);
    if (size == 0 || !is_granular(size)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const CUmemAllocationProp prop = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
    };
    *handle = 0;
    return add_memory(handle, size, cdp_os_shared_copy(fd), &prop);
}

/* ---- Addresses ---- */

/* Addresses at a multiple of the alignment: more are reserved, and the rest is given back. */
static char *reserve(size_t size, size_t alignment)
{
    char *lo = size <= SIZE_MAX - alignment ? cdp_os_reserve(size + alignment) : NULL;
    if (lo == NULL) {
        return NULL;
    }
    size_t before = (alignment - (uintptr_t)lo % alignment) % alignment;
    if (before > 0) {
        cdp_os_unmap(lo, before);
    }
    if (before < alignment) {
        cdp_os_unmap(lo + before + size, alignment - before);
    }
    return lo + before;
}

/* The wished address has no effect, which CUDA allows. */
CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr address,
                             unsigned long long flags)
{
    (void)address;
    CUresult result = begin();
    bool is_aligned = (alignment & (alignment - 1)) == 0;
    if (result != CUDA_SUCCESS || ptr == NULL || size == 0 || !is_granular(size) || !is_aligned ||
        flags != 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    struct reservation *reservation = cdp_alloc_zero(sizeof *reservation);
    char *lo = reservation != NULL
                   ? reserve(size, alignment > GRANULARITY ? alignment : GRANULARITY)
                   : NULL;
    if (lo == NULL) {
        cdp_free(reservation);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    reservation->lo = lo;
    reservation->size = size;
    cdp_lock_acquire(&all.lock);
    reservation->next = all.reservations;
    all.reservations = reservation;
    cdp_lock_release(&all.lock);
    *ptr = (uintptr_t)lo;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cdp_lock_acquire(&all.lock);
    struct reservation **slot = &all.reservations;
    while (*slot != NULL && (*slot)->lo != cdp_address_of(ptr)) {
        slot = &(*slot)->next;
    }
    struct reservation *found = *slot;
    bool may = found != NULL && found->size == size && found->mappings == NULL;
    if (may) {
        *slot = found->next;
    }
    cdp_lock_release(&all.lock);
    if (!may) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    cdp_os_unmap(found->lo, found->size);
    cdp_free(found);
    return CUDA_SUCCESS;
}

/* ---- Mappings ---- */

static void unregister_all(struct reservation *reservation)
{
    for (struct mapping *at = reservation->mappings; at != NULL; at = at->next) {
        if (at->is_registered) {
            cdp_memmap_remove_mapped(at->lo);
            at->is_registered = false;
        }
    }
}

/* What any device may do: there is one address space, so all may do it. */
static CUmemAccess_flags access_of(const struct mapping *mapping)
{
    unsigned access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    for (size_t i = 0; i < CDP_MOST_DEVICES; i++) {
        access |= mapping->access[i];
    }
    return (CUmemAccess_flags)access;
}

static bool are_alike(const struct mapping *a, const struct mapping *b)
{
    return access_of(a) == access_of(b) &&
           a->memory->prop.location.id == b->memory->prop.location.id;
}

/* The size of the longest run of neighbours from the mapping on with the same access and device; 0
 * if there is no access. */
static size_t run_from(const struct mapping *first)
{
    size_t size = 0;
    for (const struct mapping *at = first;
         at != NULL && are_alike(at, first) && at->lo == first->lo + size; at = at->next) {
        size += at->size;
    }
    return access_of(first) != CU_MEM_ACCESS_FLAGS_PROT_NONE ? size : 0;
}

/* Each such run is one range. */
static bool register_all(struct reservation *reservation)
{
    bool good = true;
    const char *end = NULL;
    for (struct mapping *at = reservation->mappings; at != NULL; at = at->next) {
        size_t size = at->lo >= end ? run_from(at) : 0;
        if (size > 0) {
            bool is_read_only = access_of(at) == CU_MEM_ACCESS_FLAGS_PROT_READ;
            unsigned device = (unsigned)at->memory->prop.location.id;
            at->is_registered =
                cdp_memmap_add_mapped(device, at->lo, size,
                                      is_read_only ? CDP_MEMMAP_READ_ONLY : 0) == CDP_OK;
            good &= at->is_registered;
            end = at->lo + size;
        }
    }
    return good;
}

static CUresult map(struct reservation *reservation, char *lo, struct memory *memory)
{
    struct mapping **slot = find_slot(reservation, lo);
    if (*slot != NULL && (*slot)->lo < lo + memory->size) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct mapping *mapping = cdp_alloc_zero(sizeof *mapping);
    if (mapping == NULL || !cdp_os_shared_map(lo, memory->size, memory->fd)) {
        cdp_free(mapping);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *mapping = (struct mapping){.next = *slot, .lo = lo, .size = memory->size, .memory = memory};
    *slot = mapping;
    memory->mappings++;
    return CUDA_SUCCESS;
}

/* An H100 answers CUDA_ERROR_NOT_SUPPORTED if the size is not that of the memory. */
CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || size == 0 || !is_granular(size) || !is_granular(ptr) ||
        offset != 0 || flags != 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cdp_lock_acquire(&all.lock);
    struct memory *memory = cdp_handle_find(&all.handles, handle);
    struct reservation *reservation = find_reservation(cdp_address_of(ptr), size);
    if (memory == NULL || reservation == NULL) {
        result = CUDA_ERROR_INVALID_VALUE;
    } else if (size != memory->size) {
        result = CUDA_ERROR_NOT_SUPPORTED;
    } else {
        result = map(reservation, cdp_address_of(ptr), memory);
    }
    cdp_lock_release(&all.lock);
    return result;
}

static void unmap_first(struct mapping **slot)
{
    struct mapping *mapping = *slot;
    *slot = mapping->next;
    (void)cdp_os_shared_unmap(mapping->lo, mapping->size);
    mapping->memory->mappings--;
    free_if_unused(mapping->memory);
    cdp_free(mapping);
}

/* Only whole mappings. */
CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS) {
        return result;
    }
    char *lo = cdp_address_of(ptr);
    struct mapping *first;
    cdp_lock_acquire(&all.lock);
    bool good = is_covered(lo, size, &first);
    if (good) {
        struct reservation *reservation = find_reservation(lo, size);
        unregister_all(reservation);
        struct mapping **slot = find_slot(reservation, lo);
        while (*slot != NULL && (*slot)->lo < lo + size) {
            unmap_first(slot);
        }
        (void)register_all(reservation); /* these were registered before */
    }
    cdp_lock_release(&all.lock);
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool is_access(const CUmemAccessDesc *access)
{
    bool exists = access->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
                  access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                  access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return exists && is_device(&access->location);
}

static CUresult allow(char *lo, size_t size, const CUmemAccessDesc *access)
{
    struct mapping *at;
    if (!is_covered(lo, size, &at)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct reservation *reservation = find_reservation(lo, size);
    unregister_all(reservation);
    bool good = true;
    for (; at != NULL && at->lo < lo + size; at = at->next) {
        at->access[access->location.id] = (unsigned char)access->flags;
        CUmemAccess_flags all_may = access_of(at);
        good &= cdp_os_shared_allow(at->lo, at->size, all_may != CU_MEM_ACCESS_FLAGS_PROT_NONE,
                                    all_may == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    }
    return register_all(reservation) && good ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *access, size_t count)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || access == NULL || count == 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_access(&access[i])) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    cdp_lock_acquire(&all.lock);
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        result = allow(cdp_address_of(ptr), size, &access[i]);
    }
    cdp_lock_release(&all.lock);
    return result;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr)
{
    CUresult result = begin();
    if (result != CUDA_SUCCESS || flags == NULL || location == NULL || !is_device(location)) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cdp_lock_acquire(&all.lock);
    const struct mapping *mapping = find_mapping(cdp_address_of(ptr));
    if (mapping != NULL) {
        *flags = mapping->access[location->id];
    }
    cdp_lock_release(&all.lock);
    return mapping != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
