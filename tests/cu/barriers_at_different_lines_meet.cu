// stderr: kernel kernel, .* of one warp wait at different __syncthreads\(\), at .*:(18|20):.* and .*:(18|20):
// Threads count, not lines. Code that the guide leaves undefined works, with a message if it would
// hang on a GPU. Barriers do not wait for threads that have ended.
#include "show.h"
__global__ void kernel(int *out) {
    __shared__ int cell[64];
    int t = threadIdx.x;
    if (t < 32) {
        cell[t] = t;
        __syncthreads();
        atomicAdd(out, cell[63 - t]);
    } else {
        cell[t] = 100;
        if (t == 40) {
            return;
        }
        if (t % 2) {
            __syncthreads();
        } else {
            atomicAdd(out, 10000 * (__syncthreads_count(1) == 16 - 1));
        }
    }
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    kernel<<<1, 64>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *out);
}
