/* Private memory: passing its address on, and dereferencing pointers to memory of other threads and
 * blocks. */
#include "support/engine.h"

#include "exec/report/space.h"

static atomic_long total;
static void *volatile leaked;

static void count_thread(const void *params)
{
    (void)params;
    atomic_fetch_add(&total, 1);
}

/* An address on the calling thread's own stack; AddressSanitizer stores variables elsewhere. */
static void *own_stack(void)
{
    return (void *)(((uintptr_t)__builtin_frame_address(0)) & ~(uintptr_t)15);
}

static const struct cdp_abi_param pair_params[] = {{.offset = 0, .size = 8},
                                                   {.offset = 8, .size = 56}};
static const struct cdp_abi_pointer pair_pointers[] = {
    {.offset = 0, .param = 0, .name = "p"}, {.offset = 16, .param = 1, .name = "s.next"}};
static const struct cdp_abi_kernel count_kernel = {.abi_version = CDP_ABI_VERSION,
                                                   .name = "count_thread",
                                                   .thread_entry = count_thread,
                                                   .params = pair_params,
                                                   .param_count = 2,
                                                   .pointers = pair_pointers,
                                                   .pointer_count = 2,
                                                   .param_size = PARAMS * sizeof(long)};

static const struct cdp_abi_shared_variable shared_variables[] = {
    {.name = "tile", .offset = 0, .size = 64}, {.name = "flags", .offset = 64, .size = 64}};

#define SHARED_KERNEL(function)                                                                    \
    {.abi_version = CDP_ABI_VERSION,                                                               \
     .name = #function,                                                                            \
     .thread_entry = function,                                                                     \
     .shared_variables = shared_variables,                                                         \
     .shared_count = 2,                                                                            \
     .shared_size = 128,                                                                           \
     .shared_extent = 128,                                                                         \
     .param_size = PARAMS * sizeof(long)}

/* Launches count_kernel with two words in its parameters. */
static void hand_on(uintptr_t first, uintptr_t second)
{
    uintptr_t *params = cdp_scope_buffer(this_block(), PARAMS * sizeof(long));
    memset(params, 0, PARAMS * sizeof(long));
    params[0] = first;
    params[2] = second;
    params[3] = cdp_abi_self->private_low; /* not a pointer: the table has none there */
    struct cdp_device_launch order = {.kernel = &count_kernel,
                                      .params = params,
                                      .grid_dim = {1, 1, 1},
                                      .block_dim = {4, 1, 1},
                                      .target = CDP_TARGET_BLOCK};
    if (cdp_scope_launch(this_block(), &order) != CDP_OK) {
        abort();
    }
}

static void launch_parent(const void *params)
{
    long what = *(const long *)params;
    static int global;
    char *shared = cdp_abi_self->block->shared;
    switch (what) {
    case 0:
        hand_on((uintptr_t)&global, 0);
        break;
    case 1:
        hand_on((uintptr_t)own_stack(), 0);
        break;
    case 2:
        hand_on(0, (uintptr_t)(shared + 70));
        break;
    default:
        hand_on((uintptr_t)(shared - 1), (uintptr_t)cdp_abi_self);
        break;
    }
}
static const struct cdp_abi_kernel parent_kernel = SHARED_KERNEL(launch_parent);

static enum cdp_status status_of_handing_on(const char *mode, long what)
{
    setenv("CDP_ILLEGAL_POINTERS", mode, 1);
    engine_start(2, 0);
    atomic_store(&total, 0);
    run(&parent_kernel, 1, 1, what);
    enum cdp_status status = cdp_engine_fault(engine, 0, NULL);
    cdp_engine_stop(engine);
    return status;
}

CDP_TEST(legal_pointers_are_passed_on)
{
    ck_assert_int_eq(status_of_handing_on("trap", 0), CDP_OK);
    ck_assert_int_eq(atomic_load(&total), 4);
}

CDP_TEST(private_pointers_fail_the_tree)
{
    for (long what = 1; what <= 3; what++) {
        ck_assert_int_eq(status_of_handing_on("trap", what), CDP_FAULT_SPACE);
        ck_assert_int_eq(atomic_load(&total), 0);
    }
}

CDP_TEST(modes_let_private_pointers_pass)
{
    for (long what = 1; what <= 3; what++) {
        ck_assert_int_eq(status_of_handing_on("warn", what), CDP_OK);
        ck_assert_int_eq(atomic_load(&total), 4);
        ck_assert_int_eq(status_of_handing_on("hardware", what), CDP_OK);
        ck_assert_int_eq(atomic_load(&total), 4);
    }
}

CDP_TEST(the_host_passes_no_private_pointers_either)
{
    engine_start(1, 0);
    long params[PARAMS] = {0, 0, (long)engine->ranges.stacks.low};
    struct cdp_launch order = {
        .kernel = &count_kernel, .grid_dim = {1, 1, 1}, .block_dim = {4, 1, 1}, .params = params};
    atomic_store(&total, 0);
    launch_order(&order);
    synchronize();
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_SPACE);
    ck_assert_int_eq(atomic_load(&total), 0);
    cdp_engine_stop(engine);
}

/* ---- Checked accesses ---- */

enum { ALIGNED_4 = 4 << CDP_ACCESS_ALIGNMENT };

static void access_own(const void *params)
{
    (void)params;
    static long global[4];
    char *shared = cdp_abi_self->block->shared;
    cdp_abi_check_access(__builtin_frame_address(0), 64, CDP_ACCESS_WRITE);
    cdp_abi_check_access(global, sizeof global, CDP_ACCESS_WRITE | ALIGNED_4);
    cdp_abi_check_access(shared, 128, CDP_ACCESS_READ | ALIGNED_4);
    cdp_abi_check_access(shared + 1, 0, CDP_ACCESS_READ | ALIGNED_4);
    cdp_abi_check_access(NULL, 4, CDP_ACCESS_READ);
    atomic_fetch_add(&total, 1);
}
static const struct cdp_abi_kernel own_kernel = SHARED_KERNEL(access_own);

CDP_TEST(own_memory_may_be_used)
{
    engine_start(2, 0);
    atomic_store(&total, 0);
    run(&own_kernel, 8, 8, 0);
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_OK);
    ck_assert_int_eq(atomic_load(&total), 64);
    cdp_engine_stop(engine);
}

static void access_leaked(const void *params)
{
    (void)params;
    cdp_abi_check_access(leaked, 4, CDP_ACCESS_WRITE | ALIGNED_4);
    atomic_fetch_add(&total, 1);
}
static const struct cdp_abi_kernel leaked_kernel = SHARED_KERNEL(access_leaked);

static void leak(const void *params)
{
    long what = *(const long *)params;
    char *shared = cdp_abi_self->block->shared;
    leaked = what == 0   ? own_stack()
             : what == 1 ? (void *)(shared + 64)
             : what == 2 ? (void *)(shared + 62)
                         : (void *)(shared + 4096);
    child(&leaked_kernel, 1, 1, 0);
    device_synchronize();
}
static const struct cdp_abi_kernel leak_kernel = SHARED_KERNEL(leak);

static enum cdp_status status_of_following(const char *mode, long what)
{
    setenv("CDP_ILLEGAL_POINTERS", mode, 1);
    engine_start(2, 0);
    atomic_store(&total, 0);
    run(&leak_kernel, 1, 1, what);
    enum cdp_status status = cdp_engine_fault(engine, 0, NULL);
    cdp_engine_stop(engine);
    return status;
}

CDP_TEST(memory_of_others_may_not_be_used)
{
    static const enum cdp_status expected[] = {CDP_FAULT_SPACE, CDP_FAULT_SPACE,
                                               CDP_FAULT_MISALIGNED, CDP_FAULT_SPACE};
    for (long what = 0; what < 4; what++) {
        ck_assert_int_eq(status_of_following("trap", what), expected[what]);
        ck_assert_int_eq(atomic_load(&total), 0);
        ck_assert_int_eq(status_of_following("hardware", what), expected[what]);
    }
    ck_assert_int_eq(status_of_following("warn", 0), CDP_OK);
    ck_assert_int_eq(atomic_load(&total), 1);
}

static void access_neighbour(const void *params)
{
    (void)params;
    if (this_thread() == 0) {
        leaked = own_stack();
    }
    cdp_abi_syncthreads();
    if (this_thread() == 1) {
        cdp_abi_check_access(leaked, 4, CDP_ACCESS_READ);
        atomic_fetch_add(&total, 1);
    }
    cdp_abi_syncthreads();
}
static const struct cdp_abi_kernel neighbour_kernel = SHARED_KERNEL(access_neighbour);

CDP_TEST(local_memory_belongs_to_one_thread_of_the_block)
{
    engine_start(2, 0);
    atomic_store(&total, 0);
    run(&neighbour_kernel, 1, 2, 0);
    ck_assert_int_eq(cdp_engine_fault(engine, 0, NULL), CDP_FAULT_SPACE);
    ck_assert_int_eq(atomic_load(&total), 0);
    cdp_engine_stop(engine);
}
CDP_TEST_MAIN("space", 60)
