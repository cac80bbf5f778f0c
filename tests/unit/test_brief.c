/* Brief launches by the host while all workers sleep: the launching thread runs them, and no worker
 * wakes. */
#include "support/engine.h"

#include "exec/launch/chain.h"

#include <pthread.h>
#include <sched.h>

static pthread_t tester;
static atomic_int here, elsewhere; /* threads that the tester ran, and other threads */

static void tell(const void *params)
{
    (void)params;
    atomic_fetch_add(pthread_equal(pthread_self(), tester) ? &here : &elsewhere, 1);
}

static const struct cdp_abi_kernel brief = {.abi_version = CDP_ABI_VERSION,
                                            .name = "brief",
                                            .thread_entry = tell,
                                            .param_size = PARAMS * sizeof(long),
                                            .flags = CDP_KERNEL_BRIEF};
static const struct cdp_abi_kernel unknown = KERNEL(tell);

static void until_all_sleep(void)
{
    while (atomic_load(&engine->pool.sleepers) != engine->pool.count - 1) {
        sched_yield();
    }
}

static bool second_time(void *asked)
{
    return ++*(int *)asked == 2;
}

/* All workers sleep, and the tester is the host thread that runs blocks: its first wait does not
 * end at once. */
static void begin(unsigned workers)
{
    int asked = 0;
    tester = pthread_self();
    engine_start(workers, 0);
    cdp_engine_wait_idle(engine, second_time, &asked);
    until_all_sleep();
    atomic_store(&here, 0);
    atomic_store(&elsewhere, 0);
}

static void expect_here(int threads)
{
    ck_assert_int_eq(atomic_load(&here), threads);
    ck_assert_int_eq(atomic_load(&elsewhere), 0);
    ck_assert(engine_is_idle(NULL)); /* though nobody has waited */
    ck_assert_uint_eq(cdp_chains_pending(engine), 0);
    ck_assert_uint_eq(atomic_load(&engine->pool.sleepers), engine->pool.count - 1);
}

CDP_TEST(the_thread_that_launches_runs_a_brief_grid)
{
    for (unsigned workers = 2; workers <= 4; workers++) {
        static const unsigned blocks[] = {1, 1, 2, 4, 5, 64, 1000},
                              threads[] = {1, 1000, 3, 7, 9, 16, 1};
        for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
            begin(workers);
            launch(&brief, blocks[i], threads[i], 0);
            expect_here((int)(blocks[i] * threads[i]));
            cdp_engine_stop(engine);
        }
    }
}

CDP_TEST(others_get_a_worker)
{
    static const struct {
        const struct cdp_abi_kernel *kernel;
        unsigned blocks;
    } cases[] = {{&unknown, 1}, {&brief, 3}, {&brief, 100}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin(2);
        launch(cases[i].kernel, cases[i].blocks, i == 0 ? 1 : 500, 0);
        while (!engine_is_idle(NULL)) {
            sched_yield();
        }
        ck_assert_int_eq(atomic_load(&here), 0);
        cdp_engine_stop(engine);
    }
}

static void *launch_one(void *arg)
{
    launch(&brief, 1, 1, 0);
    while (!engine_is_idle(NULL)) {
        sched_yield();
    }
    return arg;
}

/* The host thread that runs blocks may be waiting at that moment. */
CDP_TEST(only_the_helping_host_thread_runs_brief_grids)
{
    begin(2);
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        until_all_sleep();
        ck_assert_int_eq(pthread_create(&thread, NULL, launch_one, NULL), 0);
        pthread_join(thread, NULL);
    }
    ck_assert_int_eq(atomic_load(&here), 0);
    ck_assert_int_eq(atomic_load(&elsewhere), 20);
    cdp_engine_stop(engine);
}

/* If a program continues to launch, a worker starts soon, and no grid is lost. */
CDP_TEST(launches_that_follow_each_other_wake_a_worker)
{
    begin(2);
    int launched = 0;
    while (atomic_load(&elsewhere) == 0) {
        launch(&brief, 1, 1, 0);
        launched++;
    }
    synchronize();
    ck_assert_int_eq(atomic_load(&here) + atomic_load(&elsewhere), launched);
    cdp_engine_stop(engine);
}

/* Before the first wait no host thread is chosen to run blocks: many may launch. */
CDP_TEST(a_launch_binds_no_thread)
{
    tester = pthread_self();
    engine_start(2, 0);
    until_all_sleep();
    atomic_store(&here, 0);
    launch(&brief, 1, 1, 0);
    while (!engine_is_idle(NULL)) {
        sched_yield();
    }
    ck_assert_int_eq(atomic_load(&here), 0);
    cdp_engine_stop(engine);
}

CDP_TEST_MAIN("brief", 60)
