// cdpcc: --check=memory
// stderr: cdp: memory: read of 64 bytes beyond the end of an allocation \(cudaErrorIllegalAddress\)
// stderr: check_memory_copy_of_memory.cu:9:5, in kernel k
// stderr: 48 bytes of managed memory, allocated at main .*; the access starts 48 bytes before its end
// A child gets the pointers, and copies more than there is.
#include <cstdio>
__global__ void k(char *to, const char *from, int n)
{
    memcpy(to, from, n);
}
__global__ void parent(char *to, const char *from)
{
    k<<<1, 1>>>(to, from, 64);
}

int main()
{
    char *a, *b;
    cudaMallocManaged(&a, 48);
    cudaMallocManaged(&b, 64);
    parent<<<1, 1>>>(b, a);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
