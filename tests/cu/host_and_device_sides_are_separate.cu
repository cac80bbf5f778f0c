// __CUDA_ARCH__ distinguishes the sides; host and device functions of one name coexist.
#include "show.h"
__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__ >= 300 ? 1 : -1;
#else
    return 2;
#endif
}
__device__ const char *name() { return "device"; }
__host__ const char *name() { return "host"; }
__global__ void kernel() { printf("%d %s\n", side(), name()); }
int main() {
    kernel<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    printf("%d %s\n", side(), name());
}
