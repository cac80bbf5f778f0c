/* Chains of the host's launches: order, closing, queues. */
#include "support/engine.h"

#include "exec/launch/chain.h"

#include <pthread.h>
#include <sched.h>

enum { CHAINS = 512, KEY = 7 };

/* A stream of one thread's launches, like the host's streams: a launch is appended if possible,
 * else it starts a new chain when the previous one is complete. */
struct line {
    struct cdp_chain chains[CHAINS]; /* used one after the other */
    long chain_count;
    _Atomic(struct cdp_chain *) open; /* which another thread may close */
    atomic_int running;               /* 1: the newest chain is not complete */
    long expected;                    /* executed by the kernels, one after the other */
    atomic_int wrong;
    long launched;
};

static struct line *line_of(const void *params)
{
    return (struct line *)((const long *)params)[1];
}

static void count(const void *params)
{
    struct line *line = line_of(params);
    if (this_thread() == 0 && line->expected++ != ((const long *)params)[0]) {
        atomic_fetch_add(&line->wrong, 1);
    }
}
static const struct cdp_abi_kernel count_kernel = {.abi_version = CDP_ABI_VERSION,
                                                   .name = "count",
                                                   .thread_entry = count,
                                                   .param_size = PARAMS * sizeof(long)};
static const struct cdp_abi_kernel large_kernel = {.abi_version = CDP_ABI_VERSION,
                                                   .name = "large",
                                                   .thread_entry = count,
                                                   .param_size = 40 * sizeof(long)};

static struct line *running_line; /* for the chains' on_complete: one test at a time */

static void line_done(struct cdp_chain *chain)
{
    struct line *line = running_line;
    if (line == NULL || chain < line->chains || chain >= line->chains + CHAINS) {
        abort();
    }
    atomic_store(&line->running, 0);
}

static bool line_is_done(void *arg)
{
    return atomic_load(&((struct line *)arg)->running) == 0;
}

/* Ends the open chain; either side may be first. */
static void close_line(struct line *line)
{
    struct cdp_chain *chain = atomic_exchange(&line->open, NULL);
    if (chain != NULL && cdp_chain_close(chain)) {
        atomic_store(&line->running, 0);
        cdp_engine_notify(engine);
    }
}

static void launch_in(struct line *line, const struct cdp_abi_kernel *kernel, unsigned blocks,
                      unsigned threads)
{
    long params[40] = {line->launched++, (long)line};
    struct cdp_launch order = {.kernel = kernel,
                               .grid_dim = {blocks, 1, 1},
                               .block_dim = {threads, 1, 1},
                               .params = params};
    struct cdp_submission_queue *queue = cdp_engine_submission_queue(engine);
    struct cdp_grid *grid = cdp_submission_prepare(queue, &order);
    ck_assert_ptr_nonnull(grid);
    if (cdp_submission_append(queue, KEY, grid)) {
        return;
    }
    close_line(line);
    cdp_engine_wait(engine, line_is_done, line);
    struct cdp_chain *chain = &line->chains[line->chain_count++ % CHAINS];
    chain->on_complete = line_done;
    atomic_store(&line->running, 1);
    cdp_chain_open(chain, grid, KEY);
    cdp_engine_submit(engine, chain);
    atomic_store(&line->open, chain);
}

static void finish_line(struct line *line)
{
    close_line(line);
    cdp_engine_wait(engine, line_is_done, line);
    ck_assert_int_eq(atomic_load(&line->wrong), 0);
    ck_assert_int_eq(line->expected, line->launched);
}

static struct line *new_line(void)
{
    running_line = calloc(1, sizeof *running_line);
    ck_assert_ptr_nonnull(running_line);
    return running_line;
}

CDP_TEST(launches_of_a_chain_run_in_order)
{
    for (unsigned workers = 1; workers <= 4; workers++) {
        engine_start(workers, 0);
        struct line *line = new_line();
        for (int i = 0; i < 5000; i++) {
            launch_in(line, i % 7 == 0 ? &large_kernel : &count_kernel, 1, 1 + i % 40);
        }
        finish_line(line);
        cdp_engine_stop(engine);
        free(line);
    }
}

/* Blocks of one grid run at the same time, and all of them before the next grid. */
static void count_blocks(const void *params)
{
    struct line *line = line_of(params);
    static atomic_long blocks;
    long before = atomic_fetch_add(&blocks, 1);
    if (before / 8 != ((const long *)params)[0]) {
        atomic_fetch_add(&line->wrong, 1);
    }
    if (before % 8 == 7) {
        line->expected++;
    }
}
static const struct cdp_abi_kernel blocks_kernel = {.abi_version = CDP_ABI_VERSION,
                                                    .name = "count_blocks",
                                                    .thread_entry = count_blocks,
                                                    .param_size = PARAMS * sizeof(long)};

CDP_TEST(a_grid_of_many_blocks_ends_before_the_next_starts)
{
    engine_start(3, 0);
    struct line *line = new_line();
    for (int i = 0; i < 2000; i++) {
        launch_in(line, &blocks_kernel, 8, 1);
    }
    finish_line(line);
    cdp_engine_stop(engine);
    free(line);
}

struct closer {
    struct line *line;
    atomic_bool stop;
};

static void *close_often(void *arg)
{
    struct closer *closer = arg;
    while (!atomic_load(&closer->stop)) {
        close_line(closer->line);
        for (int i = 0; i < 50; i++) {
            sched_yield();
        }
    }
    return NULL;
}

CDP_TEST(others_may_close_a_chain_at_any_time)
{
    for (unsigned workers = 1; workers <= 3; workers++) {
        engine_start(workers, 0);
        struct closer closer = {.line = new_line()};
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, close_often, &closer), 0);
        for (int i = 0; i < 10000; i++) {
            launch_in(closer.line, &count_kernel, 1, 1);
        }
        atomic_store(&closer.stop, true);
        pthread_join(thread, NULL);
        finish_line(closer.line);
        cdp_engine_stop(engine);
        free(closer.line);
    }
}

/* The thread of a resting chain may append to it, or another thread may close it. */
CDP_TEST(a_resting_chain_continues_or_is_closed)
{
    engine_start(2, 0);
    struct line *line = new_line();
    for (int i = 0; i < 300; i++) {
        launch_in(line, &count_kernel, 1, 1);
        struct cdp_chain *chain = atomic_load(&line->open);
        while (!cdp_chain_rests(chain)) {
            sched_yield();
        }
        ck_assert_int_eq(atomic_load(&line->running), 1); /* nobody requested a notification */
    }
    ck_assert_int_eq(line->chain_count, 1);
    ck_assert(cdp_chain_close(atomic_load(&line->open)));
    ck_assert(!cdp_chain_close(atomic_load(&line->open)));
    atomic_store(&line->open, NULL);
    atomic_store(&line->running, 0);
    finish_line(line);
    cdp_engine_stop(engine);
    free(line);
}

static atomic_bool released;

static void hold(const void *params)
{
    while (!atomic_load(&released)) {
        sched_yield();
    }
    count(params);
}
static const struct cdp_abi_kernel hold_kernel = {.abi_version = CDP_ABI_VERSION,
                                                  .name = "hold",
                                                  .thread_entry = hold,
                                                  .param_size = PARAMS * sizeof(long)};

static void *release(void *arg)
{
    atomic_store(&released, true);
    return arg;
}

/* Whoever started it, and whoever ended it. */
CDP_TEST(a_chain_is_pending_until_it_rests)
{
    engine_start(2, 0);
    struct line *line = new_line();
    struct cdp_submission_queue *queue = cdp_engine_submission_queue(engine);
    for (int i = 0; i < 300; i++) {
        atomic_store(&released, false);
        launch_in(line, &hold_kernel, 1, 1);
        ck_assert_uint_eq(cdp_chains_pending(engine), 1);
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, release, NULL), 0);
        if (i % 3 != 0) {
            cdp_engine_wait_queue(queue, true);
        }
        pthread_join(thread, NULL);
        while (cdp_chains_pending(engine) != 0) {
            sched_yield();
        }
        if (i % 5 == 0) {
            close_line(line); /* the next is begun, not appended */
        }
    }
    finish_line(line);
    ck_assert_uint_eq(cdp_chains_pending(engine), 0);
    cdp_engine_stop(engine);
    free(line);
}

static void *launch_some(void *arg)
{
    struct line *line = arg;
    for (int i = 0; i < 100; i++) {
        launch_in(line, &count_kernel, 1, 1);
    }
    close_line(line);
    cdp_engine_wait(engine, line_is_done, line);
    return cdp_engine_submission_queue(engine);
}

CDP_TEST(a_thread_that_ends_leaves_its_submission_queue_to_the_next)
{
    engine_start(2, 0);
    struct line *line = new_line();
    void *queues[20];
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, launch_some, line), 0);
        pthread_join(thread, &queues[i]);
        ck_assert_ptr_eq(queues[i], queues[0]);
    }
    ck_assert_ptr_ne(cdp_engine_submission_queue(engine), NULL);
    finish_line(line);
    cdp_engine_stop(engine);
    free(line);
}

CDP_TEST_MAIN("chain", 60)
