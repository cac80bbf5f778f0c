// cdpcc: --check=memory
// stderr: cdp: memory: read of 4 bytes beyond the end of an allocation \(cudaErrorIllegalAddress\)
// stderr: check_memory_end_of_allocation.cu:14:12, in kernel add, block \(3,0,0\), thread \(232,0,0\)
// stderr: 14 \|     c\[i\] = a\[i\] \+ 1;
// stderr: memory: 4000 bytes of device memory, allocated at main \(check_memory_end_of_allocation.cu:22:5\); the access is 0 bytes after its end
// stderr: launched: add by the host at check_memory_end_of_allocation.cu:24:8
// stderr: cdp: 1 finding
// workers: 1
// The classic: no "if (i < n)". The next allocation is a gap away.
#include <cstdio>
__global__ void add(const float *a, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + 1;
}

int main()
{
    int n = 1000;
    float *a, *c;
    cudaMalloc(&c, n * 4);
    cudaMalloc(&a, n * 4);
    cudaMemset(a, 0, n * 4);
    add<<<4, 256>>>(a, c);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
