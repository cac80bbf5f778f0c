// The launch returns and the parent continues to its end; the child sees what was written before
// the launch.
#include "show.h"
__global__ void child(const int *ready, int *seen) { *seen = *ready; }
__global__ void parent(int *ready, int *seen, int *ended) {
    *ready = 1;
    child<<<1, 1>>>(ready, seen);
    *ended = 1;
}
int main() {
    int *memory;
    MUST(cudaMallocManaged(&memory, 3 * sizeof(int)));
    parent<<<1, 1>>>(memory, memory + 1, memory + 2);
    MUST(cudaDeviceSynchronize());
    printf("%d %d\n", memory[1], memory[2]);
}
