// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes through a null pointer \(cudaErrorIllegalAddress\)
// stderr: check_memory_malloc_that_fails.cu:9:10, in kernel keep, block \(0,0,0\), thread \(0,0,0\)
// stderr: help: allocate the memory, and compare the result with NULL
#include <cstdio>
__global__ void keep(size_t bytes)
{
    int *p = (int *)malloc(bytes);
    p[0] = 1;
    free(p);
}

int main()
{
    keep<<<1, 1>>>(1 << 20);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    keep<<<1, 1>>>((size_t)1 << 40);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
