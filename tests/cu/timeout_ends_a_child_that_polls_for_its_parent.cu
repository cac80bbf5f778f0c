// The child waits for an action of its parent that follows the child: a livelock, which only the
// timeout ends.
// cdpcc: -g
// env: CDP_TIMEOUT=1
// stderr: thread 0: (could continue|runs) at child \(.*:9:
// stderr: thread 0: waits in cudaDeviceSynchronize\(\) for child grids at parent \(.*:14:
#include "show.h"
__global__ void child(volatile int *flag) {
    while (*flag == 0) {
    }
}
__global__ void parent(int *flag) {
    child<<<1, 1>>>(flag);
    cudaDeviceSynchronize();
    *flag = 1;
}
int main() {
    int *flag;
    MUST(cudaMallocManaged(&flag, sizeof(int)));
    parent<<<1, 1>>>(flag);
    SHOW(cudaDeviceSynchronize());
}
