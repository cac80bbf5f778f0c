// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes of memory that was freed \(cudaErrorIllegalAddress\)
// stderr: check_memory_freed_memory.cu:9:10, in kernel fill, block \(0,0,0\), thread \(0,0,0\)
// stderr: 8 bytes into 1024 bytes of device memory, allocated at main .*:15:5\), freed at main .*:16:5\)
// The next allocation does not get the same memory, so the use is found.
#include <cstdio>
__global__ void fill(int *a, int v)
{
    a[2] = v;
}

int main()
{
    int *a, *b;
    cudaMalloc(&a, 1024);
    cudaFree(a);
    cudaMalloc(&b, 1024);
    fill<<<1, 1>>>(a, 3);
    printf("%d %s\n", a == b, cudaGetErrorName(cudaDeviceSynchronize()));
}
