// 5000 launches are pending at the same time; a binary tree of 4096 leaves loses none.
#include "show.h"
__device__ int runs, leaves;
__global__ void child() { atomicAdd(&runs, 1); }
__global__ void parent() {
    int failures = 0;
    for (int i = 0; i < 5000; i++) {
        child<<<1, 1>>>();
        failures += cudaGetLastError() != cudaSuccess;
    }
    printf("%d failures\n", failures);
}
__global__ void tree(int depth) {
    if (depth == 0) {
        atomicAdd(&leaves, 1);
        return;
    }
    tree<<<1, 1>>>(depth - 1);
    tree<<<1, 1>>>(depth - 1);
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    tree<<<1, 1>>>(12);
    MUST(cudaDeviceSynchronize());
    int result[2];
    MUST(cudaMemcpyFromSymbol(&result[0], runs, sizeof(int)));
    MUST(cudaMemcpyFromSymbol(&result[1], leaves, sizeof(int)));
    printf("%d runs, %d leaves\n", result[0], result[1]);
}
