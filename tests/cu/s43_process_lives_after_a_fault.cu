// The rest of the tree is abandoned; waiting parents and other streams do not hang.
// stderr: cudaErrorLaunchFailure: trap
#include "show.h"
__global__ void child(int depth) {
    if (depth > 0) {
        child<<<1, 4>>>(depth - 1);
        cudaDeviceSynchronize();
        return;
    }
    if (threadIdx.x == 3) {
        __trap();
    }
    __syncthreads();
}
int main() {
    for (int turn = 0; turn < 3; turn++) {
        child<<<4, 8>>>(1);
        SHOW(cudaDeviceSynchronize());
        SHOW(cudaDeviceReset());
    }
    child<<<4, 3>>>(0);
    SHOW(cudaDeviceSynchronize());
}
