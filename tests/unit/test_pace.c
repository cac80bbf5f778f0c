/* Which small grids one worker runs alone, tested with invented times, in ticks. */
#include "exec/launch/pace.h"

#include <string.h>

#include "exec/state/grid.h"
#include "support/suite.h"

static struct cdp_pace paces[CDP_PACES];
static const struct cdp_abi_kernel kernels[2];
static uint64_t now = 1000;

static void forget(void)
{
    memset(paces, 0, sizeof paces);
}

/* The times of a grid if it is shared, and if it is not. In the second case it is shared after all
 * when the worker's patience is over, and takes as long again. */
struct costs {
    uint64_t shared, alone;
};

/* Whether it was run alone. */
static bool run(const struct cdp_abi_kernel *kernel, uint32_t blocks, struct costs costs)
{
    struct cdp_grid grid = {.kernel = kernel, .shape.block_count = blocks};
    uint64_t patience = cdp_pace_begin(paces, &grid, now);
    ck_assert_uint_ne(grid.began, 0);
    now += patience == 0             ? costs.shared
           : costs.alone <= patience ? costs.alone
                                     : patience + costs.shared;
    cdp_pace_end(paces, &grid, now);
    return patience != 0;
}

static unsigned alone_of(unsigned count, struct costs costs)
{
    unsigned alone = 0;
    for (unsigned i = 0; i < count; i++) {
        alone += run(&kernels[0], 64, costs);
    }
    return alone;
}

CDP_TEST(a_grid_is_shared_first)
{
    forget();
    ck_assert(!run(&kernels[0], 64, (struct costs){.shared = 20000, .alone = 2000}));
}

CDP_TEST(grids_that_are_faster_on_one_worker_run_there)
{
    struct costs costs = {.shared = 20000, .alone = 2000};
    forget();
    alone_of(10, costs);
    ck_assert_uint_ge(alone_of(2000, costs), 1980);
}

CDP_TEST(the_time_on_one_worker_is_known_after_a_trial)
{
    struct cdp_grid grid = {.kernel = &kernels[0], .shape.block_count = 64};
    forget();
    ck_assert_uint_eq(cdp_pace_alone(paces, &grid), 0);
    alone_of(10, (struct costs){.shared = 20000, .alone = 2000});
    ck_assert_uint_eq(cdp_pace_alone(paces, &grid), 2000);
    grid.shape.block_count = 32;
    ck_assert_uint_eq(cdp_pace_alone(paces, &grid), 0);
}

CDP_TEST(grids_that_are_faster_when_shared_are_shared_except_in_trials)
{
    struct costs costs = {.shared = 20000, .alone = 60000};
    forget();
    unsigned early = alone_of(64, costs), later = alone_of(4000, costs);
    ck_assert_uint_ge(early, 2);
    ck_assert_uint_le(early, 4);
    ck_assert_uint_ge(later, 2);
    ck_assert_uint_le(later, 12);
}

CDP_TEST(a_trial_ends_when_the_grid_could_have_been_shared)
{
    struct costs costs = {.shared = 20000, .alone = 100000000};
    forget();
    uint64_t begun = now;
    alone_of(1000, costs);
    ck_assert_uint_le(now - begun, 1000 * costs.shared * 102 / 100);
}

CDP_TEST(long_grids_are_not_tried)
{
    forget();
    ck_assert_uint_eq(alone_of(5000, (struct costs){.shared = 1000000, .alone = 10}), 0);
}

CDP_TEST(work_that_grows_is_shared_again)
{
    struct costs small = {.shared = 20000, .alone = 2000},
                 large = {.shared = 30000, .alone = 300000};
    forget();
    alone_of(5000, small);
    alone_of(16, large);
    ck_assert_uint_le(alone_of(1000, large), 12);
    alone_of(2000, small); /* and back: at the next trial */
    ck_assert_uint_ge(alone_of(1000, small), 980);
}

CDP_TEST(an_interrupted_trial_delays_nothing_for_long)
{
    struct costs small = {.shared = 10000000, .alone = 2000};
    struct costs large = {.shared = 1000000, .alone = 900000000};
    forget();
    alone_of(10, (struct costs){.shared = 20000, .alone = 2000});
    alone_of(5000, small);
    uint64_t begun = now;
    alone_of(100, large);
    ck_assert_uint_le(now - begun, 100 * large.shared * 105 / 100);
}

CDP_TEST(grids_of_similar_times_stay_shared)
{
    forget();
    ck_assert_uint_le(alone_of(6000, (struct costs){.shared = 20000, .alone = 18500}), 20);
}

CDP_TEST(neighbouring_entries_do_not_conflict)
{
    struct costs costs = {.shared = 20000, .alone = 2000};
    unsigned alone = 0;
    forget();
    for (int i = 0; i < 100; i++) {
        alone += run(&kernels[0], 192, costs) + run(&kernels[1], 64, costs);
    }
    ck_assert_uint_ge(alone, 180);
}

CDP_TEST(an_interruption_changes_nothing)
{
    struct costs costs = {.shared = 20000, .alone = 2000};
    forget();
    alone_of(10, costs);
    alone_of(1, (struct costs){.shared = 20000, .alone = 50000000});
    ck_assert_uint_ge(alone_of(1000, costs), 990);
}

CDP_TEST(kernels_and_sizes_are_timed_separately)
{
    struct costs costs = {.shared = 20000, .alone = 2000};
    forget();
    alone_of(100, costs);
    ck_assert(run(&kernels[0], 64, costs));
    ck_assert(!run(&kernels[0], 65, costs));
    ck_assert(!run(&kernels[1], 64, costs));
}

CDP_TEST(the_end_of_a_forgotten_grid_has_no_effect)
{
    struct cdp_grid grid = {.kernel = &kernels[0], .shape.block_count = 64};
    forget();
    cdp_pace_begin(paces, &grid, now);
    forget();
    cdp_pace_end(paces, &grid, now + 5);
    ck_assert(!run(&kernels[0], 64, (struct costs){.shared = 20000, .alone = 2000}));
}

CDP_TEST_MAIN("pace", 10)
