#include "show.h"
__global__ void parent() {
    cudaStream_t stream;
    SHOW(cudaStreamCreateWithFlags(&stream, 0));
    SHOW(cudaStreamCreateWithFlags(&stream, 77));
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
