// stderr: a launch in kernel child, .*: stream 0x[0-9a-f]+ belongs to another grid or block
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
