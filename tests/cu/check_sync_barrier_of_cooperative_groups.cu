// cdpcc: --check=sync
// stderr: sync: thread \(0,0,0\) waits at __syncthreads\(\) although thread 32 of its block ended before it
// stderr: --> check_sync_barrier_of_cooperative_groups.cu:12:
// stderr: 1 finding
// A barrier of cooperative groups has the user's line, not one of a header.
#include <cooperative_groups.h>
#include "show.h"
namespace cg = cooperative_groups;
__global__ void kernel(int *a) {
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() < 32) {
        block.sync();
        atomicAdd(a, 1);
    }
}
int main() {
    int *a;
    MUST(cudaMallocManaged(&a, 4));
    *a = 0;
    kernel<<<1, 64>>>(a);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *a);
}
