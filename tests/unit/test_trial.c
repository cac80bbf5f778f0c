/* Trials: which entry the blocks of a kernel use, and when it is decided. */
#include "exec/block/trial.h"

#include "support/suite.h"

static struct cdp_executor executor;
static struct cdp_abi_kernel kernel, other;

static void start_anew(void)
{
    executor.batch.trial = (struct cdp_trial){.kernel = NULL};
    kernel.faster = other.faster = 0;
}

/* Runs a block that takes so long by either entry. */
static enum cdp_entry run(struct cdp_abi_kernel *at, uint64_t by_block, uint64_t by_threads)
{
    enum cdp_entry entry = cdp_trial_choose(&executor, at);
    cdp_trial_ran(&executor, at, entry, 1, entry == CDP_ENTRY_BLOCK ? by_block : by_threads);
    return entry;
}

static enum cdp_entry entry_after(unsigned blocks, uint64_t by_block, uint64_t by_threads)
{
    for (unsigned i = 0; i < blocks; i++) {
        (void)run(&kernel, by_block, by_threads);
    }
    return run(&kernel, by_block, by_threads);
}

/* The first blocks use both entries, one after the other. */
CDP_TEST(alternates)
{
    start_anew();
    for (unsigned i = 0; i < 6; i++) {
        ck_assert_uint_eq(run(&kernel, 50000, 50000),
                          i % 2 == 0 ? CDP_ENTRY_BLOCK : CDP_ENTRY_THREADS);
    }
}

CDP_TEST(takes_the_faster_one)
{
    start_anew();
    ck_assert_uint_eq(entry_after(20, 100000, 50000), CDP_ENTRY_THREADS);
    ck_assert_uint_eq(entry_after(21, 100000, 50000), CDP_ENTRY_THREADS);
    start_anew();
    ck_assert_uint_eq(entry_after(20, 50000, 100000), CDP_ENTRY_BLOCK);
    ck_assert_uint_eq(entry_after(21, 50000, 100000), CDP_ENTRY_BLOCK);
}

/* Less than a tenth is no reason to leave the block entry. */
CDP_TEST(keeps_the_block_entry_if_both_are_alike)
{
    start_anew();
    ck_assert_uint_eq(entry_after(20, 100000, 95000), CDP_ENTRY_BLOCK);
    ck_assert_uint_eq(entry_after(21, 100000, 95000), CDP_ENTRY_BLOCK);
}

/* A decision holds for all workers and launches. */
CDP_TEST(the_decision_is_the_kernels)
{
    start_anew();
    (void)entry_after(20, 100000, 50000);
    ck_assert_uint_ne(kernel.faster, 0);
    executor.batch.trial = (struct cdp_trial){.kernel = NULL};
    ck_assert_uint_eq(run(&kernel, 1, 100000), CDP_ENTRY_THREADS);
    ck_assert_uint_eq(run(&other, 1, 1), CDP_ENTRY_BLOCK);
    ck_assert_uint_eq(other.faster, 0);
}

/* Blocks that do nothing are no measurement; but a trial must end. */
CDP_TEST(empty_blocks)
{
    start_anew();
    (void)entry_after(100, 10, 1);
    ck_assert_uint_eq(kernel.faster, 0);
    ck_assert_uint_eq(entry_after(600, 10, 1), CDP_ENTRY_BLOCK);
    ck_assert_uint_ne(kernel.faster, 0);
}

/* One call of the block entry may run several blocks. The mean of a block counts. */
CDP_TEST(several_blocks_at_once)
{
    start_anew();
    for (unsigned i = 0; i < 20; i++) {
        enum cdp_entry entry = cdp_trial_choose(&executor, &kernel);
        uint32_t blocks = entry == CDP_ENTRY_BLOCK ? 8 : 1;
        cdp_trial_ran(&executor, &kernel, entry, blocks,
                      entry == CDP_ENTRY_BLOCK ? 8 * 50000 : 60000);
    }
    ck_assert_uint_eq(entry_after(0, 0, 0), CDP_ENTRY_BLOCK);
}

/* An interrupted block says nothing about its entry. */
CDP_TEST(one_long_sample)
{
    start_anew();
    for (unsigned i = 0; i < 20; i++) {
        (void)run(&kernel, 100000, i == 3 ? 10000000 : 50000);
    }
    ck_assert_uint_eq(run(&kernel, 100000, 50000), CDP_ENTRY_THREADS);
}

/* The first blocks may be slow by either entry. */
CDP_TEST(measures_again)
{
    start_anew();
    ck_assert_uint_eq(entry_after(20, 500000, 490000), CDP_ENTRY_BLOCK);
    (void)entry_after(512, 100000, 50000);
    ck_assert_uint_eq(entry_after(20, 100000, 50000), CDP_ENTRY_THREADS);
}

CDP_TEST_MAIN("trial", 10)
