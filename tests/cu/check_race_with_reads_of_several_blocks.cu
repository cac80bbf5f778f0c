// cdpcc: --check=race
// workers: 1
// races: they are planted
// stderr: cdp: race: thread \(0,0,0\) of block \(3,0,0\) writes 4 bytes that threads of several blocks read,
// stderr: check_race_with_reads_of_several_blocks.cu:12:[0-9]+, one of the reads, in kernel readAndWrite, block \(2,0,0\)
// The last of four blocks writes what the others read. One record stands for all of the reads.
#include <cstdio>

__global__ void readAndWrite(int *cell, int *out)
{
    if (blockIdx.x < 3) {
        out[blockIdx.x] = cell[0];
    } else {
        cell[0] = 1;
    }
}

int main()
{
    int *cells;
    cudaMallocManaged(&cells, 4 * sizeof *cells);
    cells[0] = 0;
    readAndWrite<<<4, 1>>>(cells, cells + 1);
    cudaDeviceSynchronize();
    cudaFree(cells);
}
