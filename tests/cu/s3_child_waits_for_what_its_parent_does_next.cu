// If the launch ran the child before it returned, the child would wait for ever.
#include "show.h"
__device__ int go, came;
__global__ void child() {
    while (atomicAdd(&go, 0) == 0) {
    }
    came = 1;
}
__global__ void parent() {
    child<<<1, 1>>>();
    atomicExch(&go, 1);
    cudaDeviceSynchronize();
    printf("%d\n", came);
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
