// cdpcc: -O2 --entry=block
// stderr: block \(3457,0,0\)
// The faulting block is one of several that one call of the block entry runs.
#include <cstdio>

__global__ void store(int *to, int bad)
{
    int *at = blockIdx.x == bad ? (int *)16 : to + blockIdx.x * blockDim.x;
    at[threadIdx.x] = blockIdx.x;
}

int main()
{
    int *to;
    cudaMalloc(&to, 5000 * 64 * sizeof *to);
    store<<<5000, 64>>>(to, 5000);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    store<<<5000, 64>>>(to, 3457);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
