#include "show.h"
__device__ int sum;
__global__ void level(int depth) {
    int before = depth;
    if (depth > 1) {
        level<<<1, 1>>>(depth - 1);
        if (cudaDeviceSynchronize() != cudaSuccess) {
            printf("level %d failed\n", depth);
            return;
        }
    }
    sum = sum * 2 % 1000003 + before;
}
int main() {
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 24));
    level<<<1, 1>>>(24);
    MUST(cudaDeviceSynchronize());
    int result, expected = 0;
    for (int depth = 1; depth <= 24; depth++) {
        expected = expected * 2 % 1000003 + depth;
    }
    MUST(cudaMemcpyFromSymbol(&result, sum, sizeof(result)));
    printf("%s\n", result == expected ? "right" : "wrong");
}
