// Both guides, "correct": a child may dereference the address of a device variable. x() as printed;
// the text has neither the child nor the caller of x().
#include <stdio.h>

__global__ void child(int *p)
{
    printf("%d\n", *p);
}

__device__ int value;
__device__ void x()
{
    value = 5;
    child<<<1, 1>>>(&value);
}

__global__ void parent()
{
    x();
}

int main()
{
    parent<<<1, 1>>>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
