// Settings of the host for a kernel hold for its launches by kernels, at any depth, and for no
// other kernel; device code reads them, and the host's settings for the whole device, unchanged.
#include "show.h"
extern __shared__ char bytes[];
__device__ int largest;
__global__ void child(int last) {
    bytes[last] = 1;
    atomicMax(&largest, last + bytes[last]);
}
__global__ void other(int last) {
    bytes[last] = 1;
    atomicMax(&largest, last + 1);
}
__global__ void parent(int depth) {
    if (depth > 0) {
        parent<<<1, 1>>>(depth - 1);
        return;
    }
    cudaFuncAttributes attributes;
    cudaFuncCache cache;
    SHOW(cudaFuncGetAttributes(&attributes, child));
    printf("child: %d bytes\n", attributes.maxDynamicSharedSizeBytes);
    SHOW(cudaFuncGetAttributes(&attributes, other));
    printf("other: %d bytes\n", attributes.maxDynamicSharedSizeBytes);
    SHOW(cudaDeviceGetCacheConfig(&cache));
    printf("cache: %d\n", cache == cudaFuncCachePreferL1);
    child<<<1, 1, 100000>>>(99999);
    SHOW(cudaGetLastError());
    other<<<1, 1, 100000>>>(99999);
    SHOW(cudaGetLastError());
}
int main() {
    MUST(cudaFuncSetAttribute(child, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    MUST(cudaFuncSetCacheConfig(child, cudaFuncCachePreferShared));
    MUST(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    for (int depth = 0; depth < 4; depth += 3) {
        int result, zero = 0;
        MUST(cudaMemcpyToSymbol(largest, &zero, sizeof(int)));
        parent<<<1, 1>>>(depth);
        MUST(cudaDeviceSynchronize());
        MUST(cudaMemcpyFromSymbol(&result, largest, sizeof(int)));
        printf("depth %d: %d\n", depth, result);
    }
}
