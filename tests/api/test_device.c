/* The device, its limits, errors, faults and reset. */
#include "support/suite.h"
#include "support/kernels.h"

#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

CDP_TEST(s41_every_error_has_its_name_and_text)
{
#define __CDP_CUDA_ERROR(name, number, text)                                                       \
    ck_assert_str_eq(cudaGetErrorName((cudaError_t)(number)), #name);                              \
    ck_assert_str_eq(cudaGetErrorString((cudaError_t)(number)), text);
#include "cuda_errors.def"
#undef __CDP_CUDA_ERROR
    ck_assert_str_eq(cudaGetErrorString((cudaError_t)9999), "unrecognized error code");
    ck_assert_str_eq(cudaGetErrorName((cudaError_t)-1), "unrecognized error code");
}

CDP_TEST(s40_last_error_is_returned_once)
{
    ck_cuda(cudaErrorInvalidDevice, cudaSetDevice(1));
    ck_cuda(cudaErrorInvalidDevice, cudaPeekAtLastError());
    ck_ok(cudaSetDevice(0));
    ck_cuda(cudaErrorInvalidDevice, cudaGetLastError());
    ck_ok(cudaGetLastError());
}

CDP_TEST(there_is_one_device_with_a_name)
{
    int count, device, value;
    ck_ok(cudaGetDeviceCount(&count));
    ck_assert_int_eq(count, 1);
    ck_ok(cudaGetDevice(&device));
    ck_assert_int_eq(device, 0);
    struct cudaDeviceProp prop;
    ck_ok(cudaGetDeviceProperties(&prop, 0));
    ck_assert_ptr_nonnull(strstr(prop.name, "cdpcc CPU device ("));
    ck_assert(prop.major == 9 && prop.minor == 0 && prop.warpSize == 32);
    ck_assert(prop.maxThreadsPerBlock == 1024 && prop.maxThreadsDim[2] == 64);
    ck_assert(prop.totalGlobalMem > 0 && prop.multiProcessorCount > 0 && prop.clockRate == 1980000);
    ck_ok(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
    ck_assert_int_eq(value, prop.clockRate);
    ck_ok(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, 0));
    ck_assert_int_eq(value, prop.memoryClockRate);
    ck_ok(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSurface2DLayeredLayers, 0));
    ck_assert_int_eq(value, prop.maxSurface2DLayered[2]);
    ck_ok(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    ck_assert_int_eq(value, 1024);
    ck_cuda(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 7));
    ck_cuda(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
    ck_cuda(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, 1));
    ck_cuda(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, 0));
    ck_cuda(cudaErrorInvalidDevice, cudaSetDevice(-1));
    ck_ok(cudaDeviceCanAccessPeer(&value, 0, 0));
    ck_assert_int_eq(value, 0);
    ck_ok(cudaProfilerStart());
    ck_ok(cudaProfilerStop());
}

/* The limits must be at least the minimum values on which programs may rely. */
CDP_TEST(textures_and_surfaces_have_limits)
{
    struct cudaDeviceProp prop;
    ck_ok(cudaGetDeviceProperties(&prop, 0));
    const int *first = &prop.maxTexture1D, *last = &prop.maxSurfaceCubemapLayered[1];
    for (const int *limit = first; limit <= last; limit++) {
        ck_assert_int_ge(*limit, 2046);
    }
    ck_assert_int_eq(last - first, 39);
}

static size_t limit(enum cudaLimit which)
{
    size_t value = 12345;
    ck_ok(cudaDeviceGetLimit(&value, which));
    return value;
}

CDP_TEST(s45_limits_are_those_of_the_hardware)
{
    ck_assert_uint_eq(limit(cudaLimitStackSize), 1024);
    ck_assert_uint_eq(limit(cudaLimitPrintfFifoSize), 8650752);
    ck_assert_uint_eq(limit(cudaLimitMallocHeapSize), 8388608);
    ck_assert_uint_eq(limit(cudaLimitDevRuntimeSyncDepth), 2);
    ck_assert_uint_eq(limit(cudaLimitDevRuntimePendingLaunchCount), 2048);
    ck_assert_uint_eq(limit(cudaLimitMaxL2FetchGranularity), 64);
    ck_assert_uint_eq(limit(cudaLimitPersistingL2CacheSize), 11796480);
    ck_assert_uint_eq(limit((enum cudaLimit)7), 232448);
    ck_ok(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    ck_assert_uint_eq(limit(cudaLimitDevRuntimeSyncDepth), 4);
    ck_ok(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    ck_assert_uint_eq(limit(cudaLimitStackSize), 4096);
    ck_ok(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26));
    ck_assert_uint_eq(limit(cudaLimitMallocHeapSize), 1 << 26);
    ck_ok(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192));
    ck_cuda(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30));
    ck_cuda(cudaErrorInvalidValue, cudaDeviceSetLimit((enum cudaLimit)99, 1));
    ck_cuda(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 0));
    size_t value;
    ck_cuda(cudaErrorInvalidValue, cudaDeviceGetLimit(&value, (enum cudaLimit)99));
    ck_ok(cudaDeviceReset());
    ck_assert_uint_eq(limit(cudaLimitMallocHeapSize), 8388608);
    ck_assert_uint_eq(limit(cudaLimitDevRuntimeSyncDepth), 2);
}

CDP_TEST(preferences_are_returned)
{
    enum cudaFuncCache cache;
    unsigned flags;
    ck_ok(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    ck_ok(cudaDeviceGetCacheConfig(&cache));
    ck_assert(cache == cudaFuncCachePreferL1);
    ck_cuda(cudaErrorInvalidValue, cudaDeviceSetCacheConfig((enum cudaFuncCache)17));
    ck_ok(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    ck_ok(cudaGetDeviceFlags(&flags));
    ck_assert_uint_eq(flags, cudaDeviceScheduleBlockingSync);
    ck_cuda(cudaErrorInvalidValue, cudaSetDeviceFlags(0x10000));
    char id[32];
    int device;
    ck_ok(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    ck_ok(cudaDeviceGetByPCIBusId(&device, id));
    ck_cuda(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(id, 3, 0));
    ck_cuda(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&device, "rubbish"));
    ck_cuda(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&device, "ffff:77:00.0"));
    ck_ok(cudaInitDevice(0, 0, 7));
}

static void trap_kernel(void)
{
    cdp_abi_trap();
}

static void null_kernel(void)
{
    *(volatile int *)0 = 1;
}

static void launch_fault(void (*function)(void))
{
    ck_ok(launch_one(make_kernel("faulty", function, NULL, 0), NULL, NULL));
}

CDP_TEST(s42_faults_are_sticky_until_reset)
{
    void *memory;
    ck_ok(cudaMalloc(&memory, 4));
    launch_fault(trap_kernel);
    ck_ok(cudaGetLastError());
    ck_cuda(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    ck_cuda(cudaErrorLaunchFailure, cudaGetLastError());
    /* returned once; the next call that needs the device returns it again */
    ck_ok(cudaGetLastError());
    ck_cuda(cudaErrorLaunchFailure, cudaMalloc(&memory, 4));
    ck_cuda(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    ck_cuda(cudaErrorLaunchFailure, launch_one(make_nop(), NULL, NULL));
    int host = 17;
    ck_cuda(cudaErrorLaunchFailure, cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
    ck_assert_int_eq(host, 17);
    ck_ok(cudaDeviceReset());
    ck_ok(cudaGetLastError());
    int *out = managed(sizeof *out), value = 3;
    void *args[] = {&out, &value};
    ck_ok(launch_one(make_store(), args, NULL));
    ck_ok(cudaDeviceSynchronize());
    ck_assert_int_eq(*out, 3);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAULTS_GO_TO_THE_SANITIZER 1
#endif
#endif

CDP_TEST(s42_a_bad_address_is_an_error_not_a_crash)
{
#ifndef FAULTS_GO_TO_THE_SANITIZER
    for (int i = 0; i < 3; i++) {
        launch_fault(null_kernel);
        ck_cuda(cudaErrorIllegalAddress, cudaDeviceSynchronize());
        ck_ok(cudaDeviceReset());
    }
#else
    (void)null_kernel;
#endif
}

CDP_TEST(s43_queued_work_is_abandoned_after_a_fault)
{
    cudaStream_t stream;
    cudaEvent_t event;
    ck_ok(cudaStreamCreate(&stream));
    ck_ok(cudaEventCreate(&event));
    int *out = managed(sizeof *out), value = 1;
    void *args[] = {&out, &value};
    const void *store = make_store();
    launch_fault(trap_kernel);
    for (int i = 0; i < 100; i++) {
        (void)launch_one(store, args, stream);
        (void)cudaEventRecord(event, stream);
    }
    ck_cuda(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
    ck_cuda(cudaErrorLaunchFailure, cudaEventSynchronize(event));
    ck_ok(cudaDeviceReset());
    ck_cuda(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
    ck_cuda(cudaErrorInvalidResourceHandle, cudaEventQuery(event));
}

CDP_TEST(reset_frees_everything)
{
    size_t before, after, total;
    void *memory;
    ck_ok(cudaMemGetInfo(&before, &total));
    ck_ok(cudaMalloc(&memory, 100 << 20));
    ck_ok(cudaMemset(memory, 1, 100 << 20));
    ck_ok(cudaDeviceReset());
    ck_ok(cudaMemGetInfo(&after, &total));
    ck_assert_uint_eq(before, after);
    ck_cuda(cudaErrorInvalidValue, cudaFree(memory));
    ck_ok(launch_one(make_nop(), NULL, cudaStreamPerThread));
    ck_ok(cudaDeviceReset());
    ck_ok(launch_one(make_nop(), NULL, cudaStreamPerThread));
    ck_ok(cudaDeviceSynchronize());
}

CDP_TEST(unsupported_calls_print_a_message)
{
    ck_cuda(cudaErrorNotSupported, cudaLaunchCooperativeKernelMultiDevice(NULL, 0, 0));
    ck_cuda(cudaErrorNotSupported, cudaGetLastError());
    struct cudaChannelFormatDesc desc =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    ck_assert(desc.x == 32 && desc.f == cudaChannelFormatKindFloat);
}

/* For each n the n-th allocation fails: each run must end with errors or success, never by a
 * signal. */
static int use_everything(void)
{
    void *memory = NULL, *pinned = NULL;
    cudaStream_t stream = NULL;
    cudaEvent_t event = NULL;
    bool good = cudaMalloc(&memory, 1000) == cudaSuccess;
    good &= cudaMallocHost(&pinned, 1000) == cudaSuccess;
    good &= cudaStreamCreate(&stream) == cudaSuccess;
    good &= cudaEventCreate(&event) == cudaSuccess;
    struct cdp_embed_kernel spec = {.name = "nop", .function = nop_kernel};
    const void *kernel = cdp_embed_register(&spec);
    good &= kernel != NULL;
    for (int i = 0; i < 12; i++) {
        good &= launch_one(kernel, NULL, i % 2 == 0 ? stream : NULL) == cudaSuccess;
        good &= cudaEventRecord(event, stream) == cudaSuccess;
        good &= cudaStreamWaitEvent(cudaStreamPerThread, event, 0) == cudaSuccess;
        good &= cudaMemcpyAsync(memory, pinned, 1000, cudaMemcpyDefault, stream) == cudaSuccess;
    }
    good &= cudaDeviceSynchronize() == cudaSuccess;
    good &= cudaFree(memory) == cudaSuccess;
    good &= cudaDeviceReset() == cudaSuccess;
    return good ? 0 : 1;
}

static bool succeeds_without(int n)
{
    pid_t child = fork();
    if (child == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", n);
        setenv("CDP_FAIL_ALLOC", number, 1);
        (void)!freopen("/dev/null", "w", stderr);
        alarm(100);
        _exit(use_everything());
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "allocation %d: signal %d", n, WTERMSIG(status));
    ck_assert_int_le(WEXITSTATUS(status), 1);
    return WEXITSTATUS(status) == 0;
}

/* The runtime can do without some allocations, so one success shows little. */
CDP_TEST(any_allocation_may_fail)
{
    int failures = 0, successes = 0;
    for (int n = 1; n < 400 && successes < 20; n++) {
        bool good = succeeds_without(n);
        failures += !good;
        successes = good ? successes + 1 : 0;
    }
    ck_assert_int_gt(failures, 10);
    ck_assert_int_eq(successes, 20);
}

CDP_TEST_MAIN("device", 60)
