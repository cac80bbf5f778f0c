// The launching thread gets the error, and so does the host's next call that waits, once.
// cdpcc: --cdp=1
// with: units/m2_child.cu --cdp=2
// stderr: warning \(cudaErrorCdpVersionMismatch\): a kernel compiled with --cdp=1 cannot launch child, which was compiled with --cdp=2
// stderr: in kernel parent, block \(0,0,0\), thread \(0,0,0\)
#include "show.h"
__global__ void child(int *count);
__global__ void own(int *count) {
    atomicAdd(count, 10);
}
__global__ void parent(int *count) {
    child<<<1, 1>>>(count);
    SHOW(cudaGetLastError());
    own<<<1, 1>>>(count); // continues as usual
    SHOW(cudaGetLastError());
    cudaDeviceSynchronize();
}
// Both generations run in one program when the host launches them.
int main() {
    int *count, *freed;
    MUST(cudaMallocManaged(&count, sizeof(int)));
    MUST(cudaMalloc(&freed, sizeof(int)));
    *count = 0;
    parent<<<1, 1>>>(count);
    SHOW(cudaGetLastError());
    MUST(cudaFree(freed)); // waits, but does its own work
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaPeekAtLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSynchronize());
    child<<<1, 1>>>(count);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *count);
}
