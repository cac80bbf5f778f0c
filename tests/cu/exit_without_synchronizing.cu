// Launches for which nobody waits do not hang or crash the end of the program.
#include "show.h"
#include <cstdlib>
__device__ int sink;
__global__ void child(int depth) {
    atomicAdd(&sink, 1);
    if (depth > 0) {
        child<<<1, 2>>>(depth - 1);
    }
}
int main() {
    for (int i = 0; i < 100; i++) {
        child<<<4, 4>>>(3);
    }
    printf("end\n");
    exit(0);
}
