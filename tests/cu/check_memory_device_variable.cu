// cdpcc: --check=memory
// optimized: without it the origin of the address is not known
// stderr: cdp: memory: atomic access of 4 bytes beyond the end of a variable \(cudaErrorIllegalAddress\)
// stderr: check_memory_device_variable.cu:10:5, in kernel k, block \(0,0,0\), thread \(0,0,0\)
// stderr: variable 'count' \(16 bytes\); the access is 0 bytes after its end
#include <cstdio>
__device__ int count[4], next[4];
__global__ void k(int i)
{
    atomicAdd(&count[i], 1 + next[0]);
}

int main()
{
    k<<<1, 1>>>(4);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
