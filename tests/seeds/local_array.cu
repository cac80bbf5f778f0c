// Both guides, "illegal": a child may not access an array of its parent's local memory. The two
// lines as printed; the text has neither the child nor the launch of the parent.
// warning: passed to child kernel 'child_launch'
// stderr: cudaErrorInvalidAddressSpace: .*'x'.* kernel child_launch .*local variable 'x_array' of thread \(0,0,0\)
#include <stdio.h>

__global__ void child_launch(int *x)
{
    x[3] = 7;
}

__global__ void parent()
{
    int x_array[10];
    child_launch<<<1, 1>>>(x_array);
}

int main()
{
    parent<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
