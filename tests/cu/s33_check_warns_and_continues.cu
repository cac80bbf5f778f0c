// cdpcc: --check=space
// env: CDP_ILLEGAL_POINTERS=warn
// stderr: warning \(cudaErrorInvalidAddressSpace\): write of 4 bytes of shared variable 's' of the parent
#include <cstdio>

__device__ int *place;

__global__ void child()
{
    *place = 7;
}

__global__ void parent(int *out)
{
    __shared__ int s;
    place = &s;
    child<<<1, 1>>>();
    cudaDeviceSynchronize();
    *out = s;
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 4);
    parent<<<1, 1>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d %d\n", error, *out);
}
