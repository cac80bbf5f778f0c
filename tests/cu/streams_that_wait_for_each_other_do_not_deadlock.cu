// A wait is for an earlier record. So streams that wait for each other's events all complete: on
// the device, by two blocks of one grid; on the host.
// rules: S18 S21
#include "show.h"
__device__ cudaStream_t stream[2];
__device__ cudaEvent_t event[2];
__device__ int steps, made;
__global__ void step() { atomicAdd(&steps, 1); }
__device__ void cross(cudaStream_t own, cudaEvent_t mine, cudaEvent_t other) {
    for (int i = 0; i < 50; i++) {
        cudaStreamWaitEvent(own, other, 0); // recorded in the other stream, or not yet
        step<<<1, 1, 0, own>>>();
        cudaEventRecord(mine, own);
    }
}
__global__ void parent() {
    int me = blockIdx.x;
    cudaStreamCreateWithFlags(&stream[me], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event[me], cudaEventDisableTiming);
    __threadfence();
    atomicAdd(&made, 1);
    while (atomicAdd(&made, 0) < 2) {
    }
    cross(stream[me], event[me], event[1 - me]);
}
__global__ void one_thread() {
    cudaStream_t s[2];
    cudaEvent_t e[2];
    for (int i = 0; i < 2; i++) {
        cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&e[i], cudaEventDisableTiming);
    }
    for (int i = 0; i < 50; i++) {
        cudaStreamWaitEvent(s[0], e[1], 0);
        cudaStreamWaitEvent(s[1], e[0], 0);
        step<<<1, 1, 0, s[i % 2]>>>();
        cudaEventRecord(e[0], s[0]);
        cudaEventRecord(e[1], s[1]);
    }
}
__global__ void host_step() { atomicAdd(&steps, 1); }
int main() {
    parent<<<2, 1>>>();
    MUST(cudaDeviceSynchronize());
    one_thread<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    cudaStream_t s[2];
    cudaEvent_t e[2];
    for (int i = 0; i < 2; i++) {
        MUST(cudaStreamCreate(&s[i]));
        MUST(cudaEventCreate(&e[i]));
    }
    for (int i = 0; i < 50; i++) {
        MUST(cudaStreamWaitEvent(s[0], e[1], 0));
        MUST(cudaStreamWaitEvent(s[1], e[0], 0));
        host_step<<<1, 1, 0, s[i % 2]>>>();
        MUST(cudaEventRecord(e[0], s[0]));
        MUST(cudaEventRecord(e[1], s[1]));
    }
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, steps, sizeof(int)));
    printf("%d\n", result);
}
