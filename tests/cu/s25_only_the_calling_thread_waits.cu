// Thread 0 waits for its child; meanwhile the other threads continue to the barrier.
#include "show.h"
__device__ volatile int arrived;
__global__ void child() { __nanosleep(100000); }
__global__ void parent() {
    if (threadIdx.x == 0) {
        child<<<1, 1>>>();
        cudaDeviceSynchronize();
    } else {
        atomicAdd((int *)&arrived, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        printf("%d\n", arrived);
    }
}
int main() {
    parent<<<1, 64>>>();
    MUST(cudaDeviceSynchronize());
}
