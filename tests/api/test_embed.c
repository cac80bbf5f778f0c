/* The C embedding API: signatures, block entries, device launches from C kernels. */
#include "support/kernels.h"
#include "support/suite.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "abi/cdp_abi.h"

struct pair {
    char tag;
    double value;
};
static void mixed_kernel(char c, short s, double d, struct pair p, long long l, float f,
                         double *out)
{
    out[0] = c;
    out[1] = s;
    out[2] = d;
    out[3] = p.tag;
    out[4] = p.value;
    out[5] = (double)l;
    out[6] = f;
}

CDP_TEST(parameters_of_all_types_arrive)
{
    static ffi_type *elements[] = {&ffi_type_schar, &ffi_type_double, NULL};
    static ffi_type pair_type = {.type = FFI_TYPE_STRUCT, .elements = elements};
    ffi_type *types[] = {&ffi_type_schar,  &ffi_type_sshort, &ffi_type_double, &pair_type,
                         &ffi_type_sint64, &ffi_type_float,  &ffi_type_pointer};
    const void *kernel = make_kernel("mixed", (void (*)(void))mixed_kernel, types, 7);
    char c = -3;
    short s = -300;
    double d = 2.5, *out = managed(7 * sizeof *out);
    struct pair p = {'x', 7.25};
    long long l = 1LL << 40;
    float f = 0.5f;
    void *args[] = {&c, &s, &d, &p, &l, &f, &out};
    ck_ok(launch_one(kernel, args, NULL));
    ck_ok(cudaDeviceSynchronize());
    double expected[] = {-3, -300, 2.5, 'x', 7.25, (double)(1LL << 40), 0.5};
    ck_assert_mem_eq(out, expected, sizeof expected);
}

CDP_TEST(impossible_kernels_are_refused)
{
    struct cdp_embed_kernel spec = {.name = "k", .function = nop_kernel};
    ck_assert_ptr_nonnull(cdp_embed_register(&spec));
    ck_assert_ptr_null(cdp_embed_register(NULL));
    spec.type_count = 65;
    ck_assert_ptr_null(cdp_embed_register(&spec));
    ck_cuda(cudaErrorInvalidValue, cudaGetLastError());
    spec.type_count = 1;
    ck_assert_ptr_null(cdp_embed_register(&spec));
    spec.type_count = 0;
    spec.shared_size = 1 << 20;
    ck_assert_ptr_null(cdp_embed_register(&spec));
    spec.shared_size = 0;
    spec.name = NULL;
    ck_assert_ptr_null(cdp_embed_register(&spec));
}

/* A reduction of a block through static shared memory. */
static void reduce_kernel(const int *in, int *out)
{
    struct cdp_embed_index i;
    cdp_embed_index(&i);
    int *shared = cdp_embed_shared();
    shared[i.thread.x] = in[i.block.x * i.block_dim.x + i.thread.x];
    for (unsigned step = i.block_dim.x / 2; step > 0; step /= 2) {
        cdp_abi_syncthreads();
        if (i.thread.x < step) {
            shared[i.thread.x] += shared[i.thread.x + step];
        }
    }
    if (i.thread.x == 0) {
        out[i.block.x] = shared[0];
    }
}

static const void *make_reduce(void)
{
    static ffi_type *types[] = {&ffi_type_pointer, &ffi_type_pointer};
    struct cdp_embed_kernel spec = {.name = "reduce",
                                    .function = (void (*)(void))reduce_kernel,
                                    .types = types,
                                    .type_count = 2,
                                    .shared_size = 256 * sizeof(int)};
    return cdp_embed_register(&spec);
}

CDP_TEST(barriers_and_shared_memory_work)
{
    int *in = managed(64 * 256 * sizeof *in), *out = managed(64 * sizeof *out);
    for (int i = 0; i < 64 * 256; i++) {
        in[i] = i;
    }
    void *args[] = {&in, &out};
    ck_ok(cudaLaunchKernel(make_reduce(), shape(64, 1, 1), shape(256, 1, 1), args, 0, NULL));
    ck_ok(cudaDeviceSynchronize());
    for (int b = 0; b < 64; b++) {
        ck_assert_int_eq(out[b], 256 * (256 * b) + 255 * 128);
    }
}

static void dynamic_kernel(int *out)
{
    struct cdp_embed_index i;
    cdp_embed_index(&i);
    int *words = cdp_embed_dynamic_shared();
    words[i.thread.x] = (int)i.thread.x;
    cdp_abi_syncthreads();
    out[i.thread.x] = words[i.block_dim.x - 1 - i.thread.x];
}

CDP_TEST(s39_dynamic_shared_memory_has_the_size_asked_for)
{
    static ffi_type *types[] = {&ffi_type_pointer};
    const void *kernel = make_kernel("dynamic", (void (*)(void))dynamic_kernel, types, 1);
    int *out = managed(1024 * sizeof *out);
    void *args[] = {&out};
    ck_ok(cudaLaunchKernel(kernel, shape(1, 1, 1), shape(1024, 1, 1), args, 4096, NULL));
    ck_ok(cudaDeviceSynchronize());
    for (int i = 0; i < 1024; i++) {
        ck_assert_int_eq(out[i], 1023 - i);
    }
}

/* The same sum by a block entry: one call per block. */
static void block_entry(const void *params, unsigned thread_count)
{
    int *values;
    int amount;
    memcpy(&values, params, sizeof values);
    memcpy(&amount, (const char *)params + 8, sizeof amount);
    struct cdp_embed_index i;
    cdp_embed_index(&i);
    for (unsigned t = 0; t < thread_count; t++) {
        values[i.block.x * i.block_dim.x + t] += amount;
    }
}

CDP_TEST(block_entries_run_once_for_each_block)
{
    ffi_type *types[] = {&ffi_type_pointer, &ffi_type_sint};
    struct cdp_embed_kernel spec = {.name = "add",
                                    .function = (void (*)(void))add_kernel,
                                    .types = types,
                                    .type_count = 2,
                                    .block_function = block_entry};
    const void *kernel = cdp_embed_register(&spec);
    int *values = managed(100 * 96 * sizeof *values), amount = 5;
    void *args[] = {&values, &amount};
    ck_ok(cudaLaunchKernel(kernel, shape(100, 1, 1), shape(96, 1, 1), args, 0, NULL));
    ck_ok(cudaDeviceSynchronize());
    for (int i = 0; i < 100 * 96; i++) {
        ck_assert_int_eq(values[i], 5);
    }
}

/* ---- Dynamic parallelism ---- */

/* values[0] += 1 in a binary tree of grids with depth levels. */
struct tree {
    const void *kernel;
    atomic_int *count;
    int synchronize;
};
static void tree_kernel(const struct tree *tree, int depth)
{
    atomic_fetch_add(tree->count, 1);
    for (int i = 0; depth > 0 && i < 2; i++) {
        char *buffer = cdp_abi_cudaGetParameterBuffer(64, 12);
        int below = depth - 1;
        memcpy(buffer, &tree, sizeof tree);
        memcpy(buffer + 8, &below, sizeof below);
        if (cdp_abi_cudaLaunchDevice(tree->kernel, buffer, shape(1, 1, 1), shape(1, 1, 1), 0,
                                     NULL) != cudaSuccess) {
            cdp_abi_trap();
        }
    }
    if (tree->synchronize && cdp_abi_cudaDeviceSynchronize() != cudaSuccess) {
        cdp_abi_trap();
    }
}

static int count_tree(int depth, bool synchronize)
{
    static ffi_type *types[] = {&ffi_type_pointer, &ffi_type_sint};
    struct tree *tree = managed(sizeof *tree);
    tree->count = managed(sizeof *tree->count);
    tree->kernel = make_kernel("tree", (void (*)(void))tree_kernel, types, 2);
    tree->synchronize = synchronize;
    void *args[] = {&tree, &depth};
    ck_ok(launch_one(tree->kernel, args, NULL));
    ck_ok(cudaDeviceSynchronize());
    return atomic_load(tree->count);
}

CDP_TEST(s12_host_waits_for_the_whole_tree)
{
    ck_assert_int_eq(count_tree(14, false), (1 << 15) - 1);
}

CDP_TEST(s27_waiting_parents_never_deadlock)
{
    ck_ok(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 24));
    ck_assert_int_eq(count_tree(12, true), (1 << 13) - 1);
}

CDP_TEST(streams_continue_only_after_the_whole_tree)
{
    static ffi_type *types[] = {&ffi_type_pointer, &ffi_type_sint};
    struct tree *tree = managed(sizeof *tree);
    int *seen = managed(sizeof *seen), depth = 10;
    tree->count = managed(sizeof *tree->count);
    tree->kernel = make_kernel("tree", (void (*)(void))tree_kernel, types, 2);
    void *args[] = {&tree, &depth};
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    ck_ok(launch_one(tree->kernel, args, stream));
    ck_ok(cudaMemcpyAsync(seen, tree->count, sizeof *seen, cudaMemcpyDefault, stream));
    ck_ok(cudaStreamSynchronize(stream));
    ck_assert_int_eq(*seen, (1 << 11) - 1);
}

/* Stores the device-side error. */
static void bad_launch_kernel(const void *child, int *errors)
{
    (void)cdp_abi_cudaLaunchDevice(child, NULL, shape(1, 1, 1), shape(1025, 1, 1), 0, NULL);
    errors[0] = (int)cdp_abi_cudaGetLastError();
    errors[1] = (int)cdp_abi_cudaGetLastError();
    (void)cdp_abi_cudaLaunchDevice(NULL, NULL, shape(1, 1, 1), shape(1, 1, 1), 0, NULL);
    errors[2] = (int)cdp_abi_cudaGetLastError();
    (void)cdp_abi_cudaLaunchDevice(child, NULL, shape(1, 1, 1), shape(1, 1, 1), 49153, NULL);
    errors[3] = (int)cdp_abi_cudaGetLastError();
}

CDP_TEST(s9_device_launches_set_the_threads_last_error)
{
    static ffi_type *types[] = {&ffi_type_pointer, &ffi_type_pointer};
    const void *kernel = make_kernel("bad", (void (*)(void))bad_launch_kernel, types, 2);
    const void *child = make_nop();
    int *errors = managed(4 * sizeof *errors);
    void *args[] = {&child, &errors};
    ck_ok(launch_one(kernel, args, NULL));
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(errors[0], cudaErrorInvalidConfiguration);
    ck_assert_int_eq(errors[1], cudaSuccess);
    ck_assert_int_eq(errors[2], cudaErrorInvalidDeviceFunction);
    ck_assert_int_eq(errors[3], cudaErrorInvalidConfiguration);
}

/* ---- Registration of modules, as in compiled objects ---- */

static void module_thread(const void *params)
{
    int *out;
    memcpy(&out, params, sizeof out);
    *out = 99;
}

static const struct cdp_abi_param module_params[] = {{.offset = 0, .size = 8}};
static struct cdp_abi_kernel module_kernels[] = {{.abi_version = CDP_ABI_VERSION,
                                                  .name = "module_kernel",
                                                  .thread_entry = module_thread,
                                                  .params = module_params,
                                                  .param_count = 1,
                                                  .param_size = 8,
                                                  .shared_extent = 1000},
                                                 {.abi_version = 999, .name = "old_kernel"}};
static int module_value = 17;
static struct cdp_abi_variable module_variables[] = {
    {.name = "value", .address = &module_value, .size = sizeof module_value}};
static struct cdp_abi_shared_segment module_segments[] = {{.size = 48}, {.size = 16}};
static char stub, old_stub, shadow, unknown;
static struct cdp_abi_offload_entry module_entries[] = {
    {.address = &stub, .name = "module_kernel"},
    {.address = &old_stub, .name = "old_kernel"},
    {.address = &shadow, .name = "value", .size = sizeof module_value},
    {.address = &unknown, .name = "nowhere"}};

CDP_TEST(modules_are_joined_by_name)
{
    struct cdp_abi_module module = {.entries = module_entries,
                                    .entries_end = module_entries + 4,
                                    .kernels = module_kernels,
                                    .kernels_end = module_kernels + 2,
                                    .variables = module_variables,
                                    .variables_end = module_variables + 1,
                                    .segments = module_segments,
                                    .segments_end = module_segments + 2};
    cdp_abi_register(&module);
    cdp_abi_register(&module);
    int *out = managed(sizeof *out), back = 0, value = 5;
    void *args[] = {&out}, *address;
    size_t size;
    ck_ok(launch_one(&stub, args, NULL));
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(*out, 99);
    ck_cuda(cudaErrorInvalidDeviceFunction, launch_one(&old_stub, NULL, NULL));
    ck_cuda(cudaErrorInvalidDeviceFunction, launch_one(&unknown, NULL, NULL));
    ck_ok(cudaGetSymbolAddress(&address, &shadow));
    ck_assert_ptr_eq(address, &module_value);
    ck_ok(cudaGetSymbolSize(&size, &shadow));
    ck_assert_uint_eq(size, sizeof module_value);
    ck_ok(cudaMemcpyFromSymbol(&back, &shadow, 4, 0, cudaMemcpyDeviceToHost));
    ck_assert_int_eq(back, 17);
    ck_ok(cudaMemcpyToSymbol(&shadow, &value, 4, 0, cudaMemcpyHostToDevice));
    ck_assert_int_eq(module_value, 5);
    ck_cuda(cudaErrorInvalidValue,
            cudaMemcpyToSymbol(&shadow, &value, 4, 1, cudaMemcpyHostToDevice));
    ck_cuda(cudaErrorInvalidMemcpyDirection,
            cudaMemcpyToSymbol(&shadow, &value, 4, 0, cudaMemcpyDeviceToHost));
    ck_cuda(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, &unknown));
    ck_assert_uint_ge(module_segments[0].base, 1000);
    ck_assert_uint_ge(module_segments[1].base, module_segments[0].base + 48);
}

/* ---- A library that is loaded while grids run ---- */

static void store_shared_size(const void *params)
{
    uint64_t *out;
    memcpy(&out, params, sizeof out);
    *out = cdp_abi_self->block->shared_size;
}

static struct cdp_abi_kernel late_kernels[] = {{.abi_version = CDP_ABI_VERSION,
                                                .name = "late_kernel",
                                                .thread_entry = store_shared_size,
                                                .params = module_params,
                                                .param_count = 1,
                                                .param_size = 8}};
enum { LATE = 64 };
static struct cdp_abi_shared_segment late_segments[LATE];
static char late_stubs[LATE];
static struct cdp_abi_offload_entry late_entries[LATE];

/* One more library, with a segment and a stub of the kernel above. */
static void load_late(int i)
{
    late_segments[i].size = 112;
    late_entries[i].address = &late_stubs[i];
    late_entries[i].name = "late_kernel";
    struct cdp_abi_module module = {.entries = &late_entries[i],
                                    .entries_end = &late_entries[i] + 1,
                                    .kernels = late_kernels,
                                    .kernels_end = late_kernels + 1,
                                    .segments = &late_segments[i],
                                    .segments_end = &late_segments[i] + 1};
    cdp_abi_register(&module);
}

struct repetition {
    const void *kernel;
    atomic_bool stops;
    atomic_int launches;
};

static void *launch_again_and_again(void *argument)
{
    struct repetition *repetition = argument;
    while (!atomic_load(&repetition->stops)) {
        ck_ok(launch_one(repetition->kernel, NULL, NULL));
        ck_ok(cudaDeviceSynchronize());
        atomic_fetch_add(&repetition->launches, 1);
    }
    return NULL;
}

CDP_TEST(shared_segments_may_be_added_while_grids_run)
{
    struct repetition repetition = {0};
    repetition.kernel = make_nop();
    uint64_t *size = managed(sizeof *size);
    void *args[] = {&size};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, launch_again_and_again, &repetition), 0);
    for (int i = 0; i < LATE; i++) {
        int before = atomic_load(&repetition.launches);
        while (atomic_load(&repetition.launches) == before) {
            sched_yield();
        }
        load_late(i);
        ck_ok(launch_one(&late_stubs[i], args, NULL));
        ck_ok(cudaDeviceSynchronize());
        ck_assert_uint_ne(late_segments[i].base, 0);
        ck_assert_uint_ge(*size, late_segments[i].base + 112);
    }
    atomic_store(&repetition.stops, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

CDP_TEST_MAIN("embed", 60)
