/* An engine for tests, with launches and device-side calls in one line each.  Kernels
 * are plain C functions; params is an array of PARAMS longs. */
#ifndef CDP_TESTS_ENGINE_H
#define CDP_TESTS_ENGINE_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "exec/launch/chain.h"
#include "exec/loop/engine.h"
#include "exec/state/entry.h"
#include "exec/block/plain.h"
#include "exec/block/synchronize.h"
#include "exec/launch/scope.h"
#include "support/suite.h"

enum { PARAMS = 8 };

static struct cdp_engine *engine;
static struct cdp_options engine_options;
static atomic_int engine_pending;

#define KERNEL(function)                                                                           \
    {.abi_version = CDP_ABI_VERSION,                                                               \
     .name = #function,                                                                            \
     .thread_entry = function,                                                                     \
     .param_size = PARAMS * sizeof(long),                                                          \
     .flags = CDP_KERNEL_WARP_OPS}

/* One worker follows the seed's schedule. Several workers only shuffle, and run at the same
 * time. */
static void engine_start(unsigned workers, unsigned seed)
{
    cdp_options_read(&engine_options);
    engine_options.workers = workers;
    engine_options.seed = seed;
    engine_options.schedule = workers > 1;
    ck_assert_int_eq(cdp_engine_start(&engine_options, &engine), CDP_OK);
    cdp_engine_limits(engine, 0)->sync_depth = 64;
}

static inline bool engine_is_idle(void *arg)
{
    (void)arg;
    return atomic_load(&engine_pending) == 0;
}

static inline void engine_completed(struct cdp_chain *chain)
{
    free(chain);
    atomic_fetch_sub(&engine_pending, 1);
}

/* A chain of one launch. */
static inline void launch_order(const struct cdp_launch *order)
{
    struct cdp_chain *chain = malloc(sizeof *chain);
    struct cdp_grid *grid = cdp_submission_prepare(cdp_engine_submission_queue(engine), order);
    ck_assert(chain != NULL && grid != NULL);
    chain->on_complete = engine_completed;
    cdp_chain_begin(chain, grid);
    atomic_fetch_add(&engine_pending, 1);
    cdp_engine_submit(engine, chain);
}

static inline void launch(const struct cdp_abi_kernel *kernel, unsigned blocks, unsigned threads,
                          long param)
{
    long params[PARAMS] = {param};
    struct cdp_launch order = {.kernel = kernel,
                               .grid_dim = {blocks, 1, 1},
                               .block_dim = {threads, 1, 1},
                               .params = params};
    launch_order(&order);
}

static inline void synchronize(void)
{
    cdp_engine_wait_idle(engine, engine_is_idle, NULL);
}

static inline void run(const struct cdp_abi_kernel *kernel, unsigned blocks, unsigned threads,
                       long param)
{
    launch(kernel, blocks, threads, param);
    synchronize();
}

/* From here on for device code. */
static inline struct cdp_block *this_block(void)
{
    return cdp_block_of(cdp_abi_self);
}

static inline unsigned this_thread(void)
{
    return cdp_abi_self->linear;
}

static inline void child_in(const struct cdp_abi_kernel *kernel, unsigned blocks, unsigned threads,
                            long param, enum cdp_device_target target,
                            struct cdp_device_stream *stream)
{
    long *params = cdp_scope_buffer(this_block(), PARAMS * sizeof(long));
    memset(params, 0, PARAMS * sizeof(long));
    params[0] = param;
    struct cdp_plain_launch plain = {.kernel = kernel,
                                     .params = params,
                                     .blocks = blocks,
                                     .threads = threads,
                                     .forgets = target == CDP_TARGET_FREE,
                                     .stream = stream};
    bool is_private = target == CDP_TARGET_NAMED && stream->object.is_private;
    if (blocks <= CDP_PLAIN_MOST_BLOCKS &&
        (target == CDP_TARGET_BLOCK || target == CDP_TARGET_FREE || is_private) &&
        cdp_plain_launch(this_block(), &plain)) {
        return; /* as in api/ */
    }
    struct cdp_device_launch order = {.kernel = kernel,
                                      .params = params,
                                      .grid_dim = {blocks, 1, 1},
                                      .block_dim = {threads, 1, 1},
                                      .target = target,
                                      .stream = stream};
    if (cdp_scope_launch(this_block(), &order) != CDP_OK) {
        abort();
    }
}

static inline void child(const struct cdp_abi_kernel *kernel, unsigned blocks, unsigned threads,
                         long param)
{
    child_in(kernel, blocks, threads, param, CDP_TARGET_BLOCK, NULL);
}

static inline void device_synchronize(void)
{
    if (cdp_block_synchronize(this_block()) != CDP_OK) {
        abort();
    }
}

#endif
