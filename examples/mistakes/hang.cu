#include <cstdio>

__global__ void wait(volatile int *flag)
{
    if (threadIdx.x == 0) {
        while (*flag == 0) {
        }
    }
    __syncthreads();
}

int main()
{
    int *flag;
    cudaMallocManaged(&flag, sizeof *flag);
    *flag = 0;
    wait<<<1, 32>>>(flag);
    cudaError_t error = cudaDeviceSynchronize();
    *flag = 1;
    printf("%s\n", cudaGetErrorName(error));
}
