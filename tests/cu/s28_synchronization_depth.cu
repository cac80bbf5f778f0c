// By default grids at depth 0 and 1 may wait; a limit that the host sets changes that.
#include "show.h"
__device__ cudaError_t errors[5];
__global__ void level(int depth) {
    if (depth < 4) {
        level<<<1, 1>>>(depth + 1);
    }
    errors[depth] = cudaDeviceSynchronize();
    cudaGetLastError();
}
__global__ void limit() {
    size_t value = 0;
    SHOW(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
    printf("%d\n", (int)value);
}
static int run() {
    cudaError_t result[5];
    level<<<1, 1>>>(0);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpyFromSymbol(result, errors, sizeof(result)));
    for (int depth = 0; depth < 5; depth++) {
        printf("depth %d: %s\n", depth, cudaGetErrorName(result[depth]));
    }
    return 0;
}
int main() {
    size_t value = 0;
    SHOW(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
    printf("%zu\n", value);
    if (run() != 0) {
        return 1;
    }
    SHOW(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    if (run() != 0) {
        return 1;
    }
    limit<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
