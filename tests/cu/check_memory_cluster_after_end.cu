// cdpcc: --check=memory
// workers: 1
// overruns: they are planted
// stderr: cdp: memory: read of 4 bytes of the shared memory of a block that has ended
// stderr: memory: shared variable 'value' of the block of rank 1
// stderr: help: let all blocks of the cluster meet after the last such access: cluster.sync\(\)
// One block of a cluster ends while the other still reads its shared memory.
#include <cooperative_groups.h>
#include <cstdio>

__device__ int out;

__global__ void __cluster_dims__(2) kernel()
{
    __shared__ int value;
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    int *other = cluster.map_shared_rank(&value, 1);
    value = 7;
    cluster.sync();
    if (cluster.block_rank() == 1) {
        return;
    }
    cluster.sync(); /* it does not wait for a block that has ended */
    out = *other;
}

int main()
{
    kernel<<<2, 1>>>();
    printf("%d\n", cudaDeviceSynchronize());
}
