// stderr: stream
#include "show.h"
__global__ void leaf() { printf("never\n"); }
__global__ void child(cudaStream_t stream) {
    leaf<<<1, 1, 0, stream>>>();
    SHOW(cudaGetLastError());
}
__global__ void parent() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    child<<<1, 1>>>(stream);
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
