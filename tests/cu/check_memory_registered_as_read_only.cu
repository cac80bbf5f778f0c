// cdpcc: --check=memory -g
// stderr: ^cdp: memory: write of 4 bytes of host memory that was registered as read-only \(cudaErrorIllegalAddress\)$
// stderr: in kernel store, block \(0,0,0\), thread \(0,0,0\)$
// Kernels may read memory that was registered as read-only. A write is refused, and changes nothing, as on a GPU.
#include <cstdio>
#include <cstdlib>

__global__ void sum(const int *p, int n, int *out)
{
    *out = 0;
    for (int i = 0; i < n; i++) {
        *out += p[i];
    }
}

__global__ void store(int *p)
{
    p[3] = 5;
}

int main()
{
    int *host = (int *)aligned_alloc(4096, 4096), *p, *out, got;
    for (int i = 0; i < 1024; i++) {
        host[i] = 1;
    }
    cudaMalloc(&out, sizeof *out);
    cudaHostRegister(host, 4096, cudaHostRegisterReadOnly);
    cudaHostGetDevicePointer(&p, host, 0);
    sum<<<1, 1>>>(p, 1024, out);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDefault);
    printf("sum %d\n", got);
    store<<<1, 1>>>(p);
    printf("%s, %d\n", cudaGetErrorName(cudaDeviceSynchronize()), host[3]);
}
