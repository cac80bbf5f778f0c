// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes of host memory, which device code must not access \(cudaErrorIllegalAddress\)
// stderr: check_memory_host_memory.cu:9:32, in kernel twice, block \(0,0,0\), thread \(5,0,0\)
// stderr: help: copy the data to memory from cudaMalloc, or use cudaMallocManaged
#include <cstdio>
#include <cstdlib>
__global__ void twice(int *a, int t)
{
    if (threadIdx.x == t) a[t] = 1;
}

int main()
{
    int *h = (int *)malloc(1024);
    twice<<<1, 32>>>(h, 5);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    free(h);
}
