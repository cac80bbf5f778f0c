// An error of a child's threads is neither the last error of its parent's threads nor the result of
// their waits; a fault that follows reaches the host.
// stderr: cudaErrorLaunchFailure: trap
#include "show.h"
__global__ void leaf() {}
__global__ void child(int fault) {
    leaf<<<1, 2000>>>();
    SHOW(cudaGetLastError());
    if (fault) {
        __trap();
    }
}
__global__ void parent() {
    child<<<1, 1>>>(0);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    child<<<1, 1>>>(1);
    if (cudaGetLastError() != cudaSuccess) { // printed only then: the child prints at the same time
        printf("the parent has its child's error\n");
    }
}
int main() {
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
