#include "show.h"
__device__ int lock, counter;
__global__ void kernel() {
    for (int i = 0; i < 10; i++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(&lock, 0, 1) == 0) {
                __threadfence();
                counter = counter + 1;
                __threadfence();
                atomicExch(&lock, 0);
                done = true;
            }
        }
    }
}
int main() {
    kernel<<<8, 64>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, counter, sizeof(result)));
    printf("%d\n", result);
}
