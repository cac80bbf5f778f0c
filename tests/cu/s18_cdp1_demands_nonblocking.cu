// cdpcc: --cdp=1
#include "show.h"
__global__ void parent() {
    cudaStream_t stream;
    SHOW(cudaStreamCreateWithFlags(&stream, 0));
    SHOW(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
