// cdpcc: --cdp=2
#include "show.h"
__device__ int deepest;
__global__ void level(int depth) {
    deepest = depth;
    if (depth < 60) {
        level<<<1, 1>>>(depth + 1);
    }
}
int main() {
    level<<<1, 1>>>(1);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, deepest, sizeof(result)));
    printf("%d\n", result);
}
