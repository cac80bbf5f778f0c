// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes through a null pointer \(cudaErrorIllegalAddress\)
// stderr: check_memory_null_pointer.cu:10:10, in kernel k, block \(0,0,0\), thread \(0,0,0\)
// stderr: help: allocate the memory, and compare the result with NULL
// The device heap is too small, and the program does not test the result.
#include <cstdio>
__global__ void k()
{
    int *p = (int *)malloc(1 << 30);
    p[1] = 1;
}

int main()
{
    k<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
