// The tails of a grid run in order after the grid's other children; the grid's successor
// in a stream of its parent runs after them.
#include "show.h"
__device__ char text[64];
__device__ int length;
__global__ void mark(char c) { text[atomicAdd(&length, 1)] = c; }
__global__ void grid() {
    if (threadIdx.x == 0) {
        mark<<<1, 1, 0, cudaStreamTailLaunch>>>('A');
        mark<<<1, 1>>>('x');
        mark<<<1, 1, 0, cudaStreamTailLaunch>>>('B');
        mark<<<1, 1, 0, cudaStreamFireAndForget>>>('x');
        mark<<<1, 1, 0, cudaStreamTailLaunch>>>('C');
    }
}
__global__ void parent() {
    mark<<<1, 1>>>('p');
    grid<<<3, 2>>>();
    mark<<<1, 1>>>('z');
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    char result[64] = "";
    MUST(cudaMemcpyFromSymbol(result, text, sizeof(text)));
    // Three blocks: the order among their tails is unspecified; A before B before C is required.
    int a = 0, b = 0, c = 0, wrong = 0;
    for (int i = 7; i < 16; i++) {
        a += result[i] == 'A';
        b += result[i] == 'B';
        c += result[i] == 'C';
        wrong += b > a || c > b;
    }
    printf("%.7s %d %d %d %c, %d wrong\n", result, a, b, c, result[16], wrong);
}
