// On the device, too, a call that succeeds does not change the last error, and any call's error
// becomes it: an H200's results, at depth 3.
#include <cstdio>

__device__ int errors[8];

__global__ void empty()
{
}

__global__ void mistakes(int depth)
{
    if (depth > 0) {
        mistakes<<<1, 1>>>(depth - 1);
        return;
    }
    int value;
    void *memory;
    empty<<<1, 2000>>>();
    errors[0] = cudaPeekAtLastError();
    empty<<<1, 1>>>();
    errors[1] = cudaPeekAtLastError();
    errors[2] = cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 7);
    errors[3] = cudaPeekAtLastError();
    errors[4] = cudaGetLastError();
    errors[5] = cudaGetLastError();
    errors[6] = cudaMalloc(&memory, 0);
    errors[7] = cudaGetLastError();
}

int main()
{
    int seen[8];
    mistakes<<<1, 1>>>(3);
    cudaError_t error = cudaMemcpyFromSymbol(seen, errors, sizeof seen);
    printf("sym %d: %d %d %d %d %d %d %d %d\n", error, seen[0], seen[1], seen[2], seen[3], seen[4],
           seen[5], seen[6], seen[7]);
    return 0;
}
