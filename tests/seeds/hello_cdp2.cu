// Second guide: the second word is a tail launch, which waits for the child.  As printed.
// cdpcc: -arch=sm_90
#include <stdio.h>

__global__ void childKernel()
{
    printf("Hello ");
}

__global__ void tailKernel()
{
    printf("World!\n");
}

__global__ void parentKernel()
{
    childKernel<<<1, 1>>>();
    if (cudaSuccess != cudaGetLastError()) {
        return;
    }

    tailKernel<<<1, 1, 0, cudaStreamTailLaunch>>>();
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
