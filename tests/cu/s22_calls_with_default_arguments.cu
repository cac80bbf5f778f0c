#include "show.h"
__global__ void parent(int *memory) {
    cudaEvent_t event;
    cudaStream_t stream;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    SHOW(cudaEventRecord(event));
    SHOW(cudaStreamWaitEvent(stream, event));
    SHOW(cudaMemsetAsync(memory, 1, 8));
    SHOW(cudaMemcpyAsync(memory + 2, memory, 8, cudaMemcpyDeviceToDevice));
}
int main() {
    int *memory;
    MUST(cudaMallocManaged(&memory, 16));
    parent<<<1, 1>>>(memory);
    MUST(cudaDeviceSynchronize());
    printf("%x %x\n", memory[0], memory[3]);
}
