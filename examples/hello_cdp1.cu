// Hello, in the first generation of dynamic parallelism: a kernel launches a child, waits for it
// with cudaDeviceSynchronize(), and continues.
//
//   cdpcc hello_cdp1.cu -o hello_cdp1 && ./hello_cdp1
#include <cstdio>

__device__ int steps;

__global__ void child()
{
    printf("Hello ");
    steps = 1;
}

__global__ void parent()
{
    child<<<1, 1>>>();
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return;
    }
    // The wait makes the child's writes visible to this thread.
    if (steps == 1) {
        printf("World!\n");
        steps = 2;
    }
}

int main()
{
    int seen = 0;
    parent<<<1, 1>>>();
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        error = cudaDeviceSynchronize();
    }
    if (error == cudaSuccess) {
        error = cudaMemcpyFromSymbol(&seen, steps, sizeof(seen));
    }
    if (error != cudaSuccess) {
        printf("hello_cdp1: %s\n", cudaGetErrorString(error));
        return 1;
    }
    if (seen != 2) {
        printf("hello_cdp1: FAILED: the parent did not see its child's work\n");
        return 1;
    }
    return 0;
}
