// cdpcc: --check=memory
// stderr: cdp: memory: read of 4 bytes beyond the end of an allocation \(cudaErrorIllegalAddress\)
// stderr: check_memory_calloc.cu:9:12, in kernel k, block \(0,0,0\), thread \(0,0,0\)
// stderr: cdp: 1 finding
#include <cstdio>
__global__ void k(int *out, int n)
{
    int *p = (int *)calloc(10, 4);
    *out = p[n];
    free(p);
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 4);
    k<<<1, 1>>>(a, 9);
    printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *a);
    k<<<1, 1>>>(a, 10);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
