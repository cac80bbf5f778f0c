// rules: S46
#include "show.h"
__global__ void __launch_bounds__(128) bounded(int *out) {
    __shared__ int cells[100];
    cells[threadIdx.x % 100] = 1;
    __syncthreads();
    *out = cells[5];
}
int main() {
    cudaFuncAttributes attributes;
    MUST(cudaFuncGetAttributes(&attributes, bounded));
    printf("%zu %d\n", attributes.sharedSizeBytes, attributes.maxThreadsPerBlock);
    int *out, blocks = 0;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    bounded<<<1, 129>>>(out);
    printf("%d\n", cudaGetLastError() != cudaSuccess);
    bounded<<<1, 128>>>(out);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 0));
    int grid = 0, block = 0;
    MUST(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0));
    printf("%d %d %d\n", blocks >= 1, grid >= 1, block >= 32 && block <= 128);
}
