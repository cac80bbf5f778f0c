// Tutorial: a thread reads the error of its own launch. The second parent requests more threads
// than a block can have.
#include <stdio.h>

__global__ void child_kernel()
{
    printf("child\n");
}

__global__ void parent_kernel(int threads)
{
    child_kernel<<<1, threads>>>();
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess) {
        printf("Child launch failed: %s\n", cudaGetErrorString(err));
    }
}

int main()
{
    parent_kernel<<<1, 1>>>(1);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    parent_kernel<<<1, 1>>>(4096);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
