// cdpcc: -Wno-cdp-generation
// stderr: was launched as a tail at
// Faults three levels down, for every kind of launch of a child; with parents that wait for it, and
// parents that do not.
#include "show.h"

enum Way { NULL_STREAM, NAMED, TAIL, FORGET, WAITING };

__global__ void descend(Way way, int depth)
{
    if (depth == 0) {
        __trap();
    }
    cudaStream_t stream;
    switch (way) {
    case NULL_STREAM:
        descend<<<2, 1>>>(way, depth - 1);
        break;
    case NAMED:
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        descend<<<1, 1, 0, stream>>>(way, depth - 1);
        cudaStreamDestroy(stream);
        break;
    case TAIL:
        descend<<<1, 1, 0, cudaStreamTailLaunch>>>(way, depth - 1);
        break;
    case FORGET:
        descend<<<1, 1, 0, cudaStreamFireAndForget>>>(way, depth - 1);
        break;
    case WAITING:
        descend<<<1, 1>>>(way, depth - 1);
        cudaDeviceSynchronize();
        break;
    }
    if (cudaGetLastError() != cudaSuccess) {
        printf("the launch failed\n");
    }
}

int main()
{
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    for (int way = NULL_STREAM; way <= WAITING; way++) {
        printf("%d\n", way);
        descend<<<1, 1>>>((Way)way, 3);
        SHOW(cudaDeviceSynchronize());
        SHOW(cudaGetLastError());
        SHOW(cudaGetLastError());
        SHOW(cudaDeviceReset());
        MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    }
    return 0;
}
