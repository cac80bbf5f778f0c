// Which of its parent's writes a child grid sees, and who sees the child's writes.
//
// A child sees everything that its launching thread wrote before the launch, and what
// the other threads of the block wrote before a __syncthreads() that preceded it. A
// child can never use its parent's shared and local memory: the parent copies its shared
// results to global memory first. The grid in the tail-launch stream sees the child's
// own writes.
//
//   visibility [blocks]        default 4
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define THREADS 256
#define MAX_BLOCKS 1024

__device__ int scales[MAX_BLOCKS]; // set by each block of the parent, read by its child
__constant__ int offset;           // set by the host, the same at every depth

// Squares in place the values that its parent wrote, then scales them.
__global__ void child(int *data, int block)
{
    int i = threadIdx.x;
    data[i] = data[i] * data[i] * scales[block] + offset;
}

// Adds up the child's results: one thread per block of the parent.
__global__ void sumBlocks(const int *data, long long *sums)
{
    long long sum = 0;
    for (int i = 0; i < THREADS; i++) {
        sum += data[threadIdx.x * THREADS + i];
    }
    sums[threadIdx.x] = sum;
}

__global__ void parent(int *data, long long *sums)
{
    __shared__ int mirror[THREADS];
    int *mine = data + blockIdx.x * THREADS;

    mirror[THREADS - 1 - threadIdx.x] = blockIdx.x + threadIdx.x;
    __syncthreads();
    mine[threadIdx.x] = mirror[threadIdx.x];
    if (threadIdx.x == 0) {
        scales[blockIdx.x] = 3;
    }
    __syncthreads(); // without it the child may miss the other threads' writes

    if (threadIdx.x == 0) {
        child<<<1, THREADS>>>(mine, blockIdx.x);
        if (blockIdx.x == 0) {
            sumBlocks<<<1, gridDim.x, 0, cudaStreamTailLaunch>>>(data, sums);
        }
    }
}

static bool isRight(const std::vector<long long> &sums, int hostOffset)
{
    for (size_t block = 0; block < sums.size(); block++) {
        long long expected = 0;
        for (long long i = 0; i < THREADS; i++) {
            long long value = (long long)block + i;
            expected += value * value * 3 + hostOffset;
        }
        if (sums[block] != expected) {
            printf("visibility: block %zu: %lld instead of %lld\n", block, sums[block], expected);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 4;
    if (blocks < 1 || blocks > MAX_BLOCKS) {
        fprintf(stderr, "usage: visibility [blocks from 1 to 1024]\n");
        return 2;
    }

    const int hostOffset = 7;
    int *data = nullptr;
    long long *sums = nullptr;
    check(cudaMalloc(&data, sizeof(int) * blocks * THREADS));
    check(cudaMalloc(&sums, sizeof(long long) * blocks));
    check(cudaMemcpyToSymbol(offset, &hostOffset, sizeof(hostOffset)));

    parent<<<blocks, THREADS>>>(data, sums);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    std::vector<long long> result(blocks);
    check(cudaMemcpy(result.data(), sums, sizeof(long long) * blocks, cudaMemcpyDeviceToHost));
    check(cudaFree(data));
    check(cudaFree(sums));
    if (!isRight(result, hostOffset)) {
        return 1;
    }
    printf("visibility: %d parent blocks, each with one child: all writes seen\n", blocks);
    return 0;
}
