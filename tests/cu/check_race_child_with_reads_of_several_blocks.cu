// cdpcc: --check=race
// workers: 1
// races: they are planted
// stderr: cdp: race: thread \(0,0,0\) of block \(0,0,0\) writes 4 bytes that threads of several blocks read,
// stderr: check_race_child_with_reads_of_several_blocks.cu:16:[0-9]+, one of the reads, in kernel parent, block \(1,0,0\)
// Both blocks of the parent read x, and the second one launches a child that writes it. The launch
// comes after the reads of its own block, but not after those of the other one.
#include <cstdio>

__global__ void child(int *x)
{
    x[threadIdx.x] = 1;
}
__global__ void parent(const int *x, int *out, int *written)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        child<<<1, 64>>>(written);
    }
}

int main()
{
    int *x, *out;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMalloc(&out, 128 * sizeof *out);
    cudaMemset(x, 0, 64 * sizeof *x);
    parent<<<2, 64>>>(x, out, x);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x);
    cudaFree(out);
}
