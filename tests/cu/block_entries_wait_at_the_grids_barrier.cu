// cdpcc: --entry=block -O2
// workers: 1 2 8
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 266 blocks ran by block entries, 0 had an unsupported shape
// stderr: grid.sync\(\) in a grid that cudaLaunchCooperativeKernel did not launch
// entries: it tests their code
// A block entry waits at grid.sync() as one thread: the grid's other blocks start meanwhile, also those that
// one call would have run together, and also with values and shared memory that live across the barrier.
#include <cooperative_groups.h>
#include "show.h"
namespace cg = cooperative_groups;

__global__ void steps(unsigned *a, unsigned *b, int count)
{
    __shared__ unsigned mine[64];
    cg::grid_group grid = cg::this_grid();
    unsigned i = (unsigned)grid.thread_rank(), n = (unsigned)grid.size(), t = threadIdx.x, kept = i * 5;
    mine[t % 64] = blockIdx.x;
    __syncthreads();
    for (int k = 0; k < count; k++) {
        b[i] = a[i] * 3 + a[(i + blockDim.x) % n] + a[(i + n / 2) % n] + kept;
        grid.sync();
        kept += mine[(t + (unsigned)k) % 64 % blockDim.x] + b[(i + 1) % n];
        unsigned *swapped = a;
        a = b;
        b = swapped;
    }
    if (i % 3 != 0) {
        return;
    }
    b[i] ^= kept;
}

// One of two grids in two streams ends only after the other: blocks that wait leave room for both.
__global__ void sum(unsigned *out, unsigned *total)
{
    cg::grid_group grid = cg::this_grid();
    atomicAdd(total, (unsigned)grid.thread_rank());
    grid.sync();
    out[grid.thread_rank()] = *total;
    grid.sync();
    if (grid.thread_rank() == 0) {
        *total = out[grid.size() - 1] * 2;
    }
}

int main()
{
    enum { MOST = 64 * 256 };
    unsigned *a, *b, *total;
    int count = 7;
    MUST(cudaMallocManaged(&a, MOST * sizeof *a));
    MUST(cudaMallocManaged(&b, MOST * sizeof *b));
    MUST(cudaMallocManaged(&total, 2 * sizeof *total));
    for (int threads : {64, 100, 256}) {
        for (int blocks : {1, 5, 64}) {
            for (int i = 0; i < MOST; i++) {
                a[i] = b[i] = (unsigned)i * 7;
            }
            void *args[] = {&a, &b, &count};
            MUST(cudaLaunchCooperativeKernel((void *)steps, blocks, threads, args));
            MUST(cudaDeviceSynchronize());
            printf("%d x %d: %08x %08x\n", blocks, threads, hashOfWords(a, MOST), hashOfWords(b, MOST));
        }
    }
    cudaStream_t streams[2];
    total[0] = total[1] = 0;
    for (int i = 0; i < 2; i++) {
        MUST(cudaStreamCreate(&streams[i]));
        unsigned *out = i == 0 ? a : b, *to = total + i;
        void *args[] = {&out, &to};
        MUST(cudaLaunchCooperativeKernel((void *)sum, 28, 96, args, 0, streams[i]));
    }
    MUST(cudaDeviceSynchronize());
    printf("%u %u\n", total[0], total[1]);
    sum<<<2, 32>>>(a, total);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
