// Kernels of both generations in two streams of the host. Each waits for an action of the other's
// child, so neither could end if they did not run at the same time.
// races: polls volatile variables
// cdpcc: --cdp=1
// with: units/m2_peer.cu --cdp=2
#include "show.h"
__global__ void peer(volatile int *flags);
__global__ void raise(volatile int *flag)
{
    *flag = 1;
}
__global__ void first(volatile int *flags)
{
    raise<<<1, 1>>>(flags);
    cudaDeviceSynchronize();
    while (flags[1] == 0) {
    }
    flags[2] = 1;
}
int main()
{
    int *flags;
    cudaStream_t streams[2];
    MUST(cudaMallocManaged(&flags, 4 * sizeof(int)));
    for (int i = 0; i < 4; i++) {
        flags[i] = 0;
    }
    for (cudaStream_t &stream : streams) {
        MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    first<<<1, 1, 0, streams[0]>>>(flags);
    peer<<<1, 1, 0, streams[1]>>>(flags);
    SHOW(cudaDeviceSynchronize());
    printf("%d %d\n", flags[2], flags[3]);
}
