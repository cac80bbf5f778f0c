// CDP1: a stream belongs to its block only, and not to the block that runs next on the worker.
// cdpcc: --cdp=1
// stderr: stream 0x[0-9a-f]+ was destroyed, or the block or grid that created it has ended
// workers: 1
#include "show.h"
__device__ cudaStream_t stream;
__device__ int blocks, runs, refusals;
__global__ void child() { runs++; }
__global__ void parent() {
    if (atomicAdd(&blocks, 1) == 0) { // whichever block is the first
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        child<<<1, 1, 0, stream>>>();
    } else {
        while (*(cudaStream_t volatile *)&stream == nullptr) {
        }
        child<<<1, 1, 0, stream>>>();
        refusals += cudaGetLastError() == cudaErrorInvalidValue;
    }
}
int main() {
    parent<<<4, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result[2];
    MUST(cudaMemcpyFromSymbol(&result[0], runs, sizeof(int)));
    MUST(cudaMemcpyFromSymbol(&result[1], refusals, sizeof(int)));
    printf("%d ran, %d refused\n", result[0], result[1]);
}
