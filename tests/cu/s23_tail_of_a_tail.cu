#include "show.h"
__device__ char text[64];
__device__ int length;
__global__ void mark(char c) { text[atomicAdd(&length, 1)] = c; }
__global__ void innerTail() {
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>('c');
    mark<<<1, 1>>>('K');
}
__global__ void outerTail() {
    innerTail<<<1, 1, 0, cudaStreamTailLaunch>>>();
    mark<<<1, 1>>>('c');
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>('U');
}
__global__ void grid() {
    outerTail<<<1, 1, 0, cudaStreamTailLaunch>>>();
    mark<<<1, 1>>>('A');
}
__global__ void parent() {
    mark<<<1, 1>>>('p');
    grid<<<1, 1>>>();
    mark<<<1, 1>>>('z');
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    char result[64] = "";
    MUST(cudaMemcpyFromSymbol(result, text, sizeof(text)));
    printf("%s\n", result);
}
