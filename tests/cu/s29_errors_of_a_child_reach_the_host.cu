// stderr: cudaErrorLaunchFailure: trap
// stderr: in kernel child
#include "show.h"
__global__ void child() { __trap(); }
__global__ void parent() {
    child<<<1, 1>>>();
    SHOW(cudaGetLastError());
}
int main() {
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceSynchronize());
}
