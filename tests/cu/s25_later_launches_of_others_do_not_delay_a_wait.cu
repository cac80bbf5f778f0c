// races: polls volatile variables
// Thread 0's wait ends although thread 1 has launched, after it began, a grid that can end only
// after thread 0 continues.
#include "show.h"
__device__ volatile int about_to_wait, waiting, released;
__global__ void first() {
    while (!waiting) {
    }
}
__global__ void second() {
    while (!released) {
    }
}
__global__ void parent() {
    if (threadIdx.x == 0) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        first<<<1, 1, 0, stream>>>();
        cudaStreamDestroy(stream);
        about_to_wait = 1;
        cudaDeviceSynchronize();
        printf("thread 0 continues\n");
        released = 1;
    } else if (threadIdx.x == 1) {
        for (int turns = 0; turns < 1000; turns += about_to_wait) {
        }
        second<<<1, 1>>>();
        waiting = 1;
        cudaDeviceSynchronize();
        printf("thread 1 continues\n");
    }
}
int main() {
    parent<<<1, 2>>>();
    MUST(cudaDeviceSynchronize());
}
