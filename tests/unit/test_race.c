/* The race check's order, on programs that are played by hand: who launches, waits and accesses.
 * Each test has a form with the ordering, which is silent, and one without it. */
#include "races/race.h"

#include "races/flag.h"
#include "races/release.h"
#include "races/shadow.h"
#include "support/suite.h"

enum { WORDS = 1024 };
static uint32_t memory[WORDS] __attribute__((aligned(4096)));

static void start(void)
{
    ck_assert(cdp_race_start());
    ck_assert(cdp_shadow_add_range(memory, sizeof memory));
}

/* Blocks that a test has begun. They keep their records until the process of the test ends; so leak
 * checkers see that they are still used. */
static struct cdp_history_block *begun[64];

static struct cdp_history_block *begin(uint32_t launch, uint32_t block, uint32_t threads)
{
    static unsigned count;
    ck_assert_uint_lt(count, sizeof begun / sizeof *begun);
    begun[count] = cdp_history_begin(launch, block, threads);
    ck_assert_ptr_nonnull(begun[count]);
    return begun[count++];
}

/* The rule by which the access races; CDP_ORDERED if it does not. */
static enum cdp_order_rule access_bytes(struct cdp_history_block *block, uint32_t thread,
                                        bool writes, const void *at, size_t size)
{
    struct cdp_race_access access = {
        .address = at, .size = size, .writes = writes, .block = block, .thread = thread, .site = 7};
    struct cdp_race_conflict conflict = {.rule = CDP_ORDERED};
    return cdp_race_check(&access, &conflict) ? conflict.rule : CDP_ORDERED;
}

static enum cdp_order_rule reads(struct cdp_history_block *block, uint32_t thread, int word)
{
    return access_bytes(block, thread, false, &memory[word], 4);
}

static enum cdp_order_rule writes(struct cdp_history_block *block, uint32_t thread, int word)
{
    return access_bytes(block, thread, true, &memory[word], 4);
}

static enum cdp_order_rule adds(struct cdp_history_block *block, uint32_t thread, int word)
{
    struct cdp_race_access access = {.address = &memory[word],
                                     .size = 4,
                                     .writes = true,
                                     .is_atomic = true,
                                     .block = block,
                                     .thread = thread};
    struct cdp_race_conflict conflict = {.rule = CDP_ORDERED};
    bool races = cdp_race_check(&access, &conflict);
    cdp_release_read(&memory[word], block, thread);
    cdp_release_write(&memory[word], block, thread);
    return races ? conflict.rule : CDP_ORDERED;
}

/* A launch by the host into a stream. */
static uint32_t host_launch(uintptr_t stream, const struct cdp_race_clock *after)
{
    struct cdp_history_launch launch = {.stream = stream};
    cdp_clock_join(&launch.clock, after);
    return cdp_history_host_launch(&launch);
}

static struct cdp_history_block *host_grid(uint32_t threads)
{
    return begin(host_launch(1, NULL), 0, threads);
}

static struct cdp_history_launch child_of(uint32_t thread, enum cdp_history_kind kind,
                                          uintptr_t stream)
{
    return (struct cdp_history_launch){
        .kind = kind, .depth = 1, .thread = thread, .stream = stream};
}

/* One block of a grid that the thread launches. */
static struct cdp_history_block *child(struct cdp_history_block *block, uint32_t thread,
                                       uintptr_t stream)
{
    struct cdp_history_launch launch = child_of(thread, CDP_LAUNCH_CHILD, stream);
    return begin(cdp_history_launch(block, &launch), 0, 1);
}

/* ---- One block ---- */

CDP_TEST(a_threads_own_accesses_are_ordered)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    ck_assert_int_eq(writes(block, 3, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(block, 3, 0), CDP_ORDERED);
    ck_assert_int_eq(writes(block, 3, 0), CDP_ORDERED);
}

CDP_TEST(a_barrier_orders_threads_of_a_block)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    writes(block, 0, 0);
    ck_assert_int_eq(reads(block, 40, 0), CDP_NO_BARRIER);
    writes(block, 0, 1);
    cdp_history_barrier(block);
    ck_assert_int_eq(reads(block, 40, 1), CDP_ORDERED);
    ck_assert_int_eq(writes(block, 1, 1), CDP_NO_BARRIER);
}

CDP_TEST(two_readers_do_not_hide_each_other)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    reads(block, 1, 0);
    reads(block, 2, 0);
    ck_assert_int_eq(writes(block, 1, 0), CDP_NO_WARP_SYNC);
    reads(block, 1, 1);
    reads(block, 2, 1);
    ck_assert_int_eq(writes(block, 2, 1), CDP_NO_WARP_SYNC);
    reads(block, 1, 2);
    reads(block, 40, 2);
    reads(block, 1, 2);
    ck_assert_int_eq(writes(block, 1, 2), CDP_NO_BARRIER);
    reads(block, 1, 3);
    reads(block, 40, 3);
    cdp_history_barrier(block);
    ck_assert_int_eq(writes(block, 1, 3), CDP_ORDERED);
}

CDP_TEST(a_warp_operation_orders_its_lanes)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    writes(block, 0, 0);
    writes(block, 0, 1);
    cdp_history_warp(block, 0, 0xff);
    ck_assert_int_eq(reads(block, 5, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(block, 9, 1), CDP_NO_WARP_SYNC);
    writes(block, 5, 2);
    ck_assert_int_eq(reads(block, 0, 2), CDP_NO_WARP_SYNC);
    ck_assert_int_eq(reads(block, 40, 2), CDP_NO_BARRIER);
}

CDP_TEST(warp_operations_order_transitively)
{
    start();
    struct cdp_history_block *block = host_grid(32);
    writes(block, 0, 0);
    cdp_history_warp(block, 0, 0x3);
    cdp_history_warp(block, 0, 0x6);
    ck_assert_int_eq(reads(block, 2, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(block, 3, 0), CDP_NO_WARP_SYNC);
}

CDP_TEST(readers_of_a_warp_are_ordered_by_its_operation)
{
    start();
    struct cdp_history_block *block = host_grid(32);
    for (uint32_t lane = 0; lane < 32; lane++) {
        reads(block, lane, 0);
    }
    cdp_history_warp(block, 0, ~0u);
    reads(block, 5, 0);
    ck_assert_int_eq(writes(block, 5, 0), CDP_ORDERED);
}

CDP_TEST(different_bytes_of_a_word_do_not_race)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    char *bytes = (char *)memory;
    ck_assert_int_eq(access_bytes(block, 0, true, bytes, 1), CDP_ORDERED);
    ck_assert_int_eq(access_bytes(block, 40, true, bytes + 1, 1), CDP_ORDERED);
    ck_assert_int_eq(access_bytes(block, 1, true, bytes + 1, 1), CDP_NO_BARRIER);
    ck_assert_int_eq(access_bytes(block, 0, true, bytes + 6, 4), CDP_ORDERED);
    ck_assert_int_eq(access_bytes(block, 40, false, bytes + 9, 1), CDP_NO_BARRIER);
}

CDP_TEST(a_flag_of_the_host_races_only_with_plain_accesses_and_flags)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *block = begin(launch, 0, 64);
    struct cdp_race_access flag = {.address = memory, .size = 4, .writes = true, .is_flag = true};
    struct cdp_race_access poll = {
        .address = memory, .size = 4, .is_atomic = true, .block = block, .site = 7};
    struct cdp_race_access copy = {
        .address = &memory[1], .size = 4, .writes = true, .is_flag = true};
    struct cdp_race_conflict conflict;
    ck_assert(!cdp_race_check(&flag, &conflict));
    ck_assert(!cdp_race_check(&poll, &conflict));
    ck_assert(!cdp_race_check(&flag, &conflict));
    ck_assert_int_eq(reads(block, 0, 0), CDP_NO_HOST_LAUNCH);
    copy.block = begin(host_launch(2, NULL), 0, 1);
    ck_assert(!cdp_race_check(&copy, &conflict));
    copy.block = begin(host_launch(3, NULL), 0, 1);
    ck_assert(cdp_race_check(&copy, &conflict));
    ck_assert_int_eq(conflict.rule, CDP_NO_STREAM);
}

CDP_TEST(readers_of_different_bytes_of_a_word_are_apart)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    char *bytes = (char *)memory;
    access_bytes(block, 0, false, bytes, 2);
    access_bytes(block, 40, false, bytes + 2, 2);
    ck_assert_int_eq(access_bytes(block, 0, true, bytes, 2), CDP_ORDERED);
    access_bytes(block, 0, false, bytes + 4, 4);
    access_bytes(block, 40, false, bytes + 6, 2);
    ck_assert_int_eq(access_bytes(block, 0, true, bytes + 4, 2), CDP_ORDERED);
    access_bytes(block, 1, false, bytes + 8, 4);
    access_bytes(block, 40, false, bytes + 10, 2);
    ck_assert_int_eq(access_bytes(block, 1, true, bytes + 10, 2), CDP_NO_BARRIER);
}

CDP_TEST(atomics_race_only_with_others)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    adds(block, 0, 0);
    ck_assert_int_eq(adds(block, 40, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(block, 2, 0), CDP_NO_BARRIER);
}

/* ---- Blocks of a grid ---- */

CDP_TEST(blocks_of_a_grid_are_not_ordered)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *first = begin(launch, 0, 32);
    struct cdp_history_block *second = begin(launch, 1, 32);
    writes(first, 0, 0);
    cdp_history_barrier(first);
    cdp_history_end(first);
    ck_assert_int_eq(reads(second, 0, 0), CDP_NO_GRID_SYNC);
}

CDP_TEST(readers_in_several_blocks_do_not_hide_each_other)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *first = begin(launch, 0, 32);
    struct cdp_history_block *second = begin(launch, 1, 32);
    reads(first, 0, 0);
    reads(second, 0, 0);
    cdp_history_barrier(second);
    ck_assert_int_eq(writes(second, 0, 0), CDP_NO_GRID_SYNC);
    reads(first, 0, 1);
    reads(second, 0, 1);
    uint32_t next = host_launch(1, NULL);
    ck_assert_int_eq(writes(begin(next, 0, 1), 0, 1), CDP_ORDERED);
}

/* Each block adds its part, then the last one adds up all parts. */
static enum cdp_order_rule last_block(bool fence)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *first = begin(launch, 0, 32);
    struct cdp_history_block *second = begin(launch, 1, 32);
    writes(first, 4, 0);
    cdp_history_barrier(first);
    if (fence) {
        cdp_history_fence(first, 0, false);
    }
    adds(first, 0, 1);
    adds(second, 0, 1);
    cdp_history_barrier(second);
    return reads(second, 9, 0);
}

CDP_TEST(a_fence_and_an_atomic_order_blocks)
{
    ck_assert_int_eq(last_block(true), CDP_ORDERED);
}

CDP_TEST(an_atomic_without_a_fence_orders_nothing)
{
    ck_assert_int_eq(last_block(false), CDP_NO_GRID_SYNC);
}

CDP_TEST(a_release_is_for_what_was_before_the_fence)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *first = begin(launch, 0, 32);
    struct cdp_history_block *second = begin(launch, 1, 32);
    cdp_history_fence(first, 0, false);
    writes(first, 0, 0);
    adds(first, 0, 1);
    adds(second, 0, 1);
    ck_assert_int_eq(reads(second, 0, 0), CDP_NO_GRID_SYNC);
}

CDP_TEST(releases_are_transitive)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *block[3];
    for (uint32_t i = 0; i < 3; i++) {
        block[i] = begin(launch, i, 1);
    }
    writes(block[0], 0, 0);
    cdp_history_fence(block[0], 0, false);
    adds(block[0], 0, 1);
    adds(block[1], 0, 1);
    cdp_history_fence(block[1], 0, false);
    adds(block[1], 0, 2);
    adds(block[2], 0, 2);
    ck_assert_int_eq(reads(block[2], 0, 0), CDP_ORDERED);
}

CDP_TEST(a_fence_of_the_blocks_scope_orders_only_the_block)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *first = begin(launch, 0, 64);
    struct cdp_history_block *second = begin(launch, 1, 64);
    writes(first, 0, 0);
    writes(first, 0, 2);
    cdp_history_fence(first, 0, true);
    adds(first, 0, 1);
    adds(first, 40, 1);
    adds(second, 0, 1);
    ck_assert_int_eq(reads(first, 40, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(second, 0, 2), CDP_NO_GRID_SYNC);
}

/* The work of two blocks, whose last one launches the grid that uses it: quicksort in levels. */
static enum cdp_order_rule last_block_launches(bool fence)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *first = begin(launch, 0, 1);
    struct cdp_history_block *second = begin(launch, 1, 1);
    writes(first, 0, 0);
    if (fence) {
        cdp_history_fence(first, 0, false);
    }
    adds(first, 0, 1);
    adds(second, 0, 1);
    return reads(child(second, 0, 5), 0, 0);
}

CDP_TEST(a_child_is_after_what_its_launcher_has_acquired)
{
    ck_assert_int_eq(last_block_launches(true), CDP_ORDERED);
}

CDP_TEST(a_child_is_not_after_what_was_never_released)
{
    ck_assert_int_eq(last_block_launches(false), CDP_NO_GRID_SYNC);
}

/* A block waits for its child, and then tells another block. */
static enum cdp_order_rule child_is_published(bool waits)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *first = begin(launch, 0, 1);
    struct cdp_history_block *second = begin(launch, 1, 1);
    writes(child(first, 0, 5), 0, 0);
    if (waits) {
        cdp_history_joined(first, 0, first->latest);
    }
    cdp_history_fence(first, 0, false);
    adds(first, 0, 1);
    adds(second, 0, 1);
    return reads(second, 0, 0);
}

CDP_TEST(a_release_is_for_children_that_were_waited_for)
{
    ck_assert_int_eq(child_is_published(true), CDP_ORDERED);
}

CDP_TEST(a_release_is_not_for_children_that_still_run)
{
    ck_assert_int_eq(child_is_published(false), CDP_NO_GRID_SYNC);
}

/* ---- Launches by device code ---- */

CDP_TEST(a_child_is_after_what_its_launcher_did_before)
{
    start();
    struct cdp_history_block *parent = host_grid(64);
    writes(parent, 1, 0);
    writes(parent, 40, 1);
    struct cdp_history_block *c = child(parent, 1, 5);
    writes(parent, 1, 2);
    ck_assert_int_eq(reads(c, 0, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(c, 0, 1), CDP_NO_LAUNCH);
    ck_assert_int_eq(reads(c, 0, 2), CDP_NO_LAUNCH);
}

CDP_TEST(a_barrier_before_the_launch_orders_the_whole_block)
{
    start();
    struct cdp_history_block *parent = host_grid(64);
    writes(parent, 40, 1);
    cdp_history_barrier(parent);
    ck_assert_int_eq(reads(child(parent, 1, 5), 0, 1), CDP_ORDERED);
}

CDP_TEST(a_warp_operation_before_the_launch_orders_its_lanes)
{
    start();
    struct cdp_history_block *parent = host_grid(64);
    writes(parent, 7, 1);
    cdp_history_warp(parent, 0, ~0u);
    ck_assert_int_eq(reads(child(parent, 1, 5), 0, 1), CDP_ORDERED);
}

CDP_TEST(readers_of_a_small_warp_are_before_a_launch_after_its_operation)
{
    start();
    struct cdp_history_block *parent = host_grid(16);
    for (uint32_t lane = 0; lane < 16; lane++) {
        reads(parent, lane, 0);
        reads(parent, lane, 1);
    }
    struct cdp_history_block *early = child(parent, 0, 5);
    cdp_history_warp(parent, 0, 0xffff);
    ck_assert_int_eq(writes(child(parent, 0, 5), 0, 0), CDP_ORDERED);
    ck_assert_int_eq(writes(early, 0, 1), CDP_NO_LAUNCH);
}

CDP_TEST(a_parent_waits_for_its_child)
{
    start();
    struct cdp_history_block *parent = host_grid(64);
    struct cdp_history_block *c = child(parent, 1, 5);
    writes(c, 0, 0);
    writes(c, 0, 1);
    writes(c, 0, 2);
    writes(c, 0, 3);
    ck_assert_int_eq(reads(parent, 1, 0), CDP_NO_JOIN);
    cdp_history_joined(parent, 1, parent->latest);
    ck_assert_int_eq(reads(parent, 1, 1), CDP_ORDERED);
    ck_assert_int_eq(reads(parent, 2, 2), CDP_JOIN_BY_OTHER);
    cdp_history_barrier(parent);
    ck_assert_int_eq(reads(parent, 2, 3), CDP_ORDERED);
}

CDP_TEST(a_wait_is_for_launches_before_it)
{
    start();
    struct cdp_history_block *parent = host_grid(1);
    cdp_history_joined(parent, 0, parent->latest);
    writes(child(parent, 0, 5), 0, 0);
    ck_assert_int_eq(reads(parent, 0, 0), CDP_NO_JOIN);
}

CDP_TEST(a_wait_is_for_grandchildren_too)
{
    start();
    struct cdp_history_block *parent = host_grid(1);
    struct cdp_history_block *c = child(parent, 0, 5);
    struct cdp_history_launch launch = child_of(0, CDP_LAUNCH_CHILD, 6);
    launch.depth = 2;
    struct cdp_history_block *grandchild = begin(cdp_history_launch(c, &launch), 0, 1);
    writes(grandchild, 0, 0);
    writes(grandchild, 0, 1);
    ck_assert_int_eq(reads(parent, 0, 1), CDP_NO_JOIN);
    cdp_history_joined(parent, 0, parent->latest);
    ck_assert_int_eq(reads(parent, 0, 0), CDP_ORDERED);
}

CDP_TEST(children_of_one_stream_are_ordered)
{
    start();
    struct cdp_history_block *parent = host_grid(1);
    struct cdp_history_block *first = child(parent, 0, 5), *second = child(parent, 0, 5);
    struct cdp_history_block *other = child(parent, 0, 6), *free_one = child(parent, 0, 0);
    writes(first, 0, 0);
    writes(first, 0, 1);
    writes(first, 0, 2);
    ck_assert_int_eq(reads(second, 0, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(other, 0, 1), CDP_NO_STREAM);
    ck_assert_int_eq(reads(free_one, 0, 2), CDP_NO_STREAM);
}

CDP_TEST(a_wait_between_two_launches_orders_them)
{
    start();
    struct cdp_history_block *parent = host_grid(1);
    writes(child(parent, 0, 0), 0, 0);
    cdp_history_joined(parent, 0, parent->latest);
    ck_assert_int_eq(reads(child(parent, 0, 0), 0, 0), CDP_ORDERED);
}

CDP_TEST(a_clock_orders_two_streams)
{
    start();
    struct cdp_history_block *parent = host_grid(1);
    struct cdp_history_block *first = child(parent, 0, 5);
    struct cdp_history_launch launch = child_of(0, CDP_LAUNCH_CHILD, 6);
    cdp_clock_add(&launch.clock, 5, first->launch);
    struct cdp_history_block *second = begin(cdp_history_launch(parent, &launch), 0, 1);
    writes(first, 0, 0);
    ck_assert_int_eq(reads(second, 0, 0), CDP_ORDERED);
}

CDP_TEST(tails_are_after_their_grid)
{
    start();
    uint32_t number = host_launch(1, NULL);
    struct cdp_history_block *block = begin(number, 0, 32);
    struct cdp_history_block *other = begin(number, 1, 32);
    struct cdp_history_block *c = child(block, 3, 0);
    struct cdp_history_launch launch = child_of(0, CDP_LAUNCH_TAIL, 0);
    struct cdp_history_block *tail = begin(cdp_history_launch(block, &launch), 0, 1);
    writes(block, 9, 0);
    writes(other, 9, 1);
    writes(c, 0, 2);
    ck_assert_int_eq(reads(tail, 0, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(tail, 0, 1), CDP_ORDERED);
    ck_assert_int_eq(reads(tail, 0, 2), CDP_ORDERED);
}

/* ---- The host ---- */

CDP_TEST(the_hosts_streams_are_ordered_by_clocks)
{
    start();
    uint32_t one = host_launch(1, NULL), same = host_launch(1, NULL), two = host_launch(2, NULL);
    struct cdp_race_clock *clock = NULL;
    cdp_clock_add(&clock, 1, one);
    uint32_t waits = host_launch(3, clock);
    struct cdp_history_block *writer = begin(one, 0, 1);
    for (int word = 0; word < 3; word++) {
        writes(writer, 0, word);
    }
    ck_assert_int_eq(reads(begin(same, 0, 1), 0, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(begin(two, 0, 1), 0, 1), CDP_NO_STREAM);
    ck_assert_int_eq(reads(begin(waits, 0, 1), 0, 2), CDP_ORDERED);
    cdp_clock_drop(clock);
}

CDP_TEST(the_host_waits_for_a_stream)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *writer = begin(launch, 0, 1);
    writes(writer, 0, 0);
    writes(writer, 0, 1);
    ck_assert_int_eq(reads(NULL, 0, 0), CDP_NO_HOST_SYNC);
    cdp_history_host_joined(NULL, 1, launch);
    ck_assert_int_eq(reads(NULL, 0, 1), CDP_ORDERED);
}

CDP_TEST(a_launch_is_after_what_the_host_did_before)
{
    start();
    writes(NULL, 0, 0);
    uint32_t launch = host_launch(1, NULL);
    writes(NULL, 0, 1);
    struct cdp_history_block *reader = begin(launch, 0, 1);
    ck_assert_int_eq(reads(reader, 0, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(reader, 0, 1), CDP_NO_HOST_LAUNCH);
}

CDP_TEST(what_the_host_waited_for_is_before_its_later_launches)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    writes(begin(launch, 0, 1), 0, 0);
    cdp_history_host_joined(NULL, 1, launch);
    ck_assert_int_eq(reads(begin(host_launch(2, NULL), 0, 1), 0, 0), CDP_ORDERED);
}

/* A grid writes words 0 and 1 and sets the flag in word 2, which the host reads. */
static struct cdp_history_block *flag_of_grid(bool fence)
{
    start();
    struct cdp_history_block *writer = host_grid(32);
    writes(writer, 0, 0);
    writes(writer, 0, 1);
    if (fence) {
        cdp_history_fence(writer, 0, false);
    }
    adds(writer, 0, 2);
    cdp_release_host_read(&memory[2]);
    return writer;
}

CDP_TEST(the_host_acquires_what_a_flag_releases)
{
    struct cdp_history_block *writer = flag_of_grid(true);
    ck_assert_int_eq(reads(NULL, 0, 0), CDP_ORDERED);
    ck_assert_int_eq(writes(begin(host_launch(2, NULL), 0, 1), 0, 1), CDP_ORDERED);
    writes(writer, 0, 3);
    ck_assert_int_eq(reads(NULL, 0, 3), CDP_NO_HOST_SYNC);
}

CDP_TEST(the_host_acquires_nothing_by_a_flag_without_a_fence)
{
    flag_of_grid(false);
    ck_assert_int_eq(reads(NULL, 0, 0), CDP_NO_HOST_SYNC);
}

CDP_TEST(a_flag_of_the_host_releases_what_it_did_before)
{
    start();
    struct cdp_history_block *reader = host_grid(64);
    writes(NULL, 0, 0);
    writes(NULL, 0, 1);
    struct cdp_race_access flag = {
        .address = &memory[2], .size = 4, .writes = true, .is_flag = true, .site = 7};
    struct cdp_race_conflict conflict;
    ck_assert(!cdp_race_check(&flag, &conflict));
    cdp_flag_read(&memory[2], reader, 0);
    ck_assert_int_eq(reads(reader, 0, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(reader, 40, 1), CDP_NO_HOST_LAUNCH);
    cdp_history_barrier(reader);
    ck_assert_int_eq(reads(reader, 40, 1), CDP_ORDERED);
    (void)host_launch(2, NULL);
    writes(NULL, 0, 3);
    ck_assert_int_eq(reads(reader, 0, 3), CDP_NO_HOST_LAUNCH);
}

CDP_TEST(a_function_of_the_host_is_after_its_stream)
{
    start();
    uint32_t launch = host_launch(1, NULL), function = host_launch(1, NULL);
    uint32_t later = host_launch(1, NULL);
    writes(begin(launch, 0, 1), 0, 0);
    writes(begin(function, 0, 1), 0, 1);
    writes(begin(later, 0, 1), 0, 2);
    cdp_history_host_called(function);
    ck_assert_int_eq(reads(NULL, 0, 0), CDP_ORDERED);
    ck_assert_int_eq(reads(NULL, 0, 1), CDP_ORDERED);
    ck_assert_int_eq(reads(NULL, 0, 2), CDP_NO_HOST_SYNC);
}

CDP_TEST(nothing_before_the_horizon_races)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    writes(begin(launch, 0, 1), 0, 0);
    cdp_race_settled();
    ck_assert_int_eq(writes(begin(host_launch(2, NULL), 0, 1), 0, 0), CDP_ORDERED);
    ck_assert_int_eq(writes(begin(host_launch(3, NULL), 0, 1), 0, 0), CDP_NO_STREAM);
}

CDP_TEST(cleared_memory_has_no_accesses)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    writes(begin(launch, 0, 1), 0, 0);
    cdp_shadow_clear(memory, sizeof memory);
    ck_assert_int_eq(writes(begin(host_launch(2, NULL), 0, 1), 0, 0), CDP_ORDERED);
}

CDP_TEST(memory_outside_of_the_ranges_has_cells_too)
{
    static uint32_t other[2];
    start();
    struct cdp_history_block *block = host_grid(64);
    access_bytes(block, 0, true, other, 8);
    ck_assert_int_eq(access_bytes(block, 40, false, &other[1], 4), CDP_NO_BARRIER);
}

CDP_TEST(shared_memory_of_an_earlier_block_is_new)
{
    start();
    uint32_t launch = host_launch(1, NULL);
    struct cdp_history_block *first = begin(launch, 0, 1);
    writes(first, 0, 0);
    cdp_history_end(first);
    struct cdp_race_access access = {.address = memory,
                                     .size = 4,
                                     .writes = true,
                                     .is_shared = true,
                                     .block = begin(launch, 1, 1)};
    struct cdp_race_conflict conflict;
    ck_assert(!cdp_race_check(&access, &conflict));
}

CDP_TEST(a_conflict_names_the_recorded_access)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    writes(block, 45, 2);
    struct cdp_race_access access = {.address = &memory[1], .size = 8, .block = block};
    struct cdp_race_conflict conflict;
    ck_assert(cdp_race_check(&access, &conflict));
    ck_assert_ptr_eq(conflict.address, &memory[2]);
    ck_assert_uint_eq(conflict.access.thread, 45);
    ck_assert_uint_eq(conflict.site, 7);
    ck_assert(conflict.writes && !conflict.is_atomic);
}

CDP_TEST(what_the_ring_has_overwritten_is_counted)
{
    start();
    struct cdp_history_block *block = host_grid(64);
    writes(block, 0, 0);
    for (int i = 0; i <= CDP_HISTORY_SEGMENTS; i++) {
        cdp_history_barrier(block);
        (void)cdp_history_segment(block);
    }
    ck_assert_uint_eq(cdp_history_forgotten(), 0);
    ck_assert_int_eq(reads(host_grid(1), 0, 0), CDP_ORDERED);
    ck_assert_uint_eq(cdp_history_forgotten(), 1);
}

CDP_TEST_MAIN("race", 60)
