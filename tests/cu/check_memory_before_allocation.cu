// cdpcc: --check=memory
// stderr: cdp: memory: write of 1 byte before the start of an allocation \(cudaErrorIllegalAddress\)
// stderr: check_memory_before_allocation.cu:9:20, in kernel k, block \(0,0,0\), thread \(0,0,0\)
// stderr: 4096 bytes of managed memory, allocated at main .*; the access is 2147483648 bytes before its start
// An index that overflows wraps as in hardware, so the mistake does not depend on the optimizer.
#include <cstdio>
__global__ void k(char *a, int row, int pitch)
{
    a[row * pitch] = 1;
}

int main()
{
    char *a;
    cudaMallocManaged(&a, 4096);
    k<<<1, 1>>>(a, 2048, 1 << 20);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
