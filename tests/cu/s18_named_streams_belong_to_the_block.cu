// One thread creates, another launches, a third destroys.
#include "show.h"
__device__ int order[3], next;
__global__ void child(int value) { order[next++] = value; }
__global__ void parent() {
    __shared__ cudaStream_t stream;
    if (threadIdx.x == 0) {
        SHOW(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    __syncthreads();
    for (unsigned i = 0; i < 3; i++) {
        if (threadIdx.x == 33 + i) {
            child<<<1, 1, 0, stream>>>(i);
        }
        __syncthreads();
    }
    if (threadIdx.x == 64) {
        SHOW(cudaStreamDestroy(stream));
    }
}
int main() {
    parent<<<1, 65>>>();
    MUST(cudaDeviceSynchronize());
    int result[3];
    MUST(cudaMemcpyFromSymbol(result, order, sizeof(result)));
    printf("%d %d %d\n", result[0], result[1], result[2]);
}
