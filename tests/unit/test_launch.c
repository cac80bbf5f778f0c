/* Device launches: completion, streams, events, synchronize, faults. */
#include "base/alloc.h"
#include "support/engine.h"

static atomic_long total;

static void leaf(const void *params)
{
    atomic_fetch_add(&total, *(const long *)params);
}
static const struct cdp_abi_kernel leaf_kernel = KERNEL(leaf);

/* Runs body for 1, 2, 4 workers and a few seeds, with a fresh engine. */
#define FOR_ALL_SCHEDULES                                                                          \
    for (unsigned schedule = 0; schedule < 6; schedule++)                                          \
        for (int once = (engine_start(1u << schedule % 3, schedule / 3 * 7), 1); once;             \
             once = 0, cdp_engine_stop(engine))

static const struct cdp_abi_kernel tree_kernel;
static void tree(const void *params)
{
    long depth = *(const long *)params;
    if (depth == 0) {
        atomic_fetch_add(&total, 1);
        return;
    }
    child(&tree_kernel, 1, 1, depth - 1);
    child(&tree_kernel, 1, 1, depth - 1);
}
static const struct cdp_abi_kernel tree_kernel = KERNEL(tree);

CDP_TEST(host_waits_for_the_whole_tree)
{
    FOR_ALL_SCHEDULES
    {
        atomic_store(&total, 0);
        run(&tree_kernel, 1, 1, 12);
        ck_assert_int_eq(atomic_load(&total), 4096);
    }
}

static const struct cdp_abi_kernel nested_kernel;
static void nested(const void *params)
{
    long depth = *(const long *)params;
    atomic_fetch_add(&total, 1);
    if (depth > 0 && this_thread() < 2) {
        long before = atomic_load(&total);
        child(&nested_kernel, 1, 4, depth - 1);
        device_synchronize();
        if (atomic_load(&total) <= before) {
            abort();
        }
    }
    cdp_abi_syncthreads();
}
static const struct cdp_abi_kernel nested_kernel = KERNEL(nested);

CDP_TEST(synchronize_at_every_level)
{
    FOR_ALL_SCHEDULES
    {
        atomic_store(&total, 0);
        run(&nested_kernel, 2, 4, 8);
        ck_assert_int_eq(atomic_load(&total), 2 * 4 * 511);
    }
}

static const struct cdp_abi_kernel chain_kernel;
static void chain(const void *params)
{
    long depth = *(const long *)params;
    atomic_fetch_add(&total, 1);
    if (depth > 0) {
        child(&chain_kernel, 1, 1, depth - 1);
    }
}
static const struct cdp_abi_kernel chain_kernel = KERNEL(chain);

CDP_TEST(completion_of_a_long_chain_is_no_recursion)
{
    engine_start(2, 0);
    run(&chain_kernel, 1, 1, 50000);
    ck_assert_int_eq(atomic_load(&total), 50001);
    cdp_engine_stop(engine);
}

/* Order within a stream: each child appends its number, all in one stream. */
enum { CHILDREN = 200, LISTS = 64 };
static int list[LISTS][CHILDREN];
static int list_length[LISTS];

static void append(const void *params)
{
    long which = *(const long *)params;
    int at = (int)(which / CHILDREN);
    list[at][list_length[at]++] = (int)(which % CHILDREN);
}
static const struct cdp_abi_kernel append_kernel = KERNEL(append);

static void launch_many(const void *params)
{
    (void)params;
    long block = cdp_abi_self->block->block_idx[0];
    for (long i = 0; i < CHILDREN; i++) {
        child(&append_kernel, 1, 1, block * CHILDREN + i);
    }
}
static const struct cdp_abi_kernel many_kernel = KERNEL(launch_many);

static void check_lists(int lists)
{
    for (int l = 0; l < lists; l++) {
        ck_assert_int_eq(list_length[l], CHILDREN);
        for (int i = 0; i < CHILDREN; i++) {
            ck_assert_int_eq(list[l][i], i);
        }
        list_length[l] = 0;
    }
}

CDP_TEST(null_stream_of_a_block_keeps_order)
{
    FOR_ALL_SCHEDULES
    {
        for (int round = 0; round < 5; round++) {
            run(&many_kernel, LISTS, 1, 0);
            check_lists(LISTS);
        }
    }
}

static void launch_into_streams(long block)
{
    static const unsigned streams = 8;
    for (unsigned s = 0; s < streams; s++) {
        uint64_t handle;
        if (cdp_device_stream_create(this_block(), &handle) != CDP_OK) {
            abort();
        }
        struct cdp_device_stream *stream = cdp_device_stream_find(this_block(), handle);
        for (long i = 0; i < CHILDREN; i++) {
            child_in(&append_kernel, 1, 1, (block * streams + s) * CHILDREN + i, CDP_TARGET_NAMED,
                     stream);
        }
        cdp_device_stream_destroy(this_block(), stream);
        if (cdp_device_stream_find(this_block(), handle) != NULL) {
            abort();
        }
    }
}

static void launch_into_named(const void *params)
{
    (void)params;
    launch_into_streams(cdp_abi_self->block->block_idx[0]);
}
static const struct cdp_abi_kernel named_kernel = KERNEL(launch_into_named);

static void launch_into_private(const void *params)
{
    launch_into_streams(*(const long *)params);
}
static const struct cdp_abi_kernel private_kernel = KERNEL(launch_into_private);

CDP_TEST(named_streams_keep_order_and_outlive_their_destruction)
{
    FOR_ALL_SCHEDULES
    {
        run(&named_kernel, LISTS / 8, 1, 0);
        check_lists(LISTS);
    }
}

/* The grids have one block each, so nobody else may use its streams. */
CDP_TEST(private_streams_keep_order_and_outlive_their_destruction)
{
    FOR_ALL_SCHEDULES
    {
        for (long block = 0; block < LISTS / 8; block++) {
            launch(&private_kernel, 1, 1, block);
        }
        synchronize();
        check_lists(LISTS);
    }
}

/* Each stream takes the memory of the one before, whether that had work or not. */
static void use_many_streams(const void *params)
{
    uint64_t before = 0;
    for (long i = 0; i < *(const long *)params; i++) {
        uint64_t handle;
        if (cdp_device_stream_create(this_block(), &handle) != CDP_OK || handle == before ||
            (before != 0 && cdp_device_stream_find(this_block(), before) != NULL)) {
            abort();
        }
        struct cdp_device_stream *stream = cdp_device_stream_find(this_block(), handle);
        if (i % 2 != 0) {
            child_in(&leaf_kernel, 1, 1, 1, CDP_TARGET_NAMED, stream);
            device_synchronize();
        }
        cdp_device_stream_destroy(this_block(), stream);
        before = handle;
    }
    /* Some streams and events are still there when the block ends. */
    for (int i = 0; i < 5; i++) {
        uint64_t handle;
        if (cdp_device_stream_create(this_block(), &handle) != CDP_OK ||
            cdp_device_event_create(this_block(), &handle) != CDP_OK) {
            abort();
        }
    }
}
static const struct cdp_abi_kernel reuse_kernel = KERNEL(use_many_streams);

static uint32_t used_slots(void)
{
    cdp_lock_acquire(&engine->scope_objects.lock);
    uint32_t used = engine->scope_objects.used;
    cdp_lock_release(&engine->scope_objects.lock);
    return used;
}

/* A grid's objects are given to the worker that ends the grid. It keeps up to CDP_SPARE_KEPT of
 * them, while the workers that created them take new ones. Far more are created in all. */
CDP_TEST(ended_streams_are_used_again)
{
    static const uint32_t of_worker = CDP_SPARE_KEPT + 32, workers = 4, live = 10;
    for (unsigned blocks = 1; blocks <= 2; blocks++) {
        FOR_ALL_SCHEDULES
        {
            atomic_store(&total, 0);
            for (int i = 0; i < 20; i++) {
                run(&reuse_kernel, blocks, 1, 1000);
            }
            ck_assert_int_eq(atomic_load(&total), 20L * 500 * blocks);
            ck_assert_uint_le(used_slots(), workers * (of_worker + blocks * live));
        }
    }
}

/* Two streams that pass a token back and forth by events. */
static atomic_long token;
static void expect_token(const void *params)
{
    long want = *(const long *)params;
    if (atomic_fetch_add(&token, 1) != want) {
        abort();
    }
}
static const struct cdp_abi_kernel token_kernel = KERNEL(expect_token);

static void play(const void *params)
{
    (void)params;
    struct cdp_device_stream *streams[2];
    struct cdp_device_event *events[2];
    for (int i = 0; i < 2; i++) {
        uint64_t handle;
        if (cdp_device_stream_create(this_block(), &handle) != CDP_OK) {
            abort();
        }
        streams[i] = cdp_device_stream_find(this_block(), handle);
        if (cdp_device_event_create(this_block(), &handle) != CDP_OK) {
            abort();
        }
        events[i] = cdp_device_event_find(this_block(), handle);
    }
    for (int i = 0; i < 300; i++) {
        int me = i & 1, other = me ^ 1;
        enum cdp_status ok =
            cdp_device_event_wait(this_block(), events[other], CDP_TARGET_NAMED, streams[me]);
        child_in(&token_kernel, 1, 1, i, CDP_TARGET_NAMED, streams[me]);
        if (ok != CDP_OK || cdp_device_event_record(this_block(), events[me], CDP_TARGET_NAMED,
                                                    streams[me]) != CDP_OK) {
            abort();
        }
    }
}
static const struct cdp_abi_kernel play_kernel = KERNEL(play);

CDP_TEST(events_order_streams)
{
    FOR_ALL_SCHEDULES
    {
        atomic_store(&token, 0);
        run(&play_kernel, 1, 1, 0);
        ck_assert_int_eq(atomic_load(&token), 300);
    }
}

static atomic_long parents_children;
static void slow_leaf(const void *params)
{
    (void)params;
    atomic_fetch_add(&parents_children, 1);
}
static const struct cdp_abi_kernel slow_kernel = KERNEL(slow_leaf);
static const struct cdp_abi_kernel tail_kernel;
static void tail(const void *params)
{
    long left = *(const long *)params;
    if (atomic_load(&parents_children) != 4 * 50) {
        abort(); /* tails run after all other children of the grid */
    }
    atomic_fetch_add(&total, 1);
    if (left > 0) {
        child_in(&tail_kernel, 1, 1, left - 1, CDP_TARGET_TAIL, NULL);
    }
}
static const struct cdp_abi_kernel tail_kernel = KERNEL(tail);

static void launch_tails(const void *params)
{
    (void)params;
    child_in(&tail_kernel, 1, 1, 5, CDP_TARGET_TAIL, NULL);
    for (int i = 0; i < 50; i++) {
        child_in(&slow_kernel, 1, 1, 0, i % 2 ? CDP_TARGET_FREE : CDP_TARGET_BLOCK, NULL);
    }
}
static const struct cdp_abi_kernel tails_kernel = KERNEL(launch_tails);

static void wait_for_tails(const void *params)
{
    (void)params;
    child(&tails_kernel, 4, 1, 0);
    device_synchronize();
    if (atomic_load(&total) != 4 * 6) {
        abort(); /* the tails belong to the child */
    }
}
static const struct cdp_abi_kernel waits_kernel = KERNEL(wait_for_tails);

CDP_TEST(tails_run_last_and_are_part_of_their_grid)
{
    FOR_ALL_SCHEDULES
    {
        atomic_store(&total, 0);
        atomic_store(&parents_children, 0);
        run(&waits_kernel, 1, 1, 0);
        ck_assert_int_eq(atomic_load(&total), 24);
    }
}

static void wait_all(const void *params)
{
    (void)params;
    child(&leaf_kernel, 2, 16, 1);
    device_synchronize();
    cdp_abi_syncthreads();
    child(&leaf_kernel, 1, 1, 1);
}
static const struct cdp_abi_kernel wait_all_kernel = KERNEL(wait_all);

CDP_TEST(a_thousand_threads_wait_at_once)
{
    FOR_ALL_SCHEDULES
    {
        atomic_store(&total, 0);
        run(&wait_all_kernel, 3, 1024, 0);
        ck_assert_int_eq(atomic_load(&total), 3 * 1024 * 33);
    }
}

static void fault_below(const void *params)
{
    long depth = *(const long *)params;
    if (depth == 0) {
        *(volatile int *)16 = 1;
    }
    child(&(const struct cdp_abi_kernel)KERNEL(leaf), 1, 1, 1);
    device_synchronize();
}
static const struct cdp_abi_kernel below_kernel = KERNEL(fault_below);

static void fault_in_child(const void *params)
{
    (void)params;
    child(&below_kernel, 1, 1, 0);
    device_synchronize();
    for (int i = 0; i < 100; i++) {
        child(&leaf_kernel, 1, 1, 1);
    }
    cdp_abi_syncthreads();
}
static const struct cdp_abi_kernel fault_kernel = KERNEL(fault_in_child);

CDP_TEST(fault_in_a_child_reaches_the_host_and_the_process_lives)
{
    FOR_ALL_SCHEDULES
    {
        for (int round = 0; round < 20; round++) {
            run(&fault_kernel, 8, 32, 0);
            ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_ADDRESS);
            cdp_engine_clear_fault(engine, 0);
            atomic_store(&total, 0);
            run(&leaf_kernel, 10, 10, 1);
            ck_assert_int_eq(atomic_load(&total), 100);
        }
    }
}

static int __attribute__((noinline)) deeper(volatile char *above, long levels)
{
    volatile char frame[2000];
    frame[0] = above[0];
    int result = levels > 0 ? deeper(frame, levels - 1) : 0;
    return result + frame[0];
}

static void overflow(const void *params)
{
    volatile char start = 1;
    atomic_fetch_add(&total, deeper(&start, *(const long *)params));
}
static const struct cdp_abi_kernel overflow_kernel = KERNEL(overflow);

CDP_TEST(stack_overflow_is_a_fault)
{
    engine_start(2, 0);
    run(&overflow_kernel, 2, 4, 10000);
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_STACK);
    cdp_engine_stop(engine);
}

static void vote(const void *params)
{
    (void)params;
    cdp_abi_assert_fail("x > 0", "file.cu", 12, "vote");
}
static const struct cdp_abi_kernel assert_kernel = KERNEL(vote);

CDP_TEST(assert_fails_the_launch)
{
    engine_start(2, 0);
    run(&assert_kernel, 1, 2, 0);
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_ASSERT);
    cdp_engine_stop(engine);
}

CDP_TEST(many_host_launches_are_all_done)
{
    FOR_ALL_SCHEDULES
    {
        atomic_store(&total, 0);
        for (int i = 0; i < 5000; i++) {
            launch(&leaf_kernel, 1, 2, 1);
        }
        synchronize();
        ck_assert_int_eq(atomic_load(&total), 10000);
    }
}

CDP_TEST(sleeping_workers_are_woken)
{
    engine_start(3, 0);
    for (int i = 0; i < 200; i++) {
        struct timespec pause = {.tv_nsec = 200000};
        nanosleep(&pause, NULL);
        atomic_store(&total, 0);
        run(&leaf_kernel, 4, 4, 1);
        ck_assert_int_eq(atomic_load(&total), 16);
    }
    cdp_engine_stop(engine);
}

static void launch_both_ways(const void *params)
{
    (void)params;
    child_in(&leaf_kernel, 1, 1, 1, CDP_TARGET_TAIL, NULL);
    child_in(&leaf_kernel, 1, 1, 1, CDP_TARGET_FREE, NULL);
}
static const struct cdp_abi_kernel both_ways_kernel = KERNEL(launch_both_ways);

CDP_TEST(fixed_pool_gets_all_entries_back)
{
    setenv("CDP_LAUNCH_POOL", "fixed", 1);
    engine_start(1, 0);
    cdp_engine_limits(engine, 0)->pending_launches = 2;
    atomic_store(&total, 0);
    for (int i = 0; i < 10; i++) {
        run(&both_ways_kernel, 1, 1, 0);
    }
    ck_assert_int_eq(atomic_load(&total), 20);
    cdp_engine_stop(engine);
}

/* If there is no memory for a record, the event does not change: nothing waits for it. */
static void record_without_memory(const void *params)
{
    (void)params;
    struct cdp_block *block = this_block();
    uint64_t handle;
    if (cdp_device_event_create(block, &handle) != CDP_OK) {
        abort();
    }
    struct cdp_device_event *event = cdp_device_event_find(block, handle);
    enum cdp_status status = CDP_OK;
    while (status == CDP_OK) {
        cdp_alloc_set_failure(2, 1); /* the mark, then now and then a chunk of records */
        status = cdp_device_event_record(block, event, CDP_TARGET_BLOCK, NULL);
    }
    cdp_alloc_set_failure(0, 1);
    if (cdp_device_event_wait(block, event, CDP_TARGET_BLOCK, NULL) != CDP_OK) {
        abort();
    }
    child(&leaf_kernel, 1, 1, 1);
}
static const struct cdp_abi_kernel record_kernel = KERNEL(record_without_memory);

CDP_TEST(event_record_without_memory_blocks_nothing)
{
    engine_start(1, 0);
    atomic_store(&total, 0);
    run(&record_kernel, 1, 1, 0);
    ck_assert_int_eq(atomic_load(&total), 1);
    cdp_engine_stop(engine);
}

CDP_TEST_MAIN("launch", 120)
