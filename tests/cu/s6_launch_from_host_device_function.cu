#include "show.h"
__device__ int count;
__global__ void child() { atomicAdd(&count, 1); }
__host__ __device__ void launch() { child<<<2, 3>>>(); }
__global__ void parent() { launch(); }
int main() {
    launch();
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, count, sizeof(result)));
    printf("%d\n", result);
}
