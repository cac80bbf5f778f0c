// First guide: the parent waits for its child between two words.  As printed.
#include <stdio.h>

__global__ void childKernel()
{
    printf("Hello ");
}

__global__ void parentKernel()
{
    childKernel<<<1, 1>>>();
    if (cudaSuccess != cudaGetLastError()) {
        return;
    }

    if (cudaSuccess != cudaDeviceSynchronize()) {
        return;
    }

    printf("World!\n");
}

int main(int argc, char *argv[])
{
    parentKernel<<<1, 1>>>();
    if (cudaSuccess != cudaGetLastError()) {
        return 1;
    }

    if (cudaSuccess != cudaDeviceSynchronize()) {
        return 2;
    }

    return 0;
}
