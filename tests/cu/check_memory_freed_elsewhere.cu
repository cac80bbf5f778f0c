// cdpcc: --check=memory
// stderr: check_memory_freed_elsewhere.cu:15:12, in kernel byCallee
// stderr: check_memory_freed_elsewhere.cu:30:[0-9]+, in kernel byOther, block \(0,0,0\), thread \([1-9][0-9]*,0,0\)
// stderr: ^cdp: memory: read of 4 bytes of memory that was freed \(cudaErrorIllegalAddress\)
// Memory that another function frees, and another thread before a barrier: the pointer's bounds are
// not known from before.
#include <cstdio>
__device__ __noinline__ void release(int *p) { free(p); }

__global__ void byCallee(int *out)
{
    int *p = (int *)malloc(40);
    p[1] = *out;
    release(p);
    *out = p[1];
}

__global__ void byOther(int *out)
{
    __shared__ int *shared;
    if (threadIdx.x == 0) shared = (int *)malloc(40);
    __syncthreads();
    int *p = shared;
    if (threadIdx.x == 0) p[1] = *out;
    __syncthreads();
    if (threadIdx.x != 0) out[threadIdx.x] = p[1];
    __syncthreads();
    if (threadIdx.x == 0) free(p);
    __syncthreads();
    if (threadIdx.x != 0) out[threadIdx.x] += p[1];
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 64 * 4);
    byCallee<<<1, 1>>>(a);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMallocManaged(&a, 64 * 4);
    byOther<<<1, 64>>>(a);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
