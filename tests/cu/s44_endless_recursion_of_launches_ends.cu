// Kernels that launch themselves without end reach the limit of pending launches, in any stream.
// The report says how deep they were, and the device can be used again.
// rules: S44
// env: CDP_LAUNCH_MEMORY=24
// stderr: cudaErrorMemoryAllocation: no memory for .* of kernel by_stream, nested [0-9]+ launches deep: launches that are not complete take 24 MiB, all they may \(CDP_LAUNCH_MEMORY\)\. Does its recursion end
// stderr: cudaErrorMemoryAllocation: no memory for .* of kernel in_breadth, nested [0-9]+ launches deep
#include "show.h"
__device__ int done;
__global__ void by_stream(int kind)
{
    cudaStream_t stream = 0;
    if (kind == 1) {
        stream = cudaStreamFireAndForget;
    } else if (kind == 2) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
    by_stream<<<1, 1, 0, stream>>>(kind);
}
__global__ void in_breadth(int threads)
{
    in_breadth<<<1, threads>>>(threads);
}
struct large {
    int words[250];
};
__global__ void takes_much(large parameter)
{
    done = parameter.words[249];
}
// A launch with parameters of a size that no earlier launch had.
__global__ void well()
{
    large parameter = {};
    parameter.words[249] = 5;
    takes_much<<<1, 1>>>(parameter);
}
int main()
{
    for (int kind = 0; kind < 3; kind++) {
        by_stream<<<1, 1>>>(kind);
        SHOW(cudaDeviceSynchronize());
        MUST(cudaDeviceReset());
    }
    in_breadth<<<1, 3>>>(3);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    well<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, done, sizeof result));
    printf("%d\n", result);
}
