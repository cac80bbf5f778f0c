// Second guide: a kernel in the tail launch stream sees what a child wrote. As printed; the text
// has no main.
// cdpcc: -arch=sm_90
#include <stdio.h>

__global__ void tail_launch(int *data)
{
    data[threadIdx.x] = data[threadIdx.x] + 1;
}

__global__ void child_launch(int *data)
{
    data[threadIdx.x] = data[threadIdx.x] + 1;
}

__global__ void parent_launch(int *data)
{
    data[threadIdx.x] = threadIdx.x;

    __syncthreads();

    if (threadIdx.x == 0) {
        child_launch<<<1, 256>>>(data);
        tail_launch<<<1, 256, 0, cudaStreamTailLaunch>>>(data);
    }
}

void host_launch(int *data)
{
    parent_launch<<<1, 256>>>(data);
}

int main()
{
    int *data, right = 0;
    cudaMallocManaged(&data, 256 * sizeof(int));
    host_launch(data);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++) {
        right += data[i] == i + 2;
    }
    printf("%d of 256 right (%s)\n", right, cudaGetErrorString(error));
}
