// cdpcc: --cdp=1
#include "show.h"
__device__ int deepest;
__global__ void level(int depth) {
    deepest = depth;
    level<<<1, 1>>>(depth + 1);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("%d %s\n", depth, cudaGetErrorName(error));
    }
}
int main() {
    level<<<1, 1>>>(1);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, deepest, sizeof(result)));
    printf("%d\n", result);
}
