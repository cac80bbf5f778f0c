// The documents' check of a launch in a kernel: by each thread for its own.
#include "show.h"
__global__ void child() { printf("child\n"); }
__global__ void parent(int threads) {
    child<<<1, threads>>>();
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("launch failed: %s (%s)\n", cudaGetErrorName(error), cudaGetErrorString(error));
    }
}
int main() {
    parent<<<1, 1>>>(1);
    MUST(cudaDeviceSynchronize());
    parent<<<1, 1>>>(4096);
    MUST(cudaDeviceSynchronize());
}
