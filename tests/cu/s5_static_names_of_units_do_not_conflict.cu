// with: units/s5_statics.cu
#include "show.h"
static __device__ int counter = 1;
static __constant__ int limit = 10;
static __global__ void kernel(int *out) { *out += counter + limit; }
__global__ void otherParent(int *out);
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    *out = 0;
    kernel<<<1, 1>>>(out);
    otherParent<<<1, 1>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *out);
}
