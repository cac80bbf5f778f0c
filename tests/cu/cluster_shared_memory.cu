// workers: 1 2 8
// Distributed shared memory: a histogram whose bins are spread over the blocks of a cluster, static
// and dynamic arrays of siblings, and atomics on them.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

enum { BLOCKS = 24, THREADS = 96, EACH = 20 };

__global__ void histogram(const int *values, int *counts, int bins_of_block)
{
    extern __shared__ int bins[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) {
        bins[i] = 0;
    }
    cluster.sync();
    for (int i = 0; i < EACH; i++) {
        int value = values[(blockIdx.x * EACH + i) * blockDim.x + threadIdx.x];
        int *bin = cluster.map_shared_rank(bins, value / bins_of_block);
        atomicAdd(bin + value % bins_of_block, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) {
        atomicAdd(&counts[cluster.block_rank() * bins_of_block + i], bins[i]);
    }
}

/* Each block passes its numbers to the next one, once around the ring. */
__global__ void __cluster_dims__(4, 1, 1) ring(int *out)
{
    __shared__ int mailbox[2][THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    int *to = cluster.map_shared_rank(&mailbox[0][0], next);
    cluster.sync(); /* the next block must run */
    int held = blockIdx.x * 1000 + threadIdx.x, sum = 0;
    for (unsigned step = 0; step < cluster.num_blocks(); step++) {
        to[step % 2 * THREADS + threadIdx.x] = held;
        auto token = cluster.barrier_arrive();
        sum += held % 7;
        cluster.barrier_wait(static_cast<decltype(token) &&>(token));
        held = mailbox[step % 2][threadIdx.x];
        sum += held;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    cluster.sync();
}

static void count(int size, int bins_of_block)
{
    int *values, *counts, bins = size * bins_of_block, many = BLOCKS * THREADS * EACH;
    cudaMallocManaged(&values, many * sizeof *values);
    cudaMallocManaged(&counts, bins * sizeof *counts);
    std::vector<int> expected(bins);
    for (int i = 0; i < bins; i++) {
        counts[i] = 0;
    }
    for (int i = 0; i < many; i++) {
        values[i] = (int)(i * 2654435761u >> 8) % bins;
        expected[values[i]]++;
    }
    cudaLaunchAttribute attr = {};
    attr.id = cudaLaunchAttributeClusterDimension;
    attr.val.clusterDim.x = size;
    attr.val.clusterDim.y = attr.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = BLOCKS;
    config.blockDim = THREADS;
    config.dynamicSmemBytes = bins_of_block * sizeof(int);
    config.attrs = &attr;
    config.numAttrs = 1;
    cudaError_t launched = cudaLaunchKernelEx(&config, histogram, values, counts, bins_of_block);
    cudaError_t ended = cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < bins; i++) {
        wrong += counts[i] != expected[i];
    }
    printf("%d blocks of %d bins: %d %d, %d wrong\n", size, bins_of_block, launched, ended, wrong);
    cudaFree(values);
    cudaFree(counts);
}

int main()
{
    count(1, 50);
    count(2, 100);
    count(4, 33);
    count(8, 200);
    cudaFuncSetAttribute(histogram, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    count(12, 17);
    int *out;
    cudaMallocManaged(&out, BLOCKS * THREADS * sizeof *out);
    for (int round = 0; round < 3; round++) {
        ring<<<BLOCKS, THREADS>>>(out);
        cudaError_t ended = cudaDeviceSynchronize();
        int wrong = 0;
        for (int i = 0; i < BLOCKS * THREADS; i++) {
            int first = i / THREADS / 4 * 4, sum = 0;
            for (int block = first; block < first + 4; block++) {
                int held = block * 1000 + i % THREADS;
                sum += held + held % 7;
            }
            wrong += out[i] != sum;
        }
        printf("ring: %d, %d wrong\n", ended, wrong);
    }
}
