// cdpcc: --check=memory
// stderr: cdp: memory: write of 1 byte before the start of an allocation \(cudaErrorIllegalAddress\)
// stderr: check_memory_index_that_overflows.cu:11:24, in kernel mark, block \(32,0,0\), thread \(0,0,0\)
// stderr: memory: 4096 bytes of device memory, .*; the access is 2147483648 bytes before its start
// The product of two ints is 2^31.
#include <cstdio>
__global__ void mark(char *a, int first, int pitch)
{
    int row = blockIdx.x;
    if (row >= first) {
        a[row * pitch] = 1;
    }
}

int main()
{
    char *a;
    cudaMalloc(&a, 4096);
    mark<<<33, 1>>>(a, 32, 1 << 26);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
