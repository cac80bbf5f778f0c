// cdpcc: --check=race
// workers: 1 2 8
// races: they are planted
// stderr: race: .*4 bytes that thread .* and nothing orders the two
// stderr: memory: shared variable .cell.
// What follows an arrival at the mbarrier of another block is not ordered by it. Two accesses at the
// very same moment may miss each other, so the kernel runs several times.
#define AFTER
#include "arrival_at_sibling.inc"

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, sizeof *out);
    for (int i = 0; i < 8; i++) {
        kernel<<<2, 1>>>(out);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
