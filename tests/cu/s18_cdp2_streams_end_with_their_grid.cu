// CDP2: flags of 0 are accepted; neither a child nor the next grid may use a grid's stream or
// event, and the refused launch does not run.
// cdpcc: --cdp=2
// stderr: a launch in kernel child, .*: stream 0x[0-9a-f]+ belongs to another grid or block
// stderr: a launch in kernel next, .*: stream 0x[0-9a-f]+ (belongs to another|was destroyed)
// stderr: cudaEventRecord in kernel child, .*: event 0x[0-9a-f]+ belongs to another grid or block
#include "show.h"
__device__ cudaStream_t kept;
__global__ void leaf()
{
    printf("never\n");
}
__global__ void child(cudaStream_t stream, cudaEvent_t event)
{
    leaf<<<1, 1, 0, stream>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaEventRecord(event, 0));
    SHOW(cudaStreamDestroy(stream));
}
__global__ void parent()
{
    cudaEvent_t event;
    SHOW(cudaStreamCreateWithFlags(&kept, cudaStreamDefault));
    SHOW(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    child<<<1, 1>>>(kept, event);
}
__global__ void next()
{
    leaf<<<1, 1, 0, kept>>>();
    SHOW(cudaGetLastError());
}
int main()
{
    parent<<<1, 1>>>();
    next<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
