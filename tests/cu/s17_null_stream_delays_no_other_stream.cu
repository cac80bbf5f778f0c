// A grid in a named stream or in another block's NULL stream, or a fire-and-forget grid, waits for
// an action of a later launch into the NULL stream: all must run at the same time.
#include "show.h"
__device__ int flags[2];
__device__ int ended;
__global__ void waitFor(int which) {
    while (atomicAdd(&flags[which], 0) == 0) {
    }
    atomicAdd(&ended, 1);
}
__global__ void raise(int which) { atomicExch(&flags[which], 1); }
__global__ void parent() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (blockIdx.x == 0) {
        waitFor<<<1, 1, 0, stream>>>(0);
        waitFor<<<1, 1, 0, cudaStreamFireAndForget>>>(0);
        raise<<<1, 1>>>(0);
        waitFor<<<1, 1>>>(1);
    } else {
        waitFor<<<1, 1, 0, stream>>>(0);
        raise<<<1, 1>>>(1);
    }
    cudaStreamDestroy(stream);
}
int main() {
    parent<<<2, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, ended, sizeof(result)));
    printf("%d\n", result);
}
