// A sum in three steps: each thread adds up a strided part, each warp adds up its threads by
// shuffles, and each block its warps in shared memory. An atomic addition combines the
// blocks.
//
//   block_reduction [n]        default 100000
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define THREADS 256
#define WARPS (THREADS / 32)
#define MAX_BLOCKS 32

__device__ int sumOfWarp(int sum)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    }
    return sum; // lane 0's is the warp's
}

__global__ void reduce(const int *in, int n, int *total)
{
    __shared__ int warpSums[WARPS];
    int sum = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        sum += in[i];
    }
    sum = sumOfWarp(sum);
    if (threadIdx.x % 32 == 0) {
        warpSums[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = sumOfWarp(threadIdx.x < WARPS ? warpSums[threadIdx.x] : 0);
        if (threadIdx.x == 0) {
            atomicAdd(total, sum);
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    if (n < 1) {
        fprintf(stderr, "usage: block_reduction [n, at least 1]\n");
        return 2;
    }
    std::vector<int> host(n);
    int expected = 0;
    for (int i = 0; i < n; i++) {
        host[i] = i % 15 - 6;
        expected += host[i];
    }

    int *in = nullptr, *total = nullptr, result = 0;
    check(cudaMalloc(&in, n * sizeof(int)));
    check(cudaMalloc(&total, sizeof(int)));
    check(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    check(cudaMemset(total, 0, sizeof(int)));
    int blocks = (n + THREADS - 1) / THREADS;
    if (blocks > MAX_BLOCKS) {
        blocks = MAX_BLOCKS;
    }
    reduce<<<blocks, THREADS>>>(in, n, total);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost));
    check(cudaFree(in));
    check(cudaFree(total));
    if (result != expected) {
        printf("block_reduction: FAILED: %d instead of %d\n", result, expected);
        return 1;
    }
    printf("block_reduction: sum of %d numbers: %d\n", n, result);
    return 0;
}
