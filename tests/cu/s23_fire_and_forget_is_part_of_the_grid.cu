#include "show.h"
__device__ int done;
__global__ void leaf() { atomicAdd(&done, 1); }
__global__ void middle() { leaf<<<2, 2, 0, cudaStreamFireAndForget>>>(); }
__global__ void successor() { printf("%d\n", done); }
__global__ void parent() {
    middle<<<5, 10, 0, cudaStreamFireAndForget>>>();
    successor<<<1, 1, 0, cudaStreamTailLaunch>>>();
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
