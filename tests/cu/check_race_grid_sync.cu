// cdpcc: --check=race
// workers: 1 2
// races: they are planted
// stderr: cdp: race: thread \([0-9]+,0,0\) of block \([0-9]+,0,0\) (reads|writes) 4 bytes that
// stderr: check_race_grid_sync.cu:1[89]:[0-9]+, .*in kernel kernel
// stderr: cdp: 1 finding
// Blocks read what others wrote before grid.sync(); that is no race. Then they read what others
// write without it.
#include <cooperative_groups.h>

#include "show.h"

__global__ void kernel(int *a, int *b, int *c)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned i = (unsigned)grid.thread_rank(), next = (i + blockDim.x) % (unsigned)grid.size();
    a[i] = i;
    grid.sync();
    b[i] = a[next];
    c[i] = b[next];
}

int main()
{
    const int blocks = 8, threads = 64;
    int *a, *b, *c;
    MUST(cudaMalloc(&a, blocks * threads * sizeof *a));
    MUST(cudaMalloc(&b, blocks * threads * sizeof *b));
    MUST(cudaMalloc(&c, blocks * threads * sizeof *c));
    void *args[] = {&a, &b, &c};
    SHOW(cudaLaunchCooperativeKernel(kernel, blocks, threads, args));
    SHOW(cudaDeviceSynchronize());
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
