// races: volatile accesses order nothing in C++
// The style before __syncwarp: lanes of a warp read what other lanes wrote one step before.
#include "show.h"
__global__ void reduce(int *out) {
    __shared__ volatile int cells[256];
    unsigned i = threadIdx.x;
    cells[i] = i + 1;
    __syncthreads();
    if (i < 128) {
        cells[i] += cells[i + 128];
    }
    __syncthreads();
    if (i < 64) {
        cells[i] += cells[i + 64];
    }
    __syncthreads();
    if (i < 32) {
        cells[i] += cells[i + 32];
        cells[i] += cells[i + 16];
        cells[i] += cells[i + 8];
        cells[i] += cells[i + 4];
        cells[i] += cells[i + 2];
        cells[i] += cells[i + 1];
    }
    if (i == 0) {
        out[blockIdx.x] = cells[0];
    }
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, 10 * sizeof(int)));
    reduce<<<10, 256>>>(out);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 10; i++) {
        if (out[i] != 32896) {
            printf("block %d: %d\n", i, out[i]);
        }
    }
    printf("end\n");
}
