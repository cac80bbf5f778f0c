#include "show.h"
__global__ void parent() {
    cudaStream_t s;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    SHOW(cudaEventCreateWithFlags(&e, 0));
    SHOW(cudaEventCreateWithFlags(&e, cudaEventBlockingSync));
    SHOW(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    SHOW(cudaEventRecord(e, s));
    SHOW(cudaEventRecord(e, 0));
    SHOW(cudaStreamWaitEvent(0, e, 0));
    SHOW(cudaStreamWaitEvent(s, e, 0));
    SHOW(cudaEventRecord(e, cudaStreamTailLaunch));
    SHOW(cudaEventRecord(e, cudaStreamFireAndForget));
    SHOW(cudaStreamWaitEvent(cudaStreamTailLaunch, e, 0));
    SHOW(cudaStreamWaitEvent(cudaStreamFireAndForget, e, 0));
    SHOW(cudaEventDestroy(e));
}
int main() {
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
