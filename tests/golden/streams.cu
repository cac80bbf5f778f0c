// Streams and events created by a kernel.
#include "ask.h"
__global__ void kernel()
{
    cudaStream_t s = 0;
    cudaEvent_t e = 0;
    TELL("create stream, flags 0", cudaStreamCreateWithFlags(&s, 0));
    TELL("create stream, nonblocking", cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    TELL("create event, flags 0", cudaEventCreateWithFlags(&e, 0));
    TELL("create event, blocking sync", cudaEventCreateWithFlags(&e, cudaEventBlockingSync));
    TELL("create event, no timing", cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    TELL("record in stream", cudaEventRecord(e, s));
    TELL("record in NULL stream", cudaEventRecord(e, 0));
    TELL("NULL stream waits", cudaStreamWaitEvent(0, e, 0));
    TELL("stream waits", cudaStreamWaitEvent(s, e, 0));
    TELL("record in tail", cudaEventRecord(e, cudaStreamTailLaunch));
    TELL("record in fire and forget", cudaEventRecord(e, cudaStreamFireAndForget));
    TELL("tail waits", cudaStreamWaitEvent(cudaStreamTailLaunch, e, 0));
    TELL("fire and forget waits", cudaStreamWaitEvent(cudaStreamFireAndForget, e, 0));
    TELL("destroy event", cudaEventDestroy(e));
    TELL("destroy stream", cudaStreamDestroy(s));
    TELL("destroy NULL stream", cudaStreamDestroy(0));
    TELL("last error", cudaGetLastError());
}
int main()
{
    begin();
    kernel<<<1, 1>>>();
    TELL("host synchronizes", cudaDeviceSynchronize());
}
