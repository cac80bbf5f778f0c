/* The process's map of addresses. It is the only global object below api/, because exec, fibers and
 * the host API all describe the same address space. */
#include "mem/memmap.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "base/options.h"
#include "mem/tree.h"

#define MOST_RANGES 256

struct range {
    uintptr_t lo, size;
    enum cdp_space space;
};

/* Host memory or a variable.  Owned by the tree. */
struct registration {
    struct cdp_tree_node node; /* must be first; key: address */
    size_t size;
    enum cdp_space space;
    uint32_t kind, flags, device;
    const char *name;
};

static struct {
    struct {
        _Atomic(struct cdp_heap *) memory, device_heap;
    } devices[CDP_MOST_DEVICES]; /* the first device_count are used */
    atomic_uint device_count;
    struct range ranges[MOST_RANGES]; /* const below range_count */
    atomic_uint range_count;          /* grows under the lock, read without the lock */
    struct cdp_lock lock;
    struct cdp_tree registrations CDP_GUARDED_BY(&lock);
    atomic_size_t registration_count; /* 0 = no need for the lock */
    /* All registrations that ever were are in [lowest, highest): most other addresses are found
     * without the lock. Written under it. */
    _Atomic uintptr_t lowest, highest;
} map = {.lock = CDP_LOCK_INITIAL(CDP_RANK_MEMMAP)};

void cdp_memmap_set_heaps(unsigned device, struct cdp_heap *memory, struct cdp_heap *device_heap)
{
    atomic_store(&map.devices[device].memory, memory);
    atomic_store(&map.devices[device].device_heap, device_heap);
    atomic_store(&map.device_count, memory != NULL ? device + 1 : device);
}

enum cdp_status cdp_memmap_add_range(enum cdp_space space, void *lo, void *hi)
{
    enum cdp_status status = CDP_NO_MEMORY;
    cdp_lock_acquire(&map.lock);
    unsigned count = atomic_load(&map.range_count);
    if (count < MOST_RANGES) {
        map.ranges[count] = (struct range){
            .lo = (uintptr_t)lo, .size = (uintptr_t)hi - (uintptr_t)lo, .space = space};
        /* Release pairs with the acquire in find_range: a reader that sees the count also sees the
         * range. */
        atomic_store_explicit(&map.range_count, count + 1, memory_order_release);
        status = CDP_OK;
    }
    cdp_lock_release(&map.lock);
    return status;
}

static const struct range *find_range(const void *address)
{
    unsigned count = atomic_load_explicit(&map.range_count, memory_order_acquire);
    for (unsigned i = 0; i < count; i++) {
        if ((uintptr_t)address - map.ranges[i].lo < map.ranges[i].size) {
            return &map.ranges[i];
        }
    }
    return NULL;
}

static struct registration *registration_of(struct cdp_tree_node *node)
{
    return (struct registration *)(void *)node;
}

static struct registration *find_registration(const void *address) CDP_NEEDS(&map.lock)
{
    struct cdp_tree_node *node = cdp_tree_floor(&map.registrations, (uintptr_t)address, 0);
    if (node == NULL || (uintptr_t)address - node->major >= registration_of(node)->size) {
        return NULL;
    }
    return registration_of(node);
}

static bool is_known(const void *lo, size_t size) CDP_NEEDS(&map.lock)
{
    const struct cdp_tree_node *next = cdp_tree_ceiling(&map.registrations, (uintptr_t)lo, 0);
    return find_registration(lo) != NULL || (next != NULL && next->major - (uintptr_t)lo < size);
}

static void widen(uintptr_t lo, uintptr_t hi) CDP_NEEDS(&map.lock)
{
    if (atomic_load(&map.highest) == 0 || lo < atomic_load(&map.lowest)) {
        atomic_store(&map.lowest, lo);
    }
    if (hi > atomic_load(&map.highest)) {
        atomic_store(&map.highest, hi);
    }
}

static enum cdp_status add(const struct registration *what)
{
    struct registration *entry = cdp_alloc(sizeof *entry);
    if (entry == NULL) {
        return CDP_NO_MEMORY;
    }
    *entry = *what;
    cdp_lock_acquire(&map.lock);
    bool known = is_known((const void *)(uintptr_t)what->node.major, what->size);
    if (!known) {
        cdp_tree_insert(&map.registrations, &entry->node);
        atomic_fetch_add(&map.registration_count, 1);
        widen(what->node.major, what->node.major + what->size);
    }
    cdp_lock_release(&map.lock);
    if (known) {
        cdp_free(entry);
        return CDP_ALREADY_REGISTERED;
    }
    return CDP_OK;
}

enum cdp_status cdp_memmap_add_variable(const struct cdp_memmap_variable *variable)
{
    struct registration entry = {
        .node = {.major = (uintptr_t)variable->address},
        .size = variable->size == 0 ? 1 : variable->size,
        .space = variable->is_constant ? CDP_SPACE_CONSTANT : CDP_SPACE_VARIABLE,
        .kind = variable->is_managed ? CDP_MEMORY_MANAGED : CDP_MEMORY_DEVICE,
        .name = variable->name};
    enum cdp_status status = add(&entry);
    return status == CDP_ALREADY_REGISTERED ? CDP_OK : status;
}

enum cdp_status cdp_memmap_register_host(unsigned device, void *lo, size_t size, uint32_t flags)
{
    struct registration entry = {.node = {.major = (uintptr_t)lo},
                                 .size = size,
                                 .space = CDP_SPACE_REGISTERED,
                                 .kind = CDP_MEMORY_PINNED,
                                 .flags = flags,
                                 .device = device};
    return add(&entry);
}

static void drop(struct registration *entry) CDP_NEEDS(&map.lock)
{
    atomic_fetch_add(&cdp_heap_generation, 1);
    cdp_tree_remove(&map.registrations, &entry->node);
    atomic_fetch_sub(&map.registration_count, 1);
    cdp_free(entry);
}

enum cdp_status cdp_memmap_unregister_host(void *lo)
{
    enum cdp_status status = CDP_NOT_REGISTERED;
    cdp_lock_acquire(&map.lock);
    struct registration *entry = find_registration(lo);
    if (entry != NULL && entry->space == CDP_SPACE_REGISTERED &&
        entry->node.major == (uintptr_t)lo) {
        drop(entry);
        status = CDP_OK;
    }
    cdp_lock_release(&map.lock);
    return status;
}

enum cdp_status cdp_memmap_add_mapped(unsigned device, void *lo, size_t size, uint32_t flags)
{
    struct registration entry = {.node = {.major = (uintptr_t)lo},
                                 .size = size,
                                 .space = CDP_SPACE_DEVICE,
                                 .kind = CDP_MEMORY_DEVICE,
                                 .flags = flags,
                                 .device = device};
    return add(&entry);
}

void cdp_memmap_remove_mapped(void *lo)
{
    cdp_lock_acquire(&map.lock);
    struct registration *entry = find_registration(lo);
    if (entry != NULL && entry->space == CDP_SPACE_DEVICE && entry->node.major == (uintptr_t)lo) {
        drop(entry);
    }
    cdp_lock_release(&map.lock);
}

void cdp_memmap_reset(unsigned device)
{
    cdp_lock_acquire(&map.lock);
    struct cdp_tree_node *node = cdp_tree_ceiling(&map.registrations, 0, 0);
    while (node != NULL) {
        uint64_t key = node->major;
        struct registration *entry = registration_of(node);
        if (entry->space == CDP_SPACE_REGISTERED && entry->device == device) {
            drop(entry);
        }
        node = cdp_tree_ceiling(&map.registrations, key + 1, 0);
    }
    cdp_lock_release(&map.lock);
}

static struct cdp_heap *find_heap(const void *address, enum cdp_space *space, unsigned *device)
{
    unsigned count = atomic_load(&map.device_count);
    for (*device = 0; *device < count; ++*device) {
        struct cdp_heap *heap = atomic_load(&map.devices[*device].memory);
        *space = CDP_SPACE_DEVICE;
        if (heap != NULL && cdp_heap_contains(heap, address)) {
            return heap;
        }
        heap = atomic_load(&map.devices[*device].device_heap);
        *space = CDP_SPACE_HEAP;
        if (heap != NULL && cdp_heap_contains(heap, address)) {
            return heap;
        }
    }
    return NULL;
}

struct cdp_heap *cdp_memmap_heap(const void *address, enum cdp_space *space)
{
    unsigned device;
    return find_heap(address, space, &device);
}

unsigned cdp_memmap_device(const void *address)
{
    unsigned device;
    enum cdp_space space;
    return find_heap(address, &space, &device) != NULL ? device : CDP_MOST_DEVICES;
}

enum cdp_space cdp_memmap_space(const void *address)
{
    enum cdp_space space;
    if (cdp_memmap_heap(address, &space) != NULL) {
        return space;
    }
    const struct range *range = find_range(address);
    if (range != NULL) {
        return range->space;
    }
    if (atomic_load(&map.registration_count) == 0 ||
        (uintptr_t)address < atomic_load(&map.lowest) ||
        (uintptr_t)address >= atomic_load(&map.highest)) {
        return CDP_SPACE_HOST;
    }
    cdp_lock_acquire(&map.lock);
    const struct registration *entry = find_registration(address);
    space = entry != NULL ? entry->space : CDP_SPACE_HOST;
    cdp_lock_release(&map.lock);
    return space;
}

static bool find_in_heap(const void *address, struct cdp_memory *out)
{
    enum cdp_space space;
    unsigned device;
    struct cdp_heap *heap = find_heap(address, &space, &device);
    if (heap == NULL) {
        return false;
    }
    struct cdp_heap_info info = {0};
    (void)cdp_heap_find(heap, address, &info);
    *out = (struct cdp_memory){.space = space,
                               .base = info.base,
                               .size = info.size,
                               .kind = info.kind,
                               .flags = info.flags,
                               .device = device};
    return true;
}

static struct cdp_memory memory_of(const struct registration *entry)
{
    return (struct cdp_memory){.space = entry->space,
                               .base = (char *)(uintptr_t)entry->node.major,
                               .size = entry->size,
                               .kind = entry->kind,
                               .flags = entry->flags,
                               .device = entry->device,
                               .name = entry->name};
}

void cdp_memmap_find(const void *address, struct cdp_memory *out)
{
    if (find_in_heap(address, out)) {
        return;
    }
    *out = (struct cdp_memory){.space = CDP_SPACE_HOST};
    const struct range *range = find_range(address);
    if (range != NULL) {
        *out = (struct cdp_memory){
            .space = range->space, .base = (char *)range->lo, .size = range->size};
        return;
    }
    cdp_lock_acquire(&map.lock);
    const struct registration *entry = find_registration(address);
    if (entry != NULL) {
        *out = memory_of(entry);
    }
    cdp_lock_release(&map.lock);
}

bool cdp_memmap_find_below(const void *address, struct cdp_memory *out)
{
    cdp_lock_acquire(&map.lock);
    struct cdp_tree_node *node = cdp_tree_floor(&map.registrations, (uintptr_t)address, 0);
    if (node != NULL) {
        *out = memory_of(registration_of(node));
    }
    cdp_lock_release(&map.lock);
    return node != NULL;
}
