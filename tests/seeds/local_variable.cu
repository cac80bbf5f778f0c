// Both guides, "invalid": a child may not dereference the address of a local variable; the text
// calls the result undefined. Here the compiler warns, the launch is reported and the tree of
// launches fails. y() as printed; the text has neither the child nor the caller of y().
// warning: passed to child kernel 'child'
// stderr: cudaErrorInvalidAddressSpace: .*'p'.* kernel child .*local variable 'value' of thread \(0,0,0\)
#include <stdio.h>

__global__ void child(int *p)
{
    printf("%d\n", *p);
}

__device__ void y()
{
    int value = 5;
    child<<<1, 1>>>(&value);
}

__global__ void parent()
{
    y();
}

int main()
{
    parent<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
