// cdpcc: --check=memory
// stderr: cdp: memory: read of 4 bytes of memory that was freed \(cudaErrorIllegalAddress\)
// stderr: check_memory_freed_by_the_kernel.cu:11:12, in kernel k
// stderr: 4 bytes into 40 bytes of the device heap
#include <cstdio>
__global__ void k(int *out)
{
    int *p = (int *)malloc(40);
    p[1] = 1;
    free(p);
    *out = p[1];
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 4);
    k<<<1, 1>>>(a);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
