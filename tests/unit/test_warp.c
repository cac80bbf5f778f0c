/* Warp operations among fibers. */
#include "support/engine.h"

static atomic_long good;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return;                                                                                \
        }                                                                                          \
    } while (0)

static void whole_warp(const void *params)
{
    (void)params;
    uint32_t lane = this_thread() % 32, full = 0xffffffff;
    int in;
    EXPECT(cdp_abi_shfl32(full, lane, 5, 32, 0, &in) == 5);
    EXPECT(cdp_abi_shfl32(full, lane, 1, 32, 1, &in) == (lane == 0 ? 0 : lane - 1));
    EXPECT(in == (lane != 0));
    EXPECT(cdp_abi_shfl32(full, lane, 3, 8, 2, &in) == (lane % 8 + 3 < 8 ? lane + 3 : lane));
    EXPECT(cdp_abi_shfl32(full, lane, 16, 32, 3, &in) == (lane ^ 16));
    EXPECT(cdp_abi_shfl64(full, (uint64_t)lane << 40, 31, 32, 0, &in) == (uint64_t)31 << 40);
    EXPECT(cdp_abi_ballot(full, lane % 2) == 0xaaaaaaaa);
    EXPECT(cdp_abi_match_any32(full, lane / 8) == 0xffu << lane / 8 * 8);
    EXPECT(cdp_abi_match_all64(full, 9, &in) == full && in == 1);
    EXPECT(cdp_abi_match_all32(full, lane, &in) == 0 && in == 0);
    EXPECT(cdp_abi_reduce32(full, lane, 0) == 496);
    EXPECT(cdp_abi_reduce32(full, lane, 2) == 31);
    EXPECT(cdp_abi_reduce32(full, (uint32_t)-(int32_t)lane, 3) == (uint32_t)-31);
    EXPECT(cdp_abi_reduce32(full, 1u << lane, 6) == full);
    cdp_abi_syncwarp(full);
    EXPECT(cdp_abi_activemask() == full);
    atomic_fetch_add(&good, 1);
}
static const struct cdp_abi_kernel whole_kernel = KERNEL(whole_warp);

CDP_TEST(all_lanes_meet)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        engine_start(2, seed);
        atomic_store(&good, 0);
        run(&whole_kernel, 3, 256, 0);
        ck_assert_int_eq(atomic_load(&good), 3 * 256);
        cdp_engine_stop(engine);
    }
}

static void divergent(const void *params)
{
    (void)params;
    uint32_t lane = this_thread() % 32;
    if (lane < 8) {
        EXPECT(cdp_abi_ballot(0xff, 1) == 0xff);
        EXPECT(cdp_abi_reduce32(0xff, 1, 0) == 8);
    } else if (lane < 20) {
        EXPECT(cdp_abi_reduce32(0xfff00, lane, 1) == 8);
        EXPECT(cdp_abi_activemask() == 0xfff00);
    } else {
        return;
    }
    EXPECT(cdp_abi_ballot(0xffffffff, 1) == 0xfffff);
    atomic_fetch_add(&good, 1);
}
static const struct cdp_abi_kernel divergent_kernel = KERNEL(divergent);

CDP_TEST(divergent_lanes_meet_by_mask_and_ended_lanes_do_not_count)
{
    for (unsigned seed = 0; seed < 50; seed++) {
        engine_start(2, seed);
        atomic_store(&good, 0);
        run(&divergent_kernel, 3, 64, 0);
        ck_assert_int_eq(atomic_load(&good), 3 * 2 * 20);
        cdp_engine_stop(engine);
    }
}

static void partial(const void *params)
{
    (void)params;
    EXPECT(cdp_abi_reduce32(0xffffffff, 1, 0) == 10);
    EXPECT(cdp_abi_activemask() == 0x3ff);
    atomic_fetch_add(&good, 1);
}
static const struct cdp_abi_kernel partial_kernel = KERNEL(partial);

CDP_TEST(lanes_that_do_not_exist_do_not_count)
{
    engine_start(1, 0);
    run(&partial_kernel, 1, 10, 0);
    ck_assert_int_eq(atomic_load(&good), 10);
    cdp_engine_stop(engine);
}

static void stuck(const void *params)
{
    (void)params;
    if (this_thread() == 0) {
        cdp_abi_syncwarp(0xffffffff);
    } else {
        cdp_abi_syncthreads();
    }
}
static const struct cdp_abi_kernel stuck_kernel = KERNEL(stuck);

CDP_TEST(deadlock_is_a_fault_not_a_hang)
{
    engine_start(1, 0);
    run(&stuck_kernel, 2, 32, 0);
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_LAUNCH);
    cdp_engine_clear_fault(engine, 0);
    atomic_store(&good, 0);
    run(&whole_kernel, 1, 32, 0);
    ck_assert_int_eq(atomic_load(&good), 32);
    cdp_engine_stop(engine);
}

static atomic_int raised;
static void converge_beside_a_poll(const void *params)
{
    (void)params;
    if (this_thread() == 0) {
        (void)cdp_abi_activemask();
        atomic_store(&raised, 1);
    }
    while (!atomic_load(&raised)) {
        cdp_abi_yield();
    }
    atomic_fetch_add(&good, 1);
}
static const struct cdp_abi_kernel beside_kernel = KERNEL(converge_beside_a_poll);

CDP_TEST(activemask_does_not_wait_for_threads_that_poll)
{
    engine_start(1, 0);
    for (unsigned threads = 2; threads <= 40; threads += 19) {
        atomic_store(&raised, 0);
        atomic_store(&good, 0);
        run(&beside_kernel, 2, threads, 0);
        ck_assert_int_eq(atomic_load(&good), 2 * (int)threads);
    }
    cdp_engine_stop(engine);
}

CDP_TEST_MAIN("warp", 60)
