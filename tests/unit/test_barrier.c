/* Named barriers among fibers, and what happens when one cannot open. */
#include "support/engine.h"

static atomic_long good;

/* Warps 0 and 1 wait at one barrier, 2 and 3 at another, at their own pace. */
static void pairs(const void *params)
{
    (void)params;
    static _Thread_local unsigned turns[2]; /* a block stays with its OS thread */
    unsigned pair = this_thread() / 64;
    if (this_thread() == 0) {
        turns[0] = turns[1] = 0;
    }
    cdp_abi_syncthreads();
    for (unsigned turn = 0; turn < 10 + 20 * pair; turn++) {
        uint32_t yes = cdp_abi_barrier_reduce(1 + pair, 64, turn % 2, 0);
        bool same = turns[pair] == turn;
        cdp_abi_barrier(1 + pair, 64);
        turns[pair] = turn + 1;
        cdp_abi_barrier(1 + pair, 64);
        if (same && yes == turn % 2 * 64) {
            atomic_fetch_add(&good, 1);
        }
    }
    cdp_abi_barrier(0, 0);
}
static const struct cdp_abi_kernel pairs_kernel = KERNEL(pairs);

CDP_TEST(two_pairs_of_warps_keep_their_own_pace)
{
    for (unsigned seed = 0; seed < 30; seed++) {
        engine_start(seed % 3 + 1, seed);
        atomic_store(&good, 0);
        run(&pairs_kernel, 1, 128, 0);
        ck_assert_int_eq(atomic_load(&good), 64 * (10 + 30));
        cdp_engine_stop(engine);
    }
}

/* The warp counts, whether a lane ends before or after the warp's other lanes arrive. */
static void lanes_end(const void *params)
{
    (void)params;
    unsigned lane = this_thread() % 32;
    if (lane % 3 == 1) {
        return;
    }
    if (lane % 3 == 2) {
        cdp_abi_barrier_arrive(4, 96);
        return;
    }
    cdp_abi_barrier(4, 96);
    atomic_fetch_add(&good, 1);
}
static const struct cdp_abi_kernel lanes_end_kernel = KERNEL(lanes_end);

CDP_TEST(warps_count_whatever_lanes_have_ended)
{
    for (unsigned seed = 0; seed < 30; seed++) {
        engine_start(2, seed);
        atomic_store(&good, 0);
        run(&lanes_end_kernel, 3, 70, 0);
        ck_assert_int_eq(atomic_load(&good), 3 * (11 + 11 + 2));
        cdp_engine_stop(engine);
    }
}

/* Three deadlocks: with param 0 a warp is missing, 1 uses two barriers crosswise, 2 names a barrier
 * that does not exist. */
static void misuse(const void *params)
{
    long way = *(const long *)params;
    unsigned warp = this_thread() / 32;
    if (way == 0 && warp == 0) {
        cdp_abi_barrier(3, 64);
    } else if (way == 1) {
        cdp_abi_barrier(3 + warp, 64);
        cdp_abi_barrier(4 - warp, 64);
    } else if (way == 2) {
        cdp_abi_barrier(16, 64);
    }
}
static const struct cdp_abi_kernel misuse_kernel = KERNEL(misuse);

CDP_TEST(a_barrier_that_cannot_open_is_a_fault_and_the_engine_stays_usable)
{
    for (unsigned seed = 0; seed < 12; seed++) {
        engine_start(2, seed);
        for (long way = 0; way < 3; way++) {
            run(&misuse_kernel, 4, 96, way);
            ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_LAUNCH);
            cdp_engine_clear_fault(engine, 0);
        }
        atomic_store(&good, 0);
        run(&lanes_end_kernel, 1, 96, 0);
        ck_assert_int_eq(atomic_load(&good), 33);
        cdp_engine_stop(engine);
    }
}

static void poll_for_ever(const void *params)
{
    (void)params;
    if (this_thread() < 40) {
        cdp_abi_syncthreads();
    }
    for (;;) {
        cdp_abi_yield();
    }
}
static const struct cdp_abi_kernel polling_kernel = KERNEL(poll_for_ever);

CDP_TEST(timeout_ends_threads_that_poll_for_ever)
{
    setenv("CDP_TIMEOUT", "1", 1);
    engine_start(3, 0);
    unsetenv("CDP_TIMEOUT");
    for (int turn = 0; turn < 2; turn++) {
        run(&polling_kernel, 5, 64, 0);
        ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_TIMEOUT);
        cdp_engine_clear_fault(engine, 0);
    }
    atomic_store(&good, 0);
    run(&lanes_end_kernel, 1, 96, 0);
    ck_assert_int_eq(atomic_load(&good), 33);
    cdp_engine_stop(engine);
}

CDP_TEST_MAIN("barrier", 60)
