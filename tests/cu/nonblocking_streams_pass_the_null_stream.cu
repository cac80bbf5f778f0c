// races: a kernel polls a flag that another one sets
// A non-blocking stream does not wait for the NULL stream's work, nor the reverse.
#include "show.h"

__global__ void waitFor(volatile int *flag, int *out)
{
    while (*flag == 0) {
    }
    *out = *flag;
}
__global__ void set(volatile int *flag, int value) { *flag = value; }

int main()
{
    int *flags, *out;
    MUST(cudaMallocManaged(&flags, 2 * sizeof(int)));
    MUST(cudaMallocManaged(&out, 2 * sizeof(int)));
    flags[0] = flags[1] = 0;
    cudaStream_t stream;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    waitFor<<<1, 1>>>(&flags[0], &out[0]);
    set<<<1, 1, 0, stream>>>(&flags[0], 7); // passes the NULL stream
    SHOW(cudaDeviceSynchronize());

    waitFor<<<1, 1, 0, stream>>>(&flags[1], &out[1]);
    set<<<1, 1>>>(&flags[1], 8); // does not wait for the stream
    SHOW(cudaDeviceSynchronize());
    printf("%d %d\n", out[0], out[1]);
}
