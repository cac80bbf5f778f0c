// The device's output appears at every call that waits for it: stream, event, copy, device.
#include "show.h"
__global__ void say(int n) { printf("kernel %d\n", n); }
int main() {
    cudaStream_t stream;
    cudaEvent_t event;
    int *memory, value = 0;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&event));
    MUST(cudaMalloc(&memory, sizeof(int)));
    say<<<1, 1, 0, stream>>>(1);
    MUST(cudaStreamSynchronize(stream));
    printf("after cudaStreamSynchronize\n");
    say<<<1, 1, 0, stream>>>(2);
    MUST(cudaEventRecord(event, stream));
    MUST(cudaEventSynchronize(event));
    printf("after cudaEventSynchronize\n");
    say<<<1, 1>>>(3);
    MUST(cudaMemcpy(&value, memory, sizeof(int), cudaMemcpyDeviceToHost));
    printf("after cudaMemcpy\n");
    say<<<1, 1>>>(4);
    MUST(cudaDeviceSynchronize());
    printf("after cudaDeviceSynchronize\n");
}
