#include "show.h"
__global__ void kernel() {
    int count = __syncthreads_count(threadIdx.x % 3 == 0);
    int all = __syncthreads_and(threadIdx.x < 100);
    int notAll = __syncthreads_and(threadIdx.x < 99);
    int any = __syncthreads_or(threadIdx.x == 57);
    int none = __syncthreads_or(threadIdx.x > 100);
    for (unsigned i = 0; i < 100; i += 99) {
        if (threadIdx.x == i) {
            printf("%d %d %d %d %d\n", count, all != 0, notAll != 0, any != 0, none != 0);
        }
        __syncthreads();
    }
}
int main() {
    kernel<<<1, 100>>>();
    MUST(cudaDeviceSynchronize());
}
