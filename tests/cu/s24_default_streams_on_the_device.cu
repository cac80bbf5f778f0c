// cdpcc: -default-stream per-thread
#include "show.h"
__device__ int runs;
__global__ void child() { atomicAdd(&runs, 1); }
__global__ void parent() {
    child<<<1, 1, 0, cudaStreamLegacy>>>();
    SHOW(cudaGetLastError());
    child<<<1, 1, 0, cudaStreamPerThread>>>();
    SHOW(cudaGetLastError());
    child<<<1, 1>>>();
    SHOW(cudaGetLastError());
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, runs, sizeof(result)));
    printf("%d\n", result);
}
