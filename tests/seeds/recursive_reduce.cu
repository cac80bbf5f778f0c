// Tutorial: a sum by recursion. Each block adds up its part, and a thread launches a grid over the
// results of the blocks.
//
// As printed (-DAS_PRINTED) it races: the first block launches that grid when it has its own
// result, while other blocks still write theirs.
#include <stdio.h>

#define BLOCK_SIZE 256

__device__ unsigned int finished; // mended: how many blocks have their results

__global__ void recursive_reduce(const int *input, int *output, int n)
{
    __shared__ int sdata[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? input[i] : 0;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }

    if (tid == 0) {
        output[blockIdx.x] = sdata[0];
#ifdef AS_PRINTED
        if (blockIdx.x == 0 && gridDim.x > 1) {
#else
        // mended: the last block launches, when all results are there; the count returns to 0
        __threadfence();
        if (atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1 && gridDim.x > 1) {
            __threadfence();
#endif
            int blocks = (gridDim.x + BLOCK_SIZE - 1) / BLOCK_SIZE;
            recursive_reduce<<<blocks, BLOCK_SIZE>>>(output, output + gridDim.x, gridDim.x);
        }
    }
}

int main()
{
    const int n = 70000;
    int *input, *output, expected = 0;
    cudaMallocManaged(&input, n * sizeof(int));
    cudaMallocManaged(&output, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        input[i] = i % 17 - 5;
        expected += input[i];
    }
    int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE, at = 0;
    recursive_reduce<<<blocks, BLOCK_SIZE>>>(input, output, n);
    cudaError_t error = cudaDeviceSynchronize();
    for (int left = blocks; left > 1; left = (left + BLOCK_SIZE - 1) / BLOCK_SIZE) {
        at += left; // where the last level's result is
    }
    printf("%s (%s)\n", output[at] == expected ? "right" : "wrong", cudaGetErrorString(error));
}
