// stderr: kernel parent.*cudaErrorInvalidConfiguration
#include "show.h"
__global__ void child() {}
__global__ void parent() { child<<<1, 2000>>>(); }
int main() {
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
