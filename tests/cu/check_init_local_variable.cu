// cdpcc: --check=init
// stderr: cdp: init: local variable 'sum' is used, but nothing wrote it
// stderr: check_init_local_variable.cu:11:13, in kernel k, block \(0,0,0\), thread \(0,0,0\)
// stderr: help: give the variable a value where it is declared
// workers: 1
#include <cstdio>
__global__ void k(const int *a, int *o, int n)
{
    int sum;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += a[i];
    }
    o[threadIdx.x] = sum;
}

int main()
{
    int *a, *o;
    cudaMallocManaged(&a, 1024);
    cudaMallocManaged(&o, 128);
    for (int i = 0; i < 256; i++) a[i] = 1;
    k<<<1, 32>>>(a, o, 256);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
