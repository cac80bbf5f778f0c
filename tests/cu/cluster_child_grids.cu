// workers: 1 2 8
/* Kernels with clusters that kernels launch: into the block's stream, as tails, fire and forget, by
 * kernels that have clusters themselves. The codes of wrong shapes are an H100's. */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { PARENTS = 6, BLOCKS = 12, LEVELS = 3, CASES = 8 };

struct large {
    int tag, filler[30];
};

__device__ int from_sibling[PARENTS][BLOCKS];
__device__ int ended[CASES];
__device__ int codes[CASES];
__device__ int at_level[LEVELS + 1];

/* Parameters of any size are before the table of clusters in the launch's record. */
__global__ void __cluster_dims__(3) exchange(large given, int parent)
{
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    mine = given.tag + given.filler[29] + (int)blockIdx.x;
    cluster.sync();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    if (threadIdx.x == 0) {
        from_sibling[parent][blockIdx.x] = *cluster.map_shared_rank(&mine, next);
    }
    cluster.sync();
}

__global__ void launch_exchanges()
{
    large given = {};
    given.tag = 100 * (int)blockIdx.x;
    given.filler[29] = 1000;
    exchange<<<BLOCKS, 40>>>(given, blockIdx.x);
}

__global__ void __cluster_dims__(2) nest(int level)
{
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    if (threadIdx.x == 0) {
        atomicAdd(&at_level[level], (int)cluster.block_rank() + 1);
        if (level < LEVELS) {
            nest<<<4, 8>>>(level + 1);
        }
    }
    cluster.sync();
}

__global__ void __cluster_dims__(2) two(int which)
{
    cg::this_cluster().sync();
    atomicAdd(&ended[which], 1);
}

__global__ void __cluster_dims__(4, 2) eight(int which)
{
    cg::this_cluster().sync();
    atomicAdd(&ended[which], 1);
}

__global__ void __cluster_dims__(16) sixteen(int which)
{
    atomicAdd(&ended[which], 1);
}

__global__ void launch_shapes()
{
    two<<<4, 1, 0, cudaStreamTailLaunch>>>(0);
    codes[0] = cudaGetLastError();
    two<<<4, 1, 0, cudaStreamFireAndForget>>>(1);
    codes[1] = cudaGetLastError();
    two<<<3, 1>>>(2);
    codes[2] = cudaGetLastError();
    eight<<<dim3(4, 4), 1>>>(3);
    codes[3] = cudaGetLastError();
    eight<<<dim3(4, 3), 1>>>(4);
    codes[4] = cudaGetLastError();
    sixteen<<<16, 1>>>(5);
    codes[5] = cudaGetLastError();
    two<<<0, 1>>>(6);
    codes[6] = cudaGetLastError();
}

int main()
{
    launch_exchanges<<<PARENTS, 1>>>();
    nest<<<2, 8>>>(0);
    launch_shapes<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int sums[PARENTS][BLOCKS], levels[LEVELS + 1], code[CASES], blocks[CASES], wrong = 0;
    cudaMemcpyFromSymbol(sums, from_sibling, sizeof sums);
    cudaMemcpyFromSymbol(levels, at_level, sizeof levels);
    cudaMemcpyFromSymbol(code, codes, sizeof code);
    cudaMemcpyFromSymbol(blocks, ended, sizeof blocks);
    for (int p = 0; p < PARENTS; p++) {
        for (int b = 0; b < BLOCKS; b++) {
            int sibling = b / 3 * 3 + (b + 1) % 3;
            wrong += sums[p][b] != 1000 + 100 * p + sibling;
        }
    }
    printf("%d wrong values of siblings\n", wrong);
    for (int level = 0; level <= LEVELS; level++) {
        printf("level %d: %d\n", level, levels[level]);
    }
    for (int i = 0; i < 7; i++) {
        printf("case %d: code %d, %d blocks\n", i, code[i], blocks[i]);
    }
}
