/* Submission queues: their threads, and their launch records. */
#include "exec/launch/submission_queue.h"

#include <string.h>

#include "base/alloc.h"
#include "exec/launch/chain.h"
#include "exec/launch/record.h"
#include "exec/report/profile.h"
#include "exec/report/space.h"
#include "exec/state/cluster.h"
#include "exec/state/engine.h"
#include "exec/state/grid.h"

/* The calling thread's queue, and the number of its engine.  Numbers of engines are never
 * reused. */
static __thread struct {
    struct cdp_submission_queue *queue;
    uint32_t engine;
} here;

static void end_thread(void *value)
{
    struct cdp_submission_queue *queue = value;
    here.engine = 0;
    cdp_lock_acquire(&queue->engine->host.lock);
    queue->taken = false;
    cdp_lock_release(&queue->engine->host.lock);
}

bool cdp_submission_queues_init(struct cdp_engine *engine)
{
    static _Atomic uint32_t engines;
    engine->host.number = atomic_fetch_add(&engines, 1) + 1;
    return !cdp_alloc_fails() && pthread_key_create(&engine->host.key, end_thread) == 0;
}

void cdp_submission_queues_finish(struct cdp_engine *engine)
{
    pthread_key_delete(engine->host.key);
    cdp_lock_acquire(&engine->host.lock);
    struct cdp_submission_queue *queue = atomic_exchange(&engine->host.queues, NULL);
    while (queue != NULL) {
        struct cdp_submission_queue *next = queue->next;
        cdp_free(queue);
        queue = next;
    }
    cdp_lock_release(&engine->host.lock);
}

static struct cdp_submission_queue *find_free(struct cdp_engine *engine)
    CDP_NEEDS(&engine->host.lock)
{
    struct cdp_submission_queue *queue = atomic_load(&engine->host.queues);
    while (queue != NULL && queue->taken) {
        queue = queue->next;
    }
    return queue;
}

static struct cdp_submission_queue *take_queue(struct cdp_engine *engine)
{
    cdp_lock_acquire(&engine->host.lock);
    struct cdp_submission_queue *queue = find_free(engine);
    if (queue == NULL) {
        queue = cdp_alloc_aligned(CDP_CACHE_LINE, sizeof *queue);
        if (queue != NULL) {
            queue->engine = engine;
            queue->grids.run = engine->operations->run_grid;
            bool has_trailer = engine->modes.races || cdp_profile_is_on;
            queue->grids.trailer = has_trailer ? CDP_CACHE_LINE : 0;
            queue->next = atomic_load(&engine->host.queues);
            atomic_store(&engine->host.queues, queue);
        }
    }
    if (queue != NULL) {
        queue->taken = true;
        queue->chain = NULL;
    }
    cdp_lock_release(&engine->host.lock);
    return queue;
}

static CDP_NOINLINE struct cdp_submission_queue *bind_queue(struct cdp_engine *engine)
{
    struct cdp_submission_queue *queue = take_queue(engine);
    if (queue != NULL && (cdp_alloc_fails() || pthread_setspecific(engine->host.key, queue) != 0)) {
        cdp_lock_acquire(&engine->host.lock);
        queue->taken = false;
        cdp_lock_release(&engine->host.lock);
        return NULL;
    }
    here.queue = queue;
    here.engine = queue != NULL ? engine->host.number : 0;
    return queue;
}

struct cdp_submission_queue *cdp_engine_own_submission_queue(const struct cdp_engine *engine)
{
    return here.engine == engine->host.number ? here.queue : NULL;
}

struct cdp_submission_queue *cdp_engine_submission_queue(struct cdp_engine *engine)
{
    struct cdp_submission_queue *queue = cdp_engine_own_submission_queue(engine);
    return CDP_LIKELY(queue != NULL) ? queue : bind_queue(engine);
}

/* Takes the returned records if the queue has no free records of that size. */
static CDP_NOINLINE void fetch_returned(struct cdp_submission_queue *queue, size_t param_size)
{
    unsigned class = cdp_grid_class_of(param_size);
    if (class < CDP_GRID_CLASSES && queue->grids.free[class] == NULL) {
        /* Acquire pairs with the release in send_home: all earlier uses of the records. */
        queue->grids.free[class] =
            atomic_exchange_explicit(&queue->returned[class], NULL, memory_order_acquire);
    }
}

static struct cdp_grid *take(struct cdp_submission_queue *queue, size_t param_size)
{
    if (CDP_UNLIKELY(queue->grids.free[0] == NULL || param_size > CDP_GRID_SMALLEST_PARAMS)) {
        fetch_returned(queue, param_size);
    }
    struct cdp_grid *grid = cdp_grid_source_take(&queue->grids, param_size);
    const char *next = (const char *)queue->grids.free[0];
    if (next != NULL) {
        __builtin_prefetch(next, 1); /* it may be in a worker's cache */
        __builtin_prefetch(next + CDP_CACHE_LINE, 1);
    }
    return grid;
}

void cdp_submission_drop(struct cdp_submission_queue *queue, struct cdp_grid *grid)
{
    cdp_grid_source_give(&queue->grids, grid);
}

static void fill_params(struct cdp_grid *grid, const struct cdp_launch *launch)
{
    const struct cdp_abi_kernel *kernel = launch->kernel;
    char *params = cdp_grid_params(grid);
    if (launch->params != NULL) {
        memcpy(params, launch->params, kernel->param_size);
        return;
    }
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const struct cdp_abi_param *param = &kernel->params[i];
        memcpy(params + param->offset, launch->args[i], param->size);
    }
}

static void check_params(struct cdp_engine *engine, struct cdp_grid *grid)
{
    void *params = cdp_grid_params(grid);
    if (CDP_UNLIKELY(cdp_space_hands_on(grid->kernel, params, engine->ranges.own))) {
        struct cdp_handover handover = {.engine = engine,
                                        .device = cdp_grid_device(grid),
                                        .kernel = grid->kernel,
                                        .params = params,
                                        .site = grid->site};
        cdp_space_report_launch(&handover, engine->ranges.own);
    }
}

/* The conditions of exec/block/plain.h, except that of the order. */
static bool is_plain(const struct cdp_engine *engine, const struct cdp_launch *launch)
{
    return engine->modes.plain && launch->grid_dim[0] == 1 && launch->grid_dim[1] == 1 &&
           launch->grid_dim[2] == 1 && launch->block_dim[1] == 1 && launch->block_dim[2] == 1 &&
           launch->dynamic_shared == 0 && (launch->kernel->flags & CDP_KERNEL_WARP_OPS) == 0 &&
           (launch->kernel->shared_extent | cdp_engine_shared_segments(engine)) == 0;
}

/* Initializes where the blocks meet, and the environment.  False without memory. */
static bool set_extras(struct cdp_grid *grid, const struct cdp_launch *launch)
{
    if (launch->environment != NULL) {
        grid->epoch |= CDP_GRID_IN_GRAPH;
        *cdp_grid_environment_at(grid) = launch->environment;
    }
    struct cdp_grid_barrier *barrier = cdp_grid_barrier(grid);
    memset(barrier, 0, sizeof *barrier);
    if (launch->is_cooperative) {
        grid->epoch |= CDP_GRID_COOPERATIVE;
    }
    if (launch->cluster_dim[0] != 0) {
        return cdp_grid_set_clusters(grid, launch->grid_dim, launch->cluster_dim);
    }
    return true;
}

struct cdp_grid *cdp_submission_prepare(struct cdp_submission_queue *queue,
                                        const struct cdp_launch *launch)
{
    bool meets = launch->is_cooperative || launch->cluster_dim[0] != 0;
    bool has_extras = meets || launch->environment != NULL;
    size_t size = has_extras ? cdp_grid_barrier_at(launch->kernel) +
                                   sizeof(struct cdp_grid_barrier) + sizeof launch->environment
                             : launch->kernel->param_size;
    struct cdp_grid *grid = take(queue, size);
    if (grid == NULL) {
        return NULL;
    }
    fill_params(grid, launch);
    grid->kernel = launch->kernel;
    grid->kind = CDP_GRID_HOST;
    grid->device = launch->device;
    grid->plain = is_plain(queue->engine, launch) && !meets;
    if (CDP_UNLIKELY(has_extras) && !set_extras(grid, launch)) {
        cdp_grid_source_give(&queue->grids, grid);
        return NULL;
    }
    grid->queue = queue;
    grid->shape.dynamic_shared = launch->dynamic_shared;
    grid->site = launch->site;
    cdp_grid_set_shape(grid, launch->grid_dim, launch->block_dim);
    check_params(queue->engine, grid);
    if (CDP_UNLIKELY(cdp_profile_is_on)) {
        cdp_profile_launched(grid, NULL);
    }
    return grid;
}
