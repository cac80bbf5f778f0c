#include "show.h"
__device__ int runs;
__device__ cudaStream_t streams[3000];
__device__ cudaEvent_t events[3000];
__global__ void child() { atomicAdd(&runs, 1); }
__global__ void parent() {
    int failures = 0;
    for (int i = 0; i < 3000; i++) {
        failures += cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking) != cudaSuccess;
        failures += cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming) != cudaSuccess;
        child<<<1, 1, 0, streams[i]>>>();
        failures += cudaEventRecord(events[i], streams[i]) != cudaSuccess;
    }
    for (int i = 0; i < 3000; i++) {
        failures += cudaEventDestroy(events[i]) != cudaSuccess;
        failures += cudaStreamDestroy(streams[i]) != cudaSuccess;
    }
    printf("%d failures\n", failures);
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, runs, sizeof(result)));
    printf("%d\n", result);
}
