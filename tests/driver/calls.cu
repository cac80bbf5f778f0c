// The driver API: calls and their codes, as an H200 has them. The argument is a module made of
// tests/driver/module.cu.
#include <cstdio>
#include <cstring>
#include <vector>

#include <cooperative_groups.h>
#include "show.h"

enum { N = 1000 };

static void show_ints(CUdeviceptr from)
{
    int two[2] = {};
    SHOW(cuMemcpyDtoH(two, from, sizeof two));
    printf("%d %d\n", two[0], two[1]);
}

static void show_float(CUdeviceptr from)
{
    float value = 0;
    SHOW(cuMemcpyDtoH(&value, from, sizeof value));
    printf("%g\n", value);
}

static void CUDA_CB note(CUstream, CUresult status, void *data)
{
    *(int *)data = status == CUDA_SUCCESS ? 1 : 2;
}

__global__ void linked(int *p)
{
    *p = 7;
}

static void devices()
{
    int value = 0, major = 0, minor = 0;
    char name[4] = "";
    size_t bytes = 0;
    CUdevice device;
    SHOW(cuDeviceGet(&device, 0));
    SHOW(cuInit(1));
    SHOW(cuInit(0));
    SHOW(cuDeviceGetCount(&value));
    SHOW(cuDeviceGet(&device, 0));
    SHOW(cuDeviceGet(&device, 100));
    SHOW(cuDeviceGetName(name, sizeof name, 0));
    printf("%zu\n", strlen(name));
    SHOW(cuDeviceTotalMem(&bytes, 0));
    SHOW(cuDeviceComputeCapability(&major, &minor, 0));
    printf("%d.%d\n", major, minor);
    SHOW(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    printf("%d\n", value);
    SHOW(cuDeviceGetAttribute(&value, (CUdevice_attribute)100000, 0));
}

static void contexts()
{
    CUcontext context, current, primary;
    CUdeviceptr ptr;
    int active = -1;
    unsigned flags = 0;
    SHOW(cuMemAlloc(&ptr, 100));
    SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("%d\n", active);
    SHOW(cuCtxCreate(&context, 0, 100));
    SHOW(cuCtxCreate(&context, 0x1000, 0));
    SHOW(cuCtxCreate(&context, CU_CTX_SCHED_SPIN, 0));
    SHOW(cuCtxGetFlags(&flags));
    printf("%u\n", flags & CU_CTX_SCHED_MASK);
    SHOW(cuDevicePrimaryCtxRetain(&primary, 0));
    SHOW(cuCtxPushCurrent(primary));
    SHOW(cuCtxGetCurrent(&current));
    printf("%d\n", current == primary);
    SHOW(cuCtxPopCurrent(&current));
    printf("%d\n", current == primary);
    SHOW(cuCtxGetCurrent(&current));
    printf("%d\n", current == context);
    SHOW(cuDevicePrimaryCtxRelease(0));
    SHOW(cuCtxDestroy(context));
    SHOW(cuCtxGetCurrent(&current));
    printf("%d\n", current == NULL);
    SHOW(cuMemAlloc(&ptr, 4));
    SHOW(cuCtxPopCurrent(&current));
    SHOW(cuCtxDestroy(context));
    SHOW(cuCtxCreate(&context, 0, 0));
}

static void kernels(CUmodule module)
{
    CUfunction add, scale, parent, mangled, none;
    CUdeviceptr a, b, c, counter, factor;
    size_t size = 0;
    int n = N, value = 0;
    float half = 0.5f;
    std::vector<float> host(N);
    for (int i = 0; i < N; i++) {
        host[i] = (float)i;
    }
    SHOW(cuModuleGetFunction(&none, module, "none"));
    SHOW(cuModuleGetFunction(&add, module, "add"));
    SHOW(cuModuleGetFunction(&scale, module, "scale"));
    SHOW(cuModuleGetFunction(&parent, module, "parent"));
    SHOW(cuModuleGetFunction(&mangled, module, "_ZN5named7mangledEPi"));
    SHOW(cuModuleGetGlobal(&counter, &size, module, "counter"));
    printf("%zu\n", size);
    SHOW(cuModuleGetGlobal(&factor, NULL, module, "factor"));
    SHOW(cuModuleGetGlobal(&factor, NULL, module, "none"));
    SHOW(cuMemAlloc(&a, 0));
    SHOW(cuMemAlloc(&a, N * sizeof(float)));
    SHOW(cuMemAlloc(&b, N * sizeof(float)));
    SHOW(cuMemAlloc(&c, N * sizeof(float)));
    SHOW(cuMemcpyHtoD(a, host.data(), N * sizeof(float)));
    SHOW(cuMemcpyDtoD(b, a, N * sizeof(float)));

    void *args[] = {&a, &b, &c, &n};
    SHOW(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
    SHOW(cuCtxSynchronize());
    show_float(c + 4 * (N - 1));
    struct {
        CUdeviceptr a, b, c;
        int n;
    } params = {c, b, c, N};
    size = sizeof params;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    SHOW(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, NULL, NULL, extra)); // with padding
    size = 3 * sizeof(CUdeviceptr) + sizeof(int);
    SHOW(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, NULL, NULL, extra));
    show_float(c + 4 * (N - 1));
    SHOW(cuLaunchKernel(add, 4, 1, 1, 2048, 1, 1, 0, NULL, args, NULL));
    SHOW(cuMemcpyHtoD(factor, &half, sizeof half));
    void *scale_args[] = {&c, &n};
    SHOW(cuLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 1024, NULL, scale_args, NULL));
    show_float(c + 4 * (N - 1));

    SHOW(cuMemsetD32(c, 7, N));
    show_ints(c + 4 * (N - 2));
    value = 5;
    SHOW(cuMemcpyHtoD(counter, &value, sizeof value));
    void *parent_args[] = {&c};
    SHOW(cuLaunchKernel(parent, 1, 1, 1, 1, 1, 1, 0, NULL, parent_args, NULL));
    show_ints(c);
    SHOW(cuLaunchKernel(mangled, 1, 1, 1, 1, 1, 1, 0, NULL, parent_args, NULL));
    show_ints(c);
    SHOW(cuMemsetD16(c, 0x101, 3));
    show_ints(c);
    SHOW(cuMemsetD16(c + 1, 0x101, 3));

    SHOW(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
    printf("%d\n", value);
    SHOW(cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    SHOW(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, scale));
    printf("%d\n", value);
    int grid = 0, block = 0;
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, add, NULL, 0, 0));
    printf("%d\n", grid > 0 && block % 32 == 0);
    SHOW(cuMemFree(a));
    SHOW(cuMemFree(b));
    SHOW(cuMemFree(c));
    SHOW(cuMemFree(0));
}

static void memory()
{
    CUdeviceptr rows, base, managed;
    size_t pitch = 0, size = 0;
    unsigned type = 0;
    int tile[2][3] = {{1, 2, 3}, {4, 5, 6}}, back[2][2] = {};
    SHOW(cuMemAllocPitch(&rows, &pitch, 12, 2, 4));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = tile;
    copy.srcPitch = 12;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = rows;
    copy.dstPitch = pitch;
    copy.WidthInBytes = 12;
    copy.Height = 2;
    SHOW(cuMemcpy2D(&copy));
    copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = rows;
    copy.srcPitch = pitch;
    copy.srcXInBytes = 4;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = back;
    copy.dstPitch = 8;
    copy.WidthInBytes = 8;
    copy.Height = 2;
    SHOW(cuMemcpy2D(&copy));
    printf("%d %d %d %d\n", back[0][0], back[0][1], back[1][0], back[1][1]);
    SHOW(cuMemGetAddressRange(&base, &size, rows + 5));
    printf("%d\n", base == rows);
    SHOW(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, managed));
    printf("%u\n", type);
    SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)&type));
    void *pinned = NULL;
    SHOW(cuMemHostAlloc(&pinned, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    SHOW(cuMemHostGetDevicePointer(&base, pinned, 0));
    SHOW(cuMemFreeHost(pinned));
    SHOW(cuMemFree(managed));
    SHOW(cuMemFree(rows));
}

static void streams()
{
    CUstream stream;
    CUevent start, end;
    CUdeviceptr ptr;
    float ms = -1;
    int called = 0, value = 0;
    SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    SHOW(cuEventCreate(&start, CU_EVENT_DEFAULT));
    SHOW(cuEventCreate(&end, CU_EVENT_DEFAULT));
    SHOW(cuMemAllocAsync(&ptr, sizeof(int), stream));
    SHOW(cuEventRecord(start, stream));
    linked<<<1, 1, 0, stream>>>((int *)ptr); // the runtime API uses the same streams
    SHOW(cuStreamAddCallback(stream, note, &called, 0));
    SHOW(cuEventRecord(end, stream));
    SHOW(cuMemcpyDtoHAsync(&value, ptr, sizeof value, stream));
    SHOW(cuMemFreeAsync(ptr, stream));
    SHOW(cuStreamSynchronize(stream));
    SHOW(cuEventElapsedTime(&ms, start, end));
    printf("%d %d %d\n", value, called, ms >= 0);
    SHOW(cuEventDestroy(start));
    SHOW(cuEventDestroy(end));
    SHOW(cuStreamDestroy(stream));
}

__global__ void meet(int *p)
{
    atomicAdd(p, 1);
    cooperative_groups::this_grid().sync();
    p[1 + blockIdx.x] = *p;
}

static void launches_with_attributes()
{
    cudaFunction_t function = NULL;
    CUdeviceptr p;
    CUlaunchAttribute attribute = {};
    CUlaunchConfig config = {};
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    config.gridDimX = 2;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    cudaGetFuncBySymbol(&function, (const void *)meet);
    SHOW(cuMemAlloc(&p, 12));
    SHOW(cuMemsetD32(p, 0, 3));
    void *args[] = {&p};
    config.numAttrs = 1;
    SHOW(cuLaunchKernelEx(&config, (CUfunction)function, args, NULL));
    config.attrs = &attribute;
    SHOW(cuLaunchKernelEx(NULL, (CUfunction)function, args, NULL));
    SHOW(cuLaunchKernelEx(&config, (CUfunction)function, args, NULL));
    show_ints(p + 4);
    SHOW(cuMemFree(p));
}

// The same functions by the runtime API, and names that mean another function in later versions.
static void entry_points()
{
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointVersionNotSufficent;
    void *function = NULL, *later = NULL;
    printf("%d", cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault,
                                                  &result));
    printf(" %d %d\n", function == (void *)cuMemAlloc, result);
    printf("%d", cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault,
                                                  &result));
    printf(" %d %d\n", function == NULL, result);
    cudaGetDriverEntryPointByVersion("cuGraphGetEdges", &function, 12000, cudaEnableDefault, NULL);
    cudaGetDriverEntryPointByVersion("cuGraphGetEdges", &later, 13000, cudaEnableDefault, NULL);
    printf("%d\n", function != NULL && later != NULL && function != later);
    printf("%d", cudaGetDriverEntryPointByVersion("cuInit", NULL, 12000, cudaEnableDefault, NULL));
    printf(" %d\n", cudaGetDriverEntryPointByVersion(NULL, &function, 12000, cudaEnableDefault, NULL));
    cudaGetLastError();
}

int main(int, char **argv)
{
    CUmodule module, second;
    CUdeviceptr counter;
    void *function = NULL;
    devices();
    contexts();
    SHOW(cuModuleLoad(&module, "nothing.cubin"));
    SHOW(cuModuleLoad(&module, argv[1]));
    kernels(module);
    SHOW(cuModuleLoad(&second, argv[1])); // its variables are not those of the first
    SHOW(cuModuleGetGlobal(&counter, NULL, second, "counter"));
    show_ints(counter);
    SHOW(cuModuleUnload(second));
    SHOW(cuModuleUnload(module));
    SHOW(cuModuleUnload(module));
    SHOW(cuModuleLoadData(&module, ".version 8.0\n.target sm_80\n"));
    SHOW(cuModuleLoadData(&module, "garbage"));
    memory();
    streams();
    SHOW(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, NULL));
    printf("%d\n", function == (void *)cuMemAlloc);
    CUdriverProcAddressQueryResult status;
    SHOW(cuGetProcAddress("cuNothing", &function, 12000, 0, &status));
    printf("%d %d\n", function == NULL, status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    launches_with_attributes();
    entry_points();
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); // the runtime API's error is its own
}
