// The launching thread gets the error, and so does the host's next call that waits.
// cdpcc: --cdp=2
// with: units/m2_child.cu --cdp=1
// stderr: warning \(cudaErrorCdpVersionMismatch\): a kernel compiled with --cdp=2 cannot launch child, which was compiled with --cdp=1
#include "show.h"
__global__ void child(int *count);
__global__ void parent(int *count) {
    child<<<1, 1>>>(count);
    SHOW(cudaGetLastError());
}
int main() {
    int *count, copy = -1;
    cudaStream_t stream;
    cudaEvent_t event;
    MUST(cudaMallocManaged(&count, sizeof(int)));
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&event));
    *count = 0;
    parent<<<1, 1, 0, stream>>>(count);
    SHOW(cudaStreamSynchronize(stream));
    parent<<<1, 1, 0, stream>>>(count);
    MUST(cudaEventRecord(event, stream));
    SHOW(cudaEventSynchronize(event));
    parent<<<1, 1>>>(count);
    SHOW(cudaMemcpy(&copy, count, sizeof copy, cudaMemcpyDeviceToHost));
    printf("%d %d\n", *count, copy);
    parent<<<1, 1>>>(count);
    MUST(cudaDeviceReset()); // and nothing is left of it
    SHOW(cudaDeviceSynchronize());
}
