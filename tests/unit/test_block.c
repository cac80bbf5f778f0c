/* Blocks: every thread runs once, and barriers work and count, in any order. */
#include <pthread.h>
#include <time.h>

#include "support/engine.h"

static atomic_long total;
static int order[1024];

static void count_thread(const void *params)
{
    (void)params;
    atomic_fetch_add(&total, 1);
}
static const struct cdp_abi_kernel count_kernel = KERNEL(count_thread);

CDP_TEST(every_thread_of_every_block_runs_once)
{
    for (unsigned workers = 1; workers <= 4; workers++) {
        engine_start(workers, 0);
        atomic_store(&total, 0);
        run(&count_kernel, 1000, 37, 0);
        ck_assert_int_eq(atomic_load(&total), 37000);
        cdp_engine_stop(engine);
    }
}

static void check_index(const void *params)
{
    (void)params;
    const struct cdp_abi_thread *t = cdp_abi_self;
    const struct cdp_abi_block *b = t->block;
    uint32_t linear = t->thread_idx[0] + t->thread_idx[1] * b->block_dim[0] +
                      t->thread_idx[2] * b->block_dim[0] * b->block_dim[1];
    if (linear == t->linear && b->block_idx[0] < b->grid_dim[0] &&
        b->block_idx[1] < b->grid_dim[1] && b->block_idx[2] < b->grid_dim[2]) {
        long at = b->block_idx[0] +
                  (long)b->grid_dim[0] * (b->block_idx[1] + b->grid_dim[1] * b->block_idx[2]);
        atomic_fetch_add(&total, 1 + at);
    }
}
static const struct cdp_abi_kernel index_kernel = KERNEL(check_index);

CDP_TEST(indices_are_three_dimensional_in_any_order)
{
    for (unsigned seed = 0; seed < 5; seed++) {
        engine_start(2, seed);
        long params[PARAMS] = {0};
        struct cdp_launch order3 = {.kernel = &index_kernel,
                                    .grid_dim = {3, 4, 5},
                                    .block_dim = {7, 3, 2},
                                    .params = params};
        atomic_store(&total, 0);
        launch_order(&order3);
        synchronize();
        ck_assert_int_eq(atomic_load(&total), 42 * (60 + 59 * 60 / 2));
        cdp_engine_stop(engine);
    }
}

/* Each thread writes, waits at the barrier, and reads its neighbour's value. */
static int board[2][1024];
static void pass_along(const void *params)
{
    long rounds = *(const long *)params;
    unsigned i = this_thread(), n = cdp_abi_self->block->thread_count;
    board[0][i] = (int)i;
    for (long r = 0; r < rounds; r++) {
        cdp_abi_syncthreads();
        board[(r + 1) & 1][i] = board[r & 1][(i + 1) % n];
    }
    cdp_abi_syncthreads();
    order[i] = board[rounds & 1][i];
}
static const struct cdp_abi_kernel pass_kernel = KERNEL(pass_along);

CDP_TEST(barrier_separates_writes_from_reads)
{
    const unsigned sizes[] = {1, 2, 31, 32, 33, 256, 1024};
    for (unsigned seed = 0; seed < 3; seed++) {
        engine_start(1 + seed, seed);
        for (unsigned s = 0; s < 7; s++) {
            run(&pass_kernel, 1, sizes[s], 50);
            for (unsigned i = 0; i < sizes[s]; i++) {
                ck_assert_uint_eq((unsigned)order[i], (i + 50) % sizes[s]);
            }
        }
        cdp_engine_stop(engine);
    }
}

static void leave_early(const void *params)
{
    (void)params;
    if (this_thread() % 3 == 0) {
        return;
    }
    cdp_abi_syncthreads();
    int odd = cdp_abi_syncthreads_count(this_thread() % 2);
    int all = cdp_abi_syncthreads_and(this_thread() % 3 != 0);
    int none = cdp_abi_syncthreads_or(this_thread() > 5000);
    if (odd == 32 && all == 1 && none == 0) {
        atomic_fetch_add(&total, 1);
    }
}
static const struct cdp_abi_kernel early_kernel = KERNEL(leave_early);

CDP_TEST(barrier_counts_only_threads_that_live)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        engine_start(2, seed);
        atomic_store(&total, 0);
        run(&early_kernel, 10, 96, 0);
        ck_assert_int_eq(atomic_load(&total), 10 * 64);
        cdp_engine_stop(engine);
    }
}

/* A kernel with a block entry, which runs all threads in one call, and a thread entry. */
static uint32_t whole_block(const void *params, struct cdp_abi_block *block, uint32_t count)
{
    (void)params, (void)count;
    for (uint32_t i = 0; i < block->thread_count; i++) {
        atomic_fetch_add(&total, 1000);
    }
    cdp_abi_self->linear = 3;
    cdp_abi_self->thread_idx[0] = 3;
    if (block->depth == 0) {
        child(&count_kernel, 2, 8, 0);
        device_synchronize();
        cdp_abi_printf("from the block entry\n");
    }
    return 1;
}
static const struct cdp_abi_kernel both_kernel = {.abi_version = CDP_ABI_VERSION,
                                                  .name = "both",
                                                  .thread_entry = count_thread,
                                                  .block_entry = whole_block,
                                                  .param_size = PARAMS * sizeof(long)};

CDP_TEST(block_entry_runs_in_place_of_threads)
{
    engine_start(2, 0);
    atomic_store(&total, 0);
    run(&both_kernel, 4, 16, 0);
    cdp_engine_flush_output(engine, 0);
    ck_assert_int_eq(atomic_load(&total), 4 * 16 * 1000 + 4 * 16);
    cdp_engine_stop(engine);
}

CDP_TEST(option_chooses_the_thread_entry)
{
    setenv("CDP_ENTRY", "thread", 1);
    engine_start(2, 0);
    atomic_store(&total, 0);
    run(&both_kernel, 4, 16, 0);
    ck_assert_int_eq(atomic_load(&total), 64);
    cdp_engine_stop(engine);
}

/* Threads from the tenth on do nothing, and say so. */
static atomic_int begun;
static void first_ten(const void *params)
{
    bool waits = *(const long *)params != 0;
    atomic_fetch_add(&begun, 1);
    if (cdp_abi_self->thread_idx[0] >= 10) {
        cdp_abi_self->launch_failed = CDP_THREADS_RETURN;
        return;
    }
    if (waits) {
        cdp_abi_syncthreads(); /* ends although threads of the block never begin */
    }
    atomic_fetch_add(&total, 1);
}
static const struct cdp_abi_kernel ten_kernel = {.abi_version = CDP_ABI_VERSION,
                                                 .name = "first_ten",
                                                 .thread_entry = first_ten,
                                                 .param_size = PARAMS * sizeof(long)};

static void run_block(uint32_t x, uint32_t y, long param)
{
    long params[PARAMS] = {param};
    struct cdp_launch order = {
        .kernel = &ten_kernel, .grid_dim = {1, 1, 1}, .block_dim = {x, y, 1}, .params = params};
    atomic_store(&total, 0);
    atomic_store(&begun, 0);
    launch_order(&order);
    synchronize();
}

CDP_TEST(threads_that_would_return_at_once_do_not_begin)
{
    for (long waits = 0; waits < 2; waits++) {
        engine_start(1, 0);
        run_block(1024, 1, waits);
        ck_assert_int_eq(atomic_load(&total), 10);
        ck_assert_int_eq(atomic_load(&begun), 11);
        run_block(10, 1, waits);
        ck_assert_int_eq(atomic_load(&total), 10);
        run_block(32, 2, waits); /* the second row begins at 0 again */
        ck_assert_int_eq(atomic_load(&total), 20);
        ck_assert_int_eq(atomic_load(&begun), 64);
        cdp_engine_stop(engine);
    }
}

/* Runs as many blocks as it is told to; it does not support all blocks. */
static atomic_int visits[64 * 64];
static uint32_t some_blocks(const void *params, struct cdp_abi_block *block, uint32_t count)
{
    (void)params;
    const uint32_t *index = block->block_idx, *grid = block->grid_dim;
    uint32_t first = index[0] + grid[0] * (index[1] + grid[1] * index[2]);
    if (index[0] + count > grid[0] || count == 0) {
        atomic_fetch_add(&visits[first], 100);
    }
    if (first % 13 == 5) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        atomic_fetch_add(&visits[first + i], 1);
    }
    block->block_idx[0] = index[0] + count - 1;
    return count;
}
static void one_block(const void *params)
{
    (void)params;
    const struct cdp_abi_block *block = cdp_abi_self->block;
    const uint32_t *index = block->block_idx, *grid = block->grid_dim;
    if (this_thread() == 0) {
        atomic_fetch_add(&visits[index[0] + grid[0] * (index[1] + grid[1] * index[2])], 1);
    }
}
#define RANGE_KERNEL(entry)                                                                        \
    {.abi_version = CDP_ABI_VERSION,                                                               \
     .flags = CDP_KERNEL_ROWS,                                                                     \
     .name = #entry,                                                                               \
     .thread_entry = one_block,                                                                    \
     .block_entry = (entry),                                                                       \
     .param_size = PARAMS * sizeof(long)}
static const struct cdp_abi_kernel some_kernel = RANGE_KERNEL(some_blocks);

CDP_TEST(block_entry_runs_following_blocks_of_its_row)
{
    static const uint32_t grids[][3] = {{4096, 1, 1}, {64, 64, 1}, {5, 7, 11},
                                        {1, 1000, 1}, {3, 1, 1},   {300, 2, 3}};
    for (unsigned turn = 0; turn < 12; turn++) {
        engine_start(1 + turn % 4, turn < 8 ? 0 : turn);
        for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
            const uint32_t *grid = grids[i];
            long params[PARAMS] = {0};
            struct cdp_launch rows = {.kernel = &some_kernel,
                                      .grid_dim = {grid[0], grid[1], grid[2]},
                                      .block_dim = {4, 1, 1},
                                      .params = params};
            memset(visits, 0, sizeof visits);
            launch_order(&rows);
            synchronize();
            for (uint32_t block = 0; block < grid[0] * grid[1] * grid[2]; block++) {
                ck_assert_int_eq(atomic_load(&visits[block]), 1);
            }
        }
        cdp_engine_stop(engine);
    }
}

/* Runs blocks up to the first that launches, or that must not be followed by another in one call.
 */
static uint32_t up_to_a_launch(const void *params, struct cdp_abi_block *block, uint32_t count)
{
    long launches = *(const long *)params;
    uint32_t first = block->block_idx[0], x = first;
    bool has_called = false;
    do {
        uint32_t index = x + block->grid_dim[0] * block->block_idx[1];
        block->block_idx[0] = x;
        cdp_abi_self->linear = cdp_abi_self->thread_idx[0] = 0;
        atomic_fetch_add(&visits[index], 1);
        has_called = index % 7 == 3 || index / 100 == 1;
        for (long i = 0; has_called && i < launches; i++) {
            child(&count_kernel, i % 2 == 0 ? 2 : 9, 8, 0);
        }
        x++;
    } while (x != first + count && !has_called);
    return x - first;
}
static const struct cdp_abi_kernel stopping_kernel = RANGE_KERNEL(up_to_a_launch);

CDP_TEST(block_entry_stops_after_a_block_that_launches)
{
    static const uint32_t grids[][2] = {{4096, 1}, {64, 64}, {5, 77}, {300, 2}};
    for (unsigned turn = 0; turn < 20; turn++) {
        engine_start(1 + turn % 4, 0);
        for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
            uint32_t blocks = grids[i][0] * grids[i][1], calling = 0;
            long params[PARAMS] = {turn % 3};
            struct cdp_launch rows = {.kernel = &stopping_kernel,
                                      .grid_dim = {grids[i][0], grids[i][1], 1},
                                      .block_dim = {4, 1, 1},
                                      .params = params};
            memset(visits, 0, sizeof visits);
            atomic_store(&total, 0);
            launch_order(&rows);
            synchronize();
            for (uint32_t block = 0; block < blocks; block++) {
                ck_assert_int_eq(atomic_load(&visits[block]), 1);
                calling += block % 7 == 3 || block / 100 == 1;
            }
            int threads = turn % 3 == 0 ? 0 : turn % 3 == 1 ? 16 : 16 + 72;
            ck_assert_int_eq(atomic_load(&total), (int)calling * threads);
        }
        cdp_engine_stop(engine);
    }
}

static uint32_t fault_in_block(const void *params, struct cdp_abi_block *block, uint32_t count)
{
    (void)params, (void)block, (void)count;
    *(volatile int *)8 = 1;
    return 1;
}
static const struct cdp_abi_kernel block_fault_kernel = {.abi_version = CDP_ABI_VERSION,
                                                         .name = "block_fault",
                                                         .block_entry = fault_in_block,
                                                         .param_size = PARAMS * sizeof(long)};

CDP_TEST(block_entry_faults_like_a_thread)
{
    engine_start(2, 0);
    run(&block_fault_kernel, 1, 16, 0);
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_ADDRESS);
    cdp_engine_stop(engine);
}

/* Every block waits for the next one to set its flag; the last one sets it at once. */
static atomic_int flags[64];
static void poll_neighbour(const void *params)
{
    (void)params;
    unsigned block = cdp_abi_self->block->block_idx[0];
    if (this_thread() == 3) {
        while (block + 1 < cdp_abi_self->block->grid_dim[0] && !atomic_load(&flags[block + 1])) {
            cdp_abi_yield();
        }
        atomic_store(&flags[block], 1);
    } else {
        while (!atomic_load(&flags[block])) {
            cdp_abi_nanosleep(10);
        }
    }
    atomic_fetch_add(&total, 1);
}
static const struct cdp_abi_kernel poll_kernel = KERNEL(poll_neighbour);

CDP_TEST(polling_threads_let_others_run)
{
    for (unsigned workers = 1; workers <= 4; workers++) {
        engine_start(workers, 0);
        memset(flags, 0, sizeof flags);
        atomic_store(&total, 0);
        run(&poll_kernel, 64, 5, 0);
        ck_assert_int_eq(atomic_load(&total), 64 * 5);
        cdp_engine_stop(engine);
    }
}

/* Recurses until its stack ends, through a barrier at each level: the runtime itself must not be
 * the function that overflows the stack. */
static int sink, most_depth = 1 << 30;
__attribute__((noinline)) static void dive(int depth)
{
    volatile char frame[16];
    frame[0] = (char)depth;
    cdp_abi_syncthreads();
    if (depth < most_depth) {
        dive(depth + 1);
    }
    sink += frame[0];
}
static void dive_kernel_body(const void *params)
{
    (void)params;
    dive(0);
}
static const struct cdp_abi_kernel dive_kernel = KERNEL(dive_kernel_body);

static void meet_once(const void *params)
{
    (void)params;
    cdp_abi_syncthreads();
    atomic_fetch_add(&total, 1);
}
static const struct cdp_abi_kernel meet_kernel = KERNEL(meet_once);

CDP_TEST(stack_overflow_at_a_barrier)
{
    for (unsigned workers = 1; workers <= 2; workers++) {
        engine_start(workers, 0);
        run(&dive_kernel, 2, 32, 0);
        ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_STACK);
        cdp_engine_clear_fault(engine, 0);
        atomic_store(&total, 0);
        run(&meet_kernel, 4, 256, 0);
        ck_assert_int_eq(atomic_load(&total), 4 * 256);
        cdp_engine_stop(engine);
    }
}

CDP_TEST(no_stack_for_waiting_threads_fails_the_tree)
{
    setenv("CDP_STACK_KB", "524288", 1); /* large enough for 64 per worker */
    engine_start(2, 0);
    run(&meet_kernel, 2, 1024, 0);
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_NO_MEMORY);
    cdp_engine_clear_fault(engine, 0);
    atomic_store(&total, 0);
    run(&meet_kernel, 4, 16, 0);
    ck_assert_int_eq(atomic_load(&total), 4 * 16);
    cdp_engine_stop(engine);
}

/* ---- Host threads that run blocks ---- */

static void *help_once(void *arg)
{
    run(&meet_kernel, 4, 4, 0);
    return arg;
}

__attribute__((noinline)) static int overflow(int depth)
{
    volatile char frame[200];
    frame[0] = (char)depth;
    return depth < most_depth ? overflow(depth + 1) + frame[0] : 0;
}
static void overflow_kernel_body(const void *params)
{
    (void)params;
    sink = overflow(0);
}
static const struct cdp_abi_kernel overflow_kernel = KERNEL(overflow_kernel_body);

static void *overflow_once(void *arg)
{
    struct timespec pause = {.tv_nsec = 50000000}; /* the worker sleeps by then */
    nanosleep(&pause, NULL);
    run(&overflow_kernel, 1, 1, 0);
    return arg;
}

/* The second thread probably has the first one's pthread_t, but not its signal stack. */
CDP_TEST(a_helping_thread_is_not_replaced)
{
    engine_start(2, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, help_once, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, overflow_once, NULL);
    pthread_join(thread, NULL);
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_STACK);
    cdp_engine_stop(engine);
}

static atomic_int helper_may_go;
static bool may_go(void *arg)
{
    (void)arg;
    return atomic_load(&helper_may_go) != 0;
}

/* Wakes the sleeping helper by a launch, and releases it before it can look for work. */
static void *launch_and_dismiss(void *arg)
{
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    atomic_store(&helper_may_go, 1);
    launch(&meet_kernel, 1, 1, 0);
    cdp_engine_notify(engine);
    cdp_engine_wait(engine, engine_is_idle, NULL);
    return arg;
}

CDP_TEST(helper_that_leaves_passes_its_wake_on)
{
    engine_start(2, 0);
    for (int i = 0; i < 20; i++) {
        atomic_store(&helper_may_go, 0);
        pthread_t thread;
        pthread_create(&thread, NULL, launch_and_dismiss, NULL);
        cdp_engine_wait_idle(engine, may_go, NULL);
        pthread_join(thread, NULL);
    }
    cdp_engine_stop(engine);
}

static void use_a_megabyte(struct cdp_engine_task *task)
{
    (void)task;
    volatile char large[1 << 20];
    for (size_t i = 0; i < sizeof large; i += 1024) {
        large[i] = 1;
    }
    engine_completed(NULL);
    cdp_engine_notify(engine);
}

CDP_TEST(host_tasks_have_a_host_threads_stack)
{
    for (unsigned workers = 1; workers <= 2; workers++) {
        engine_start(workers, 0);
        struct cdp_engine_task task = {.run = use_a_megabyte};
        atomic_fetch_add(&engine_pending, 1);
        cdp_engine_run_task(engine, &task);
        synchronize();
        cdp_engine_stop(engine);
    }
}

CDP_TEST_MAIN("block", 60)
