#include "show.h"
__global__ void child() {}
__global__ void parent() {
    if (threadIdx.x == 1) {
        child<<<1, 2000>>>();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        SHOW(cudaGetLastError());
    }
    __syncthreads();
    if (threadIdx.x == 1) {
        SHOW(cudaPeekAtLastError());
        child<<<1, 1>>>();
        SHOW(cudaPeekAtLastError());
        SHOW(cudaGetLastError());
        SHOW(cudaGetLastError());
    }
}
int main() {
    parent<<<1, 2>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
}
