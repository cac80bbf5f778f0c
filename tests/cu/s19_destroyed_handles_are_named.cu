// stderr: cudaErrorInvalidResourceHandle: stream 0x[0-9a-f]+ was destroyed
// stderr: cudaErrorInvalidResourceHandle: event 0x[0-9a-f]+ was destroyed
// stderr: cudaErrorInvalidResourceHandle: stream 0x[0-9a-f]+ is an event
// stderr: cudaErrorInvalidResourceHandle: event 0 is NULL
// stderr: cudaErrorInvalidResourceHandle: stream 0x1234 was not made by the host
// stderr: cudaErrorInvalidResourceHandle: event 0x[0-9a-f]+ was never recorded
// stderr: a launch in kernel use, block .0,0,0., thread .0,0,0.: stream 0x[0-9a-f]+ was destroyed
// stderr: cudaEventRecord in kernel use, .*: event 0x[0-9a-f]+ was destroyed
#include "show.h"
__global__ void child()
{
}
__global__ void use()
{
    cudaStream_t stream;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    SHOW(cudaStreamDestroy(stream));
    SHOW(cudaEventDestroy(event));
    child<<<1, 1, 0, stream>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaEventRecord(event, 0));
    SHOW(cudaStreamDestroy(stream));
    SHOW(cudaEventDestroy(event));
}
int main()
{
    cudaStream_t stream;
    cudaEvent_t event, other;
    float ms;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&event));
    MUST(cudaEventCreate(&other));
    MUST(cudaEventRecord(event, stream));
    SHOW(cudaEventElapsedTime(&ms, event, other));
    SHOW(cudaStreamSynchronize((cudaStream_t)other));
    SHOW(cudaStreamDestroy(stream));
    SHOW(cudaEventDestroy(event));
    child<<<1, 1, 0, stream>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaStreamDestroy(stream));
    SHOW(cudaEventRecord(event, 0));
    SHOW(cudaEventDestroy(event));
    SHOW(cudaEventQuery(nullptr));
    SHOW(cudaStreamQuery((cudaStream_t)0x1234));
    use<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
