// A histogram of bytes: each block counts into shared memory, where contention
// is cheap, and adds its counts to the global ones at the end.
//
//   histogram [n]        default 100000
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define THREADS 256
#define BINS 256
#define MAX_BLOCKS 32

__global__ void count(const unsigned char *bytes, int n, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    for (int i = threadIdx.x; i < BINS; i += THREADS) {
        mine[i] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        atomicAdd(&mine[bytes[i]], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += THREADS) {
        if (mine[i] != 0) {
            atomicAdd(&bins[i], mine[i]);
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    if (n < 1) {
        fprintf(stderr, "usage: histogram [n, at least 1]\n");
        return 2;
    }
    std::vector<unsigned char> host(n);
    std::vector<unsigned> expected(BINS), result(BINS);
    unsigned random = 1;
    for (unsigned char &byte : host) {
        random = random * 1664525 + 1013904223;
        byte = (random >> 24) & (random >> 16); // some bytes are frequent, some rare
        expected[byte]++;
    }

    unsigned char *bytes = nullptr;
    unsigned *bins = nullptr;
    check(cudaMalloc(&bytes, n));
    check(cudaMalloc(&bins, BINS * sizeof(unsigned)));
    check(cudaMemcpy(bytes, host.data(), n, cudaMemcpyHostToDevice));
    check(cudaMemset(bins, 0, BINS * sizeof(unsigned)));
    int blocks = (n + THREADS - 1) / THREADS;
    if (blocks > MAX_BLOCKS) {
        blocks = MAX_BLOCKS;
    }
    count<<<blocks, THREADS>>>(bytes, n, bins);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(result.data(), bins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
    check(cudaFree(bytes));
    check(cudaFree(bins));
    if (result != expected) {
        printf("histogram: FAILED: counts differ from the host's\n");
        return 1;
    }
    printf("histogram: %d bytes counted\n", n);
    return 0;
}
