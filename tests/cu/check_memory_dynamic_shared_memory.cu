// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes beyond the end of dynamic shared memory \(cudaErrorIllegalAddress\)
// stderr: check_memory_dynamic_shared_memory.cu:12:14, in kernel k, block \(0,0,0\), thread \(3,0,0\)
// stderr: memory: dynamic shared memory, of which the launch has 0 bytes; the access is 12 bytes after its end
// stderr: help: pass the size in bytes as the third argument of <<<...>>>
// The size is forgotten in the launch.
#include <cstdio>
__global__ void k(int *a, int t)
{
    extern __shared__ int s[];
    if (threadIdx.x == t) {
        s[t] = 1;
        a[0] = s[t];
    }
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 4);
    k<<<1, 32>>>(a, 3);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
