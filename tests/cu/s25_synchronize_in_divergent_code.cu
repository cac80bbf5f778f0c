#include "show.h"
__device__ int wrong, runs;
__global__ void child(int *value) {
    *value += 1;
    atomicAdd(&runs, 1);
}
__global__ void parent(int *values) {
    int *mine = values + threadIdx.x;
    for (unsigned i = 0; i < threadIdx.x % 5; i++) {
        child<<<1, 1>>>(mine);
        if (i % 2 == 0) {
            cudaDeviceSynchronize();
            if (*(volatile int *)mine != (int)i + 1) {
                atomicAdd(&wrong, 1);
            }
        }
    }
}
int main() {
    int *values;
    MUST(cudaMalloc(&values, 100 * sizeof(int)));
    MUST(cudaMemset(values, 0, 100 * sizeof(int)));
    parent<<<1, 100>>>(values);
    MUST(cudaDeviceSynchronize());
    int result[2];
    MUST(cudaMemcpyFromSymbol(&result[0], wrong, sizeof(int)));
    MUST(cudaMemcpyFromSymbol(&result[1], runs, sizeof(int)));
    printf("%d wrong, %d runs\n", result[0], result[1]);
}
