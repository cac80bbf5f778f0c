// A grid's successor in a device stream starts only when the grid's blocks have ended and
// everything that they launched, in any streams, is complete.
#include "show.h"
__device__ int done;
__global__ void leaf() {
    __nanosleep(1000);
    atomicAdd(&done, 1);
}
__global__ void middle() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    leaf<<<1, 1, 0, stream>>>();
    leaf<<<1, 1>>>();
    cudaStreamDestroy(stream);
}
__global__ void successor() { printf("%d\n", done); }
__global__ void parent() {
    middle<<<4, 8>>>();
    successor<<<1, 1>>>();
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
