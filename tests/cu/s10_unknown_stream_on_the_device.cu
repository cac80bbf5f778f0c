// stderr: stream 0x1234567890 was not created by device code
#include "show.h"
__global__ void child() { printf("never\n"); }
__global__ void parent(cudaStream_t stream) {
    child<<<1, 1, 0, stream>>>();
    SHOW(cudaGetLastError());
}
int main() {
    parent<<<1, 1>>>((cudaStream_t)0x1234567890);
    SHOW(cudaDeviceSynchronize());
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    parent<<<1, 1>>>(stream);
    SHOW(cudaDeviceSynchronize());
}
