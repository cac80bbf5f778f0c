/* Launches from the host: configurations, arguments, attributes, occupancy. */
#include "support/suite.h"
#include "support/kernels.h"

#include <pthread.h>
#include <string.h>

static cudaError_t launch_nop(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    cudaError_t error = cudaLaunchKernel(make_nop(), grid, block, NULL, shared, stream);
    ck_cuda(error, cudaGetLastError());
    ck_ok(cudaGetLastError());
    return error;
}

CDP_TEST(every_thread_of_every_block_runs_once)
{
    int *values = managed(64 * 256 * sizeof *values);
    int amount = 3;
    void *args[] = {&values, &amount};
    const void *kernel = make_add();
    for (int round = 0; round < 10; round++) {
        ck_ok(cudaLaunchKernel(kernel, shape(64, 1, 1), shape(256, 1, 1), args, 0, NULL));
    }
    ck_ok(cudaDeviceSynchronize());
    for (int i = 0; i < 64 * 256; i++) {
        ck_assert_int_eq(values[i], 30);
    }
}

CDP_TEST(s9_bad_configurations_are_refused)
{
    dim3 one = shape(1, 1, 1);
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(one, shape(1025, 1, 1), 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(one, shape(1, 1025, 1), 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(one, shape(1, 1, 65), 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(one, shape(32, 32, 2), 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(one, shape(0, 1, 1), 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(one, shape(1, 1, 0), 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(shape(0, 1, 1), one, 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(shape(1, 65536, 1), one, 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(shape(1, 1, 65536), one, 0, NULL));
    ck_cuda(cudaErrorInvalidConfiguration, launch_nop(shape(0x80000000u, 1, 1), one, 0, NULL));
    ck_ok(launch_nop(shape(3, 2, 2), shape(16, 1, 64), 0, NULL));
    ck_ok(cudaDeviceSynchronize());
}

CDP_TEST(s9_shared_memory_beyond_48_kib_needs_opting_in)
{
    const void *kernel = make_nop();
    dim3 one = shape(1, 1, 1);
    ck_ok(cudaLaunchKernel(kernel, one, one, NULL, 48 << 10, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaLaunchKernel(kernel, one, one, NULL, 49153, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaLaunchKernel(kernel, one, one, NULL, 300000, NULL));
    enum cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    ck_cuda(cudaErrorInvalidValue, cudaFuncSetAttribute(kernel, most, 232449));
    ck_cuda(cudaErrorInvalidValue, cudaFuncSetAttribute(kernel, most, -1));
    ck_ok(cudaFuncSetAttribute(kernel, most, 232448));
    ck_ok(cudaLaunchKernel(kernel, one, one, NULL, 232448, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaLaunchKernel(kernel, one, one, NULL, 232449, NULL));
    ck_ok(cudaDeviceSynchronize());
}

CDP_TEST(s9_a_limit_of_dynamic_shared_memory_may_be_lower_than_48_kib)
{
    const void *kernel = make_nop();
    dim3 one = shape(1, 1, 1);
    enum cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    ck_ok(cudaFuncSetAttribute(kernel, most, 1000));
    ck_ok(cudaLaunchKernel(kernel, one, one, NULL, 1000, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaLaunchKernel(kernel, one, one, NULL, 1001, NULL));
    struct cudaFuncAttributes attributes;
    int blocks = 0;
    ck_ok(cudaFuncGetAttributes(&attributes, kernel));
    ck_assert_int_eq(attributes.maxDynamicSharedSizeBytes, 1000);
    ck_ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 2048));
    ck_assert_int_eq(blocks, 32); /* as an H200 says, though no launch is possible */
    ck_ok(cudaFuncSetAttribute(kernel, most, 0));
    ck_ok(cudaLaunchKernel(kernel, one, one, NULL, 0, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaLaunchKernel(kernel, one, one, NULL, 1, NULL));
    ck_ok(cudaDeviceSynchronize());
}

CDP_TEST(s10_unknown_streams_are_refused)
{
    dim3 one = shape(1, 1, 1);
    ck_cuda(cudaErrorInvalidResourceHandle,
            launch_nop(one, one, 0, (cudaStream_t)(void *)0x123450));
    ck_cuda(cudaErrorInvalidResourceHandle, launch_nop(one, one, 0, cudaStreamTailLaunch));
    ck_cuda(cudaErrorInvalidResourceHandle, launch_nop(one, one, 0, cudaStreamFireAndForget));
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    ck_ok(cudaStreamDestroy(stream));
    ck_cuda(cudaErrorInvalidResourceHandle, launch_nop(one, one, 0, stream));
}

CDP_TEST(s11_what_is_no_kernel_is_refused)
{
    dim3 one = shape(1, 1, 1);
    int no_kernel = 0;
    ck_cuda(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(NULL, one, one, NULL, 0, NULL));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaLaunchKernel(&no_kernel, one, one, NULL, 0, NULL));
    struct cudaFuncAttributes attr;
    ck_cuda(cudaErrorInvalidResourceHandle, cudaFuncGetAttributes(&attr, &no_kernel));
    ck_cuda(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attr, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaFuncGetAttributes(NULL, make_nop()));
    ck_cuda(cudaErrorInvalidValue, launch_one(make_store(), NULL, NULL));
}

CDP_TEST(launch_bounds_limit_the_block)
{
    struct cdp_embed_kernel spec = {.name = "bounded", .function = nop_kernel, .max_threads = 128};
    const void *kernel = cdp_embed_register(&spec);
    dim3 one = shape(1, 1, 1);
    ck_ok(cudaLaunchKernel(kernel, one, shape(128, 1, 1), NULL, 0, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaLaunchKernel(kernel, one, shape(129, 1, 1), NULL, 0, NULL));
    struct cudaFuncAttributes attr;
    ck_ok(cudaFuncGetAttributes(&attr, kernel));
    ck_assert_int_eq(attr.maxThreadsPerBlock, 128);
}

CDP_TEST(arguments_are_read_at_the_call)
{
    atomic_int *gate = managed(sizeof *gate);
    int *out = managed(2 * sizeof *out);
    int value = 7;
    void *gate_args[] = {&gate, &out, &value};
    ck_ok(launch_one(make_gate(), gate_args, NULL));
    int *second = out + 1;
    void *args[] = {&second, &value};
    ck_ok(launch_one(make_store(), args, NULL));
    value = 8;
    second = NULL;
    atomic_store(gate, 1);
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(out[1], 7);
}

struct large {
    int words[2000];
};
static void sum_large(struct large large, int *out)
{
    int sum = 0;
    for (int i = 0; i < 2000; i++) {
        sum += large.words[i];
    }
    *out = sum;
}

CDP_TEST(large_struct_parameters_survive_a_queue)
{
    static ffi_type *elements[2001];
    for (int i = 0; i < 2000; i++) {
        elements[i] = &ffi_type_sint;
    }
    static ffi_type large_type = {.type = FFI_TYPE_STRUCT, .elements = elements};
    static ffi_type *types[] = {&large_type, &ffi_type_pointer};
    const void *kernel = make_kernel("sum_large", (void (*)(void))sum_large, types, 2);
    static struct large large;
    for (int i = 0; i < 2000; i++) {
        large.words[i] = i;
    }
    int *out = managed(sizeof *out);
    void *args[] = {&large, &out};
    for (int i = 0; i < 20; i++) {
        ck_ok(launch_one(kernel, args, NULL));
    }
    memset(&large, 0, sizeof large);
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(*out, 1999 * 1000);
}

CDP_TEST(configurations_nest_as_launches_in_arguments_do)
{
    ck_assert_uint_eq(__cudaPushCallConfiguration(shape(2, 1, 1), shape(3, 1, 1), 4, NULL), 0);
    ck_assert_uint_eq(
        __cudaPushCallConfiguration(shape(5, 1, 1), shape(6, 1, 1), 7, cudaStreamLegacy), 0);
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    ck_ok(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    ck_assert_uint_eq(grid.x + block.x, 11);
    ck_assert(stream == cudaStreamLegacy && shared == 7);
    ck_ok(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    ck_assert_uint_eq(grid.x + block.x, 5);
    ck_cuda(cudaErrorMissingConfiguration,
            __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    for (int i = 0; i < 100; i++) { /* not popped, as after exceptions */
        ck_assert_uint_eq(__cudaPushCallConfiguration(shape(1, 1, 1), shape(1, 1, 1), 0, NULL), 0);
    }
}

CDP_TEST(extended_launches_take_some_attributes)
{
    cudaLaunchAttribute attr = {.id = cudaLaunchAttributePriority, .val = {.priority = -1}};
    cudaLaunchConfig_t config = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .attrs = &attr, .numAttrs = 1};
    ck_ok(cudaLaunchKernelExC(&config, make_nop(), NULL));
    attr.id = cudaLaunchAttributeCooperative;
    attr.val.cooperative = 1;
    ck_ok(cudaLaunchKernelExC(&config, make_nop(), NULL));
    attr.id = cudaLaunchAttributeClusterDimension;
    attr.val.clusterDim.x = 2;
    attr.val.clusterDim.y = attr.val.clusterDim.z = 1;
    ck_cuda(cudaErrorInvalidClusterSize, cudaLaunchKernelExC(&config, make_nop(), NULL));
    ck_cuda(cudaErrorInvalidValue, cudaLaunchKernelExC(NULL, make_nop(), NULL));
    ck_ok(cudaDeviceSynchronize());
}

CDP_TEST(occupancy_follows_threads_and_shared_memory)
{
    const void *kernel = make_nop();
    int blocks;
    ck_ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0));
    ck_assert_int_eq(blocks, 16);
    ck_ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024, 0));
    ck_assert_int_eq(blocks, 2);
    ck_ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 48 << 10));
    ck_assert_int_eq(blocks, 4);
    ck_cuda(cudaErrorInvalidValue,
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0));
    int grid, block;
    ck_ok(__cdp_occupancy(&grid, &block, kernel, 0, 0));
    ck_assert(block == 1024 && grid >= 2);
    ck_ok(__cdp_occupancy(&grid, &block, kernel, 0, 100));
    ck_assert_int_le(block, 100);
    size_t shared;
    ck_ok(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, 4, 32));
    ck_assert_uint_eq(shared, 48 << 10);
}

static void *launch_many(void *arg)
{
    atomic_int *counter = arg;
    int value = 1;
    void *args[] = {&counter, &value};
    for (int i = 0; i < 300; i++) {
        if (launch_one(make_log(), args, NULL) != cudaSuccess ||
            (i % 10 == 0 && cudaDeviceSynchronize() != cudaSuccess)) {
            return "failed";
        }
    }
    return cudaDeviceSynchronize() == cudaSuccess ? NULL : "failed";
}

CDP_TEST(many_host_threads_may_launch)
{
    atomic_int *log = managed(10000 * sizeof *log);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, launch_many, log);
    }
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_null(result);
    }
    ck_assert_int_eq(atomic_load(&log[0]), 1200);
}

CDP_TEST_MAIN("launch", 60)
