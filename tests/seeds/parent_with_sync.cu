// Tutorial: each thread launches a child for its part of the data and waits, then one thread adds
// up all parts.
//
// As printed (-DAS_PRINTED) it races: cudaDeviceSynchronize waits for the launches before it, and
// is no barrier. The thread that adds reads parts whose threads have not launched yet, so any part
// of the 8,192 may be missing.
#include <stdio.h>

#define PART 256

__global__ void child_kernel(int *data)
{
    data[threadIdx.x] = 1;
}

__global__ void parent_with_sync(int *data, int *sum)
{
    child_kernel<<<1, PART>>>(data + threadIdx.x * PART);
    cudaDeviceSynchronize();
#ifndef AS_PRINTED
    __syncthreads(); // mended: all threads have launched and waited
#endif
    if (threadIdx.x == 0) {
        *sum = 0;
        for (int i = 0; i < blockDim.x * PART; i++) {
            *sum += data[i];
        }
    }
}

int main()
{
    int *data, *sum;
    cudaMallocManaged(&data, 32 * PART * sizeof(int));
    cudaMallocManaged(&sum, sizeof(int));
    cudaMemset(data, 0, 32 * PART * sizeof(int));
    parent_with_sync<<<1, 32>>>(data, sum);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d of %d (%s)\n", *sum, 32 * PART, cudaGetErrorString(error));
}
