// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes outside of a local variable \(cudaErrorIllegalAddress\)
// stderr: check_memory_local_array.cu:10:17, in kernel k, block \(0,0,0\), thread \(0,0,0\)
// stderr: memory: local variable 'b' \(32 bytes\); the access is 4 bytes after its end
#include <cstdio>
__global__ void k(int *a, int n)
{
    int b[8];
    for (int i = 0; i < n; i++) {
        b[a[i]] = i;
    }
    for (int i = 0; i < n; i++) {
        a[i] = b[a[i]];
    }
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 4 * 10);
    a[3] = 9;
    k<<<1, 1>>>(a, 10);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
