// cdpcc: --race=strict
// races: two stores of one value
// stderr: race: thread .1,0,0. of block .0,0,0. writes 4 bytes that thread .0,0,0. of block .0,0,0. writes
// stderr: check_race_strict.cu:10:14, in kernel k
#include <cstdio>

/* Two stores of the same value: only --race=strict reports them. */
__global__ void k(int *found)
{
    found[0] = 1;
}

int main()
{
    int *found;
    cudaMallocManaged(&found, sizeof *found);
    k<<<1, 64>>>(found);
    cudaDeviceSynchronize();
    printf("%d\n", found[0]);
    cudaFree(found);
}
