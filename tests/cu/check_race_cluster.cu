// cdpcc: --check=race
// workers: 1 2
// races: they are planted
// stderr: cdp: race: thread \([0-9]+,0,0\) of block \([0-9]+,0,0\) (reads|writes) 4 bytes that
// stderr: check_race_cluster.cu:(22|24):[0-9]+, .*in kernel kernel
// stderr: shared variable 'values'
// stderr: help: let all blocks of the cluster meet between the two
// stderr: cdp: 1 finding
// A block reads the next one's shared memory after the cluster's barrier; that is no race. Then it
// reads again, while that block may already write.
#include <cooperative_groups.h>

#include "show.h"

__global__ void __cluster_dims__(4) kernel(int *out)
{
    __shared__ int values[64];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    int *next = cluster.map_shared_rank(values, (cluster.block_rank() + 1) % 4);
    values[threadIdx.x] = threadIdx.x;
    cluster.sync();
    int sum = next[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = sum;
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = next[threadIdx.x] + sum;
    cluster.sync();
}

int main()
{
    int *out;
    MUST(cudaMalloc(&out, 8 * 64 * sizeof *out));
    kernel<<<8, 64>>>(out);
    MUST(cudaDeviceSynchronize());
}
