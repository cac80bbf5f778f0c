// cdpcc: --check=init
// stderr: cdp: init: read of 4 bytes of shared memory that no thread of the block wrote
// stderr: check_init_shared_memory_is_unwritten_again.cu:16:16, in kernel sum, block
// A tile of shared memory is written at first. Then memory that nobody wrote is copied there.
#include <cstdio>

enum { TILE = 64 };

__global__ void sum(const int *in, int *out)
{
    __shared__ int tile[TILE];
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        tile[threadIdx.x] = in[i * TILE + threadIdx.x];
        __syncthreads();
        sum += tile[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 2 * TILE * sizeof *in);
    cudaMallocManaged(&out, TILE * sizeof *out);
    cudaMemset(in, 0, TILE * sizeof *in);
    sum<<<1, TILE>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
}
