// stderr: cudaErrorHardwareStackError: .*stack
#include "show.h"
__device__ int recurse(int depth) {
    volatile int frame[64];
    frame[depth % 64] = depth;
    return depth == 0 ? 0 : recurse(depth - 1) + frame[depth % 64];
}
__global__ void kernel(int *out, int depth) { *out = recurse(depth); }
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    kernel<<<1, 1>>>(out, 3);
    SHOW(cudaDeviceSynchronize());
    printf("%d\n", *out);
    kernel<<<1, 1>>>(out, 100000000);
    printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
}
