// All queries of device code have the same results as on the host; tests also wrong queries.
#include "show.h"
struct Answers {
    int device, count, threads, warp, grid, major, processors, blocks, blocksWithFlags;
    int maxThreads, staticShared;
    cudaFuncCache cache;
    cudaSharedMemConfig config;
};
__global__ void bounded(int *p) {
    __shared__ int cells[100];
    cells[threadIdx.x] = *p;
    p[threadIdx.x] = cells[99 - threadIdx.x];
}
static __host__ __device__ void ask(Answers *a) {
    *a = Answers();
    cudaFuncAttributes attributes;
    SHOW(cudaGetDevice(&a->device));
    SHOW(cudaGetDeviceCount(&a->count));
    SHOW(cudaDeviceGetAttribute(&a->threads, cudaDevAttrMaxThreadsPerBlock, 0));
    SHOW(cudaDeviceGetAttribute(&a->warp, cudaDevAttrWarpSize, 0));
    SHOW(cudaDeviceGetAttribute(&a->grid, cudaDevAttrMaxGridDimY, 0));
    SHOW(cudaDeviceGetAttribute(&a->major, cudaDevAttrComputeCapabilityMajor, 0));
    SHOW(cudaDeviceGetAttribute(&a->processors, cudaDevAttrMultiProcessorCount, 0));
    SHOW(cudaDeviceGetCacheConfig(&a->cache));
    SHOW(cudaDeviceGetSharedMemConfig(&a->config));
    SHOW(cudaFuncGetAttributes(&attributes, bounded));
    a->maxThreads = attributes.maxThreadsPerBlock;
    a->staticShared = attributes.sharedSizeBytes;
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a->blocks, bounded, 128, 1000));
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&a->blocksWithFlags, bounded, 1024,
                                                                0, cudaOccupancyDefault));
    int value = 5;
    SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
    SHOW(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)12345, 0));
    printf("%d\n", value);
    SHOW(cudaGetLastError());
}
__global__ void kernel(Answers *a) {
    int version = 0;
    ask(a);
    SHOW(cudaRuntimeGetVersion(&version));
    printf("%d\n", version > 0);
}
int main() {
    Answers host, *device;
    MUST(cudaMallocManaged(&device, sizeof(*device)));
    MUST(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    ask(&host);
    kernel<<<1, 1>>>(device);
    MUST(cudaDeviceSynchronize());
    for (Answers *a : {&host, device}) {
        printf("%d %d %d %d %d %d %d %d %d %d %d\n", a->device, a->count, a->threads, a->warp,
               a->grid, a->blocks > 0, a->blocksWithFlags, a->maxThreads, a->staticShared, a->cache,
               a->config);
    }
    printf("%d\n", host.major == device->major && host.processors == device->processors &&
                       host.blocks == device->blocks);
}
