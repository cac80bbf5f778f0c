#include "show.h"
__device__ int sum;
__global__ void child(int value) { atomicAdd(&sum, value); }
__global__ void parent() {
    child<<<3, 5>>>(threadIdx.x);
    return;
}
int main() {
    parent<<<2, 100>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, sum, sizeof(result)));
    printf("%d\n", result);
}
