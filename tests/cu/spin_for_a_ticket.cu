// A ticket lock: each thread waits for its number by atomic reads.
#include "show.h"
__device__ unsigned ticket, serving;
__device__ int order[128], next;
__global__ void kernel() {
    unsigned mine = atomicAdd(&ticket, 1u);
    while (atomicAdd(&serving, 0u) != mine) {
    }
    order[next++] = mine;
    __threadfence();
    atomicAdd(&serving, 1u);
}
int main() {
    kernel<<<4, 32>>>();
    MUST(cudaDeviceSynchronize());
    int result[128];
    MUST(cudaMemcpyFromSymbol(result, order, sizeof(result)));
    for (int i = 0; i < 128; i++) {
        if (result[i] != i) {
            printf("place %d: %d\n", i, result[i]);
        }
    }
    printf("end\n");
}
