/* The bounds of the object that contains an address.
 *
 * Each OS thread keeps the last objects. An entry is valid as long as nothing was freed since: the
 * heaps count that (cdp_heap_generation), and no access of a device to another one ended. Addresses
 * in no object are not kept, because an allocation may take them.
 *
 * Local memory is that of the calling thread's frames: checked functions list the variables to
 * which other functions may have pointers (struct cdp_abi_frame). What lies below the frame of the
 * function that asks belongs to functions that have returned. */
#include "check/memory.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "abi/cdp_abi.h"
#include "check/image.h"
#include "exec/state/cluster.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "mem/memmap.h"
#include "os/os.h"

enum { ENTRIES = 8 };

static __thread struct {
    uint64_t generation;
    unsigned device; /* of the grid that asked */
    unsigned next;   /* entry that is replaced next */
    struct cdp_abi_bounds entries[ENTRIES];
} cache;

/* Everything: the accesses are not checked. */
static const struct cdp_abi_bounds unknown = {0, UINT64_MAX - 1};

static uint64_t generation(void)
{
    /* Relaxed: a free that is not ordered before the access is a race of the program. */
    return atomic_load_explicit(&cdp_heap_generation, memory_order_relaxed);
}

static unsigned own_device(void)
{
    return cdp_grid_device(cdp_block_of(cdp_abi_self)->grid);
}

/* Memory of another device is not accessible, unless it is managed or pinned. */
bool cdp_bounds_is_foreign(const struct cdp_memory *memory)
{
    bool is_private = memory->space == CDP_SPACE_HEAP ||
                      (memory->space == CDP_SPACE_DEVICE && memory->kind == CDP_MEMORY_DEVICE);
    const struct cdp_engine *engine = cdp_block_of(cdp_abi_self)->executor->engine;
    return is_private && !cdp_engine_may_access(engine, own_device(), memory->device);
}

static void remember(struct cdp_abi_bounds bounds, uint64_t now)
{
    unsigned device = own_device();
    if (cache.generation != now || cache.device != device) {
        for (unsigned i = 0; i < ENTRIES; i++) {
            cache.entries[i].size = 0;
        }
        cache.generation = now;
        cache.device = device;
    }
    cache.entries[cache.next] = bounds;
    cache.next = (cache.next + 1) % ENTRIES;
}

/* Memory that is not the device's. Device code may access the parameters of its launch, constants,
 * and variables that the runtime does not know. */
static struct cdp_abi_bounds host_bounds(const void *base)
{
    struct cdp_grid *grid = cdp_block_of(cdp_abi_self)->grid;
    uintptr_t params = (uintptr_t)cdp_grid_params(grid);
    if ((uintptr_t)base - params < grid->kernel->param_size) {
        return (struct cdp_abi_bounds){params, grid->kernel->param_size};
    }
    bool may_access = cdp_image_contains(base) && !cdp_image_is_of_host(base);
    return may_access ? unknown : (struct cdp_abi_bounds){(uintptr_t)base, 0};
}

bool cdp_bounds_is_read_only(const struct cdp_memory *memory)
{
    return memory->space == CDP_SPACE_REGISTERED &&
           (memory->flags & CDP_MEMMAP_HOST_READ_ONLY) != 0;
}

static struct cdp_abi_bounds look_up(const void *base)
{
    struct cdp_memory memory;
    uint64_t now = generation();
    if ((uintptr_t)base < cdp_os_page()) {
        return (struct cdp_abi_bounds){(uintptr_t)base, 0};
    }
    cdp_memmap_find(base, &memory);
    if (memory.space == CDP_SPACE_HOST) {
        return host_bounds(base);
    }
    struct cdp_abi_bounds bounds = {(uintptr_t)memory.base, memory.size};
    /* Of read-only memory each access is judged by itself. */
    if (memory.size == 0 || cdp_bounds_is_foreign(&memory) || cdp_bounds_is_read_only(&memory)) {
        return (struct cdp_abi_bounds){(uintptr_t)base, 0};
    }
    remember(bounds, now);
    return bounds;
}

struct cdp_bounds_local cdp_bounds_local(uintptr_t address, uintptr_t stack)
{
    if (address < stack) {
        return (struct cdp_bounds_local){.kind = CDP_LOCAL_DEAD};
    }
    for (const struct cdp_abi_frame *f = cdp_abi_self->frame; f != NULL; f = f->outer) {
        for (uint64_t i = 0; i < f->count; i++) {
            uint64_t size = f->variables[i].size, offset = address - (uintptr_t)f->address[i];
            if (f->address[i] != NULL && offset < size + CDP_FRAME_GAP) {
                return (struct cdp_bounds_local){.kind = offset < size ? CDP_LOCAL_VARIABLE
                                                                       : CDP_LOCAL_GAP,
                                                 .name = f->variables[i].name,
                                                 .variable = {(uintptr_t)f->address[i], size}};
            }
        }
    }
    return (struct cdp_bounds_local){.kind = CDP_LOCAL_OTHER};
}

bool cdp_bounds_is_local(uintptr_t address)
{
    return address - cdp_abi_self->local_low < cdp_abi_self->local_size;
}

static struct cdp_abi_bounds local_bounds(uintptr_t base, uintptr_t stack)
{
    struct cdp_bounds_local local = cdp_bounds_local(base, stack);
    switch (local.kind) {
    case CDP_LOCAL_VARIABLE:
        return local.variable;
    case CDP_LOCAL_GAP:
    case CDP_LOCAL_DEAD:
        return (struct cdp_abi_bounds){base, 0};
    case CDP_LOCAL_OTHER:
        break;
    }
    return (struct cdp_abi_bounds){cdp_abi_self->local_low, cdp_abi_self->local_size};
}

/* Shared memory of another block of the cluster, which must be running. */
static struct cdp_abi_bounds sibling_bounds(uintptr_t base)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    const struct cdp_cluster *cluster = block->slab.cluster;
    uint32_t rank = cdp_cluster_rank_at(cluster, (const void *)base);
    if (atomic_load_explicit(&cluster->members[rank].state, memory_order_relaxed) !=
        CDP_MEMBER_RUNS) {
        return (struct cdp_abi_bounds){base, 0};
    }
    uintptr_t low = (uintptr_t)cluster->slab + rank * cluster->stride;
    return (struct cdp_abi_bounds){low, block->view.shared_size};
}

/* Private memory is in one range. That of other threads and blocks is the task of the check of
 * spaces. */
static struct cdp_abi_bounds private_bounds(uintptr_t base, uintptr_t stack)
{
    const struct cdp_abi_block *block = cdp_abi_self->block;
    if (cdp_bounds_is_local(base)) {
        return local_bounds(base, stack);
    }
    if (base - (uintptr_t)block->shared < block->shared_size) {
        return (struct cdp_abi_bounds){(uintptr_t)block->shared, block->shared_size};
    }
    if (cdp_cluster_is_of_sibling(cdp_block_of(cdp_abi_self), (const void *)base)) {
        return sibling_bounds(base);
    }
    return unknown;
}

struct cdp_abi_bounds cdp_bounds_find(const void *base, uintptr_t stack)
{
    const struct cdp_abi_thread *self = cdp_abi_self;
    if ((uintptr_t)base - self->private_low < self->private_size) {
        return private_bounds((uintptr_t)base, stack);
    }
    if (cache.generation == generation() && cache.device == own_device()) {
        for (unsigned i = 0; i < ENTRIES; i++) {
            if ((uintptr_t)base - cache.entries[i].low < cache.entries[i].size) {
                return cache.entries[i];
            }
        }
    }
    return look_up(base);
}

struct cdp_abi_bounds cdp_abi_bounds(const void *base)
{
    return cdp_bounds_find(base, (uintptr_t)__builtin_frame_address(0));
}
