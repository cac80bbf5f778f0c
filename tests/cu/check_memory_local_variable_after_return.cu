// cdpcc: --check=memory
// stderr: cdp: memory: read of 4 bytes of a local variable whose function has returned \(cudaErrorIllegalAddress\)
// stderr: check_memory_local_variable_after_return.cu:23:33, in kernel k, block \(0,0,0\), thread \(0,0,0\)
// stderr: memory: address .*, in the part of the thread's local memory that is not in use
#include <cstdio>

__device__ __noinline__ int sum(const int *p, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += p[i];
    }
    return sum;
}
__device__ __noinline__ void make(int **result, int n)
{
    int a[8] = {n, 1, 2, 3};
    *result = sum(a, 8) != 0 ? a : nullptr;
}
__global__ void k(int *out)
{
    int *kept; make(&kept, 5);
    out[threadIdx.x] = out[0] ? kept[3] : 0;
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 4);
    for (int use = 0; use < 2; use++) {
        out[0] = use;
        k<<<1, 1>>>(out);
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    }
}
