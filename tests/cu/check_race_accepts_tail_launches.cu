// cdpcc: --check=race
// A tail launch comes after everything of its grid, and after the tail launches before it.
#include <cstdio>

__global__ void add(int *cell, int by)
{
    *cell += by;
}

__global__ void tails(int *cells)
{
    add<<<1, 1, 0, cudaStreamFireAndForget>>>(&cells[threadIdx.x], 1);
    add<<<1, 1, 0, cudaStreamTailLaunch>>>(&cells[63 - threadIdx.x], 1);
    add<<<1, 1, 0, cudaStreamTailLaunch>>>(&cells[0], 1);
}

int main()
{
    int *cells;
    cudaMallocManaged(&cells, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) {
        cells[i] = 0;
    }
    tails<<<1, 64>>>(cells);
    cudaDeviceSynchronize();
    printf("%d %d\n", cells[0], cells[63]);
}
