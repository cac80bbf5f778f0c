// Tiles of 64 threads and more, sixteen at the same time, and of several sizes in one kernel.
#include "show.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <unsigned size> __device__ void turns(int *cell, int *wrong, int count) {
    auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    int first = threadIdx.x / size * size, me = threadIdx.x;
    for (int i = 0; i < count; i++) {
        cell[me] = i * 7 + me;
        tile.sync();
        int other = first + (me - first + size / 2 + 1) % size;
        if (cell[other] != i * 7 + other) {
            atomicAdd(wrong, 1);
        }
        tile.sync();
    }
}
__global__ void kernel(int *wrong) {
    __shared__ int cell[1024];
    turns<64>(cell, wrong, 1 + threadIdx.x / 64);
    turns<128>(cell, wrong, 3 + threadIdx.x / 128);
    turns<256>(cell, wrong, 3);
    turns<512>(cell, wrong, 3 - threadIdx.x / 512);
    turns<1024>(cell, wrong, 2);
}
int main() {
    int *wrong;
    MUST(cudaMallocManaged(&wrong, sizeof(int)));
    kernel<<<3, 1024>>>(wrong);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *wrong);
}
