// First guide: the child sees what all threads of the parent wrote before the barrier; thread 0
// sees the child's writes after its wait, the other threads after the second barrier. As printed;
// the text has no main.
#include <stdio.h>

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
        cudaDeviceSynchronize();
    }

    __syncthreads();
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
        right += data[i] == i + 1;
    }
    printf("%d of 256 right (%s)\n", right, cudaGetErrorString(error));
}
