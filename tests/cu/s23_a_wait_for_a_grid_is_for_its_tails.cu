// cdpcc: -Wno-cdp-generation
// A grid's tail launches are part of it: a wait of its parent for the grid, an event after it and
// the host's wait include them. The parent's own tails are not waited for.
#include "show.h"
__device__ int steps;
__global__ void late(int add)
{
    __nanosleep(20000);
    atomicAdd(&steps, add);
}
__global__ void grid()
{
    late<<<1, 1, 0, cudaStreamTailLaunch>>>(1);
    late<<<1, 1, 0, cudaStreamTailLaunch>>>(10);
}
__global__ void look(const char *what)
{
    printf("%s: %d\n", what, steps);
}
__global__ void parent()
{
    cudaStream_t stream;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    late<<<1, 1, 0, cudaStreamTailLaunch>>>(1000);
    grid<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("after a wait: %d\n", *(volatile int *)&steps);
    grid<<<1, 1, 0, stream>>>();
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(0, event, 0);
    look<<<1, 1>>>("behind an event");
}
int main()
{
    parent<<<1, 1>>>();
    look<<<1, 1>>>("the host's next grid");
    MUST(cudaDeviceSynchronize());
}
