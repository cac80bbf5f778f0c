// 50 children, each of which launches 4 levels of one grid: 250 launches, 5 levels deep.
// env: CDP_STATS=1
// stderr: ^cdp: 250 launches by device code; latency [0-9]+\.[0-9]{3} us on average, [0-9]+\.[0-9]{3} us at most; at most [0-9]+ pending; depth 5$
#include "show.h"
__device__ int runs;
__global__ void chain(int below) {
    atomicAdd(&runs, 1);
    if (below > 0) {
        chain<<<1, 1>>>(below - 1);
    }
}
__global__ void parent() {
    for (int i = 0; i < 50; i++) {
        chain<<<1, 1>>>(4);
    }
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, runs, sizeof(result)));
    printf("%d\n", result);
}
