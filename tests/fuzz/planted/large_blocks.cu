// Planted: an update, across a barrier, of memory that blocks of many threads share. -DMENDED makes it
// atomic.
#include <cstdio>

__global__ void count(int *counter, int *seen)
{
    int before = *(volatile int *)counter;
    seen[blockIdx.x * blockDim.x + threadIdx.x] = before;
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef MENDED
        atomicAdd(counter, 1);
#else
        *counter = before + 1;
#endif
    }
}

int main()
{
    const int blocks = 6, threads = 1024;
    int *counter, *seen;
    cudaMallocManaged(&counter, sizeof(int));
    cudaMalloc(&seen, blocks * threads * sizeof(int));
    *counter = 0;
    count<<<blocks, threads>>>(counter, seen);
    cudaDeviceSynchronize();
    printf("%d blocks\n", *counter);
    return 0;
}
