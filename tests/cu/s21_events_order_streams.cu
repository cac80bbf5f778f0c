// Two streams alternate a hundred times by events.
#include "show.h"
__device__ int value, wrong;
__global__ void step(int expected) {
    if (value != expected) {
        atomicAdd(&wrong, 1);
    }
    value = expected + 1;
}
__global__ void parent() {
    cudaStream_t s[2];
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&s[0], cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&s[1], cudaStreamNonBlocking);
    for (int i = 0; i < 100; i++) {
        step<<<1, 1, 0, s[i % 2]>>>(i);
        cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        cudaEventRecord(e, s[i % 2]);
        cudaStreamWaitEvent(s[(i + 1) % 2], e, 0);
        cudaEventDestroy(e);
    }
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result[2];
    MUST(cudaMemcpyFromSymbol(&result[0], value, sizeof(int)));
    MUST(cudaMemcpyFromSymbol(&result[1], wrong, sizeof(int)));
    printf("%d %d\n", result[0], result[1]);
}
