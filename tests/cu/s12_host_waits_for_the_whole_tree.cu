#include "show.h"
__device__ int leaves;
__global__ void node(int depth) {
    if (depth == 0) {
        atomicAdd(&leaves, 1);
        return;
    }
    node<<<2, 2>>>(depth - 1);
}
__device__ int after;
__global__ void next() { after = leaves; }
int main() {
    node<<<1, 1>>>(6);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, leaves, sizeof(result)));
    printf("%d\n", result);
    // The next grid of a host stream also starts after the whole tree.
    node<<<1, 1>>>(5);
    next<<<1, 1>>>();
    MUST(cudaMemcpyFromSymbol(&result, after, sizeof(result)));
    printf("%d\n", result);
}
