// Hello, in the second generation of dynamic parallelism: a kernel cannot wait for its child. So
// the work that must follow the child is launched into the tail-launch stream, which runs when the
// kernel and all its other children are complete.
//
//   cdpcc hello_cdp2.cu -o hello_cdp2 && ./hello_cdp2
#include <cstdio>

__device__ int steps;

__global__ void child()
{
    printf("Hello ");
    steps = 1;
}

__global__ void tail()
{
    if (steps == 1) {
        printf("World!\n");
        steps = 2;
    }
}

__global__ void parent()
{
    // Launched first, run last: the order of these two lines does not matter.
    tail<<<1, 1, 0, cudaStreamTailLaunch>>>();
    child<<<1, 1>>>();
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
        printf("hello_cdp2: %s\n", cudaGetErrorString(error));
        return 1;
    }
    if (seen != 2) {
        printf("hello_cdp2: FAILED: the tail did not see the child's work\n");
        return 1;
    }
    return 0;
}
