/* The share of the memory that pending launches may take, and the report when it is used up. */
#include "exec/launch/launch_memory.h"

#include <inttypes.h>
#include <stdio.h>

#include "exec/report/fault.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "os/code.h"
#include "os/os.h"

/* The default limit is memory / USUAL_SHARE. Device memory, the program and the system need the
 * rest. */
enum { USUAL_SHARE = 4 };

/* The minimum for each worker: a chunk of records, and the same size for blocks.  So the records
 * and blocks that one worker keeps are never the whole limit. */
#define LEAST_OF_WORKER ((uint64_t)2 << 20)

void cdp_launch_memory_init(struct cdp_launch_memory *memory, const struct cdp_options *options,
                            unsigned workers)
{
    memory->limit = options->launch_memory_mb != 0 ? (uint64_t)options->launch_memory_mb << 20
                                                   : cdp_os_memory_limit() / USUAL_SHARE;
    if (memory->limit < workers * LEAST_OF_WORKER) {
        memory->limit = workers * LEAST_OF_WORKER;
    }
    atomic_init(&memory->used, 0);
    atomic_init(&memory->was_exceeded, false);
    cdp_spares_init(&memory->spares);
}

void cdp_launch_memory_finish(struct cdp_launch_memory *memory)
{
    cdp_spares_finish(&memory->spares);
}

static bool add(struct cdp_launch_memory *memory, size_t bytes)
{
    /* Relaxed: the sum publishes no other data. */
    uint64_t before = atomic_fetch_add_explicit(&memory->used, bytes, memory_order_relaxed);
    if (CDP_LIKELY(before + bytes <= memory->limit)) {
        return true;
    }
    atomic_fetch_sub_explicit(&memory->used, bytes, memory_order_relaxed);
    return false;
}

/* Frees unused blocks, so that records of a size that earlier launches did not use can be
 * allocated.  Blocks take most of the memory of launches, and can be freed one by one. */
static bool free_spare_blocks(struct cdp_launch_memory *memory)
{
    struct cdp_block *list = cdp_spares_take(&memory->spares, CDP_SPARE_BLOCKS);
    size_t bytes = memory->operations->free_blocks(list);
    atomic_fetch_sub_explicit(&memory->used, bytes, memory_order_relaxed);
    return bytes != 0;
}

bool cdp_launch_memory_take(struct cdp_launch_memory *memory, size_t bytes)
{
    do {
        if (CDP_LIKELY(add(memory, bytes))) {
            return true;
        }
    } while (free_spare_blocks(memory));
    atomic_store_explicit(&memory->was_exceeded, true, memory_order_relaxed);
    return false;
}

/* The number of device launches that led to the grid. */
static uint64_t depth_of(const struct cdp_grid *grid)
{
    uint64_t depth = 0;
    while (grid->kind != CDP_GRID_HOST) {
        grid = grid->kind == CDP_GRID_TAIL ? grid->owner : grid->parent->grid;
        depth++;
    }
    return depth;
}

void cdp_launch_memory_fault(struct cdp_grid *grid, struct cdp_executor *executor, const char *what)
{
    struct cdp_engine *engine = executor->engine;
    char name[256];
    cdp_os_demangle(grid->kernel->name, name, sizeof name);
    if (!atomic_load_explicit(&engine->launch_memory.was_exceeded, memory_order_relaxed)) {
        cdp_fault_set(engine, cdp_grid_device(grid), CDP_NO_MEMORY, "no memory for %s of kernel %s",
                      what, name);
        return;
    }
    uint64_t depth = depth_of(grid);
    cdp_fault_set(engine, cdp_grid_device(grid), CDP_NO_MEMORY,
                  "no memory for %s of kernel %s, nested %" PRIu64 " launches deep: launches that "
                  "are not complete take %" PRIu64 " MiB, all they may (CDP_LAUNCH_MEMORY).%s",
                  what, name, depth, engine->launch_memory.limit >> 20,
                  depth > 1000 ? " Does its recursion end?" : "");
}
