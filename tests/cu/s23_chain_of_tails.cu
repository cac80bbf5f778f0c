// A grid that launches itself as its tail, as iterative solvers do.
#include "show.h"
__device__ int rounds;
__global__ void iterate(int left) {
    rounds++;
    if (left > 0) {
        iterate<<<1, 1, 0, cudaStreamTailLaunch>>>(left - 1);
    }
}
int main() {
    iterate<<<1, 1>>>(9999);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, rounds, sizeof(result)));
    printf("%d\n", result);
}
