// Planted: the last block to arrive adds up what all blocks wrote, but blocks count as arrived
// before they write. -DMENDED writes first.
#include <cstdio>

#define BLOCKS 8

__device__ unsigned arrived;

__global__ void sum(volatile int *parts, int *total)
{
    __shared__ bool last;
#ifdef MENDED
    parts[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
        last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
#ifndef MENDED
    parts[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
#endif
    if (last && threadIdx.x == 0) {
        int result = 0;
        for (unsigned i = 0; i < gridDim.x * blockDim.x; i++) {
            result += parts[i];
        }
        *total = result;
    }
}

int main()
{
    int *data;
    cudaMallocManaged(&data, (BLOCKS * 32 + 1) * sizeof(int));
    sum<<<BLOCKS, 32>>>(data, data + BLOCKS * 32);
    printf("%s: %d\n", cudaGetErrorString(cudaDeviceSynchronize()), data[BLOCKS * 32]);
    return 0;
}
