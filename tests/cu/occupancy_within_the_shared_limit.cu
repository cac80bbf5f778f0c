// Occupancy counts only blocks that a launch may have: more than 48 KiB only after the kernel opted in.
// rules: S46
#include "show.h"

__global__ void dynamic(int *out) {
    extern __shared__ int cells[];
    cells[threadIdx.x] = 1;
    *out = cells[0];
}

__global__ void fixed(int *out) {
    __shared__ int cells[10000];
    cells[threadIdx.x] = 1;
    *out = cells[0];
}

struct Shared {
    __host__ __device__ size_t operator()(int block) const { return block > 256 ? 60000 : 1024; }
};

__global__ void ask(int *found) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(found, dynamic, 128, 49153);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(found + 1, found + 2, dynamic, Shared());
}

static void blocks(size_t shared) {
    int found = -1;
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found, dynamic, 128, shared));
    printf("%zu bytes: %s\n", shared, found > 0 ? "some" : found == 0 ? "none" : "not set");
}

static void best(const char *what, int grid, int block) {
    printf("%s: %s grid, block of %d\n", what, grid > 0 ? "a" : "no", block);
}

int main() {
    int grid, block, *found;
    blocks(49152);
    blocks(49153);
    MUST(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fixed, 20000, 0));
    best("40000 and 20000 bytes", grid, block);
    MUST(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic, Shared()));
    best("60000 bytes for large blocks", grid, block);
    MUST(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, dynamic, Shared(),
                                                                 100, cudaOccupancyDefault));
    best("at most 100 threads", grid, block);
    MUST(cudaMallocManaged(&found, 3 * sizeof *found));
    ask<<<1, 1>>>(found);
    MUST(cudaDeviceSynchronize());
    printf("kernel: %d blocks\n", found[0]);
    best("kernel: 60000 bytes for large blocks", found[1], found[2]);
    MUST(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    blocks(60000);
    blocks(60001);
}
