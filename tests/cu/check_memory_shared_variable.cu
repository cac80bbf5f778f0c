// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes beyond the end of a shared variable \(cudaErrorIllegalAddress\)
// stderr: check_memory_shared_variable.cu:11:14, in kernel k, block \(0,0,0\), thread \(130,0,0\)
// stderr: memory: shared variable 's' \(512 bytes\); the access is 8 bytes after its end
// The access is within the block's shared memory, in another variable.
#include <cstdio>
__global__ void k(int *a, int t)
{
    __shared__ int s[128], other[128];
    if (threadIdx.x == t) {
        s[t] = t;
    }
    other[threadIdx.x % 128] = 7;
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x % 128] + other[threadIdx.x % 128];
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 256 * 4);
    k<<<1, 256>>>(a, 130);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
