// The tutorial's sum by recursion: each block of a grid sums its part, and the last block
// to end launches a grid over the parts.  As printed a grid is launched while other blocks
// still write their parts.
#include "show.h"
#define THREADS 128
__global__ void recursive_reduce(const int *in, int n, int *parts, unsigned *arrived, int *out) {
    __shared__ int cells[THREADS];
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    cells[threadIdx.x] = i < (unsigned)n ? in[i] : 0;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < (unsigned)half) {
            cells[threadIdx.x] += cells[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x != 0) {
        return;
    }
    parts[blockIdx.x] = cells[0];
    __threadfence();
    bool last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    if (!last) {
        return;
    }
    if (gridDim.x == 1) {
        *out = parts[0];
    } else {
        int blocks = (gridDim.x + THREADS - 1) / THREADS;
        recursive_reduce<<<blocks, THREADS>>>(parts, gridDim.x, parts + gridDim.x, arrived + 1, out);
    }
}
int main() {
    const int n = 100000;
    int *in, *parts, *out, expected = 0;
    unsigned *arrived;
    MUST(cudaMallocManaged(&in, n * sizeof(int)));
    MUST(cudaMalloc(&parts, n * sizeof(int)));
    MUST(cudaMalloc(&arrived, 8 * sizeof(unsigned)));
    MUST(cudaMemset(arrived, 0, 8 * sizeof(unsigned)));
    MUST(cudaMallocManaged(&out, sizeof(int)));
    for (int i = 0; i < n; i++) {
        in[i] = i % 17 - 5;
        expected += in[i];
    }
    recursive_reduce<<<(n + THREADS - 1) / THREADS, THREADS>>>(in, n, parts, arrived, out);
    MUST(cudaDeviceSynchronize());
    printf("%s\n", *out == expected ? "right" : "wrong");
}
