// workers: 1 2 8
// The barrier of a cluster: it opens when all threads that have not ended have arrived; threads and
// whole blocks may end early; it mixes with the other barriers and with polling; a block without
// clusters is one.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { ROUNDS = 20 };
__device__ int counters[64][ROUNDS];
__device__ int flags[64];

/* In each round, all threads count, and then read the complete count. */
__global__ void __cluster_dims__(4) rounds(int *wrong)
{
    cg::cluster_group cluster = cg::this_cluster();
    int mine = blockIdx.x / 4;
    for (int i = 0; i < ROUNDS; i++) {
        atomicAdd(&counters[mine][i], 1);
        cluster.sync();
        if (atomicAdd(&counters[mine][i], 0) != (int)cluster.num_threads()) {
            atomicAdd(wrong, 1);
        }
        if (i % 3 == 0) {
            __syncthreads();
        }
    }
}

/* Some threads end at once, and the last block wholly. */
__global__ void __cluster_dims__(4) leave(int *sum)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ int part;
    if (threadIdx.x == 0) {
        part = 0;
    }
    cluster.sync();
    if (cluster.block_rank() == 3 || threadIdx.x % 3 == 1) {
        return;
    }
    atomicAdd(cluster.map_shared_rank(&part, (cluster.block_rank() + 1) % 3), (int)threadIdx.x);
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    if (threadIdx.x == 0) {
        atomicAdd(sum, part);
    }
}

/* A thread arrives, and ends without waiting. */
__global__ void __cluster_dims__(2) arrive_and_end(int *done)
{
    __cluster_barrier_arrive_relaxed();
    if (threadIdx.x % 2) {
        return;
    }
    __cluster_barrier_wait();
    cg::this_cluster().sync();
    atomicAdd(done, 1);
}

/* Between arrival and wait, one block polls for what another does there. */
__global__ void __cluster_dims__(2) poll(int *done)
{
    cg::cluster_group cluster = cg::this_cluster();
    cluster.barrier_arrive();
    int pair = blockIdx.x / 2;
    if (cluster.block_rank() == 1) {
        if (threadIdx.x == 0) {
            atomicExch(&flags[pair], 1);
        }
    } else {
        while (atomicAdd(&flags[pair], 0) == 0) {
        }
    }
    cluster.barrier_wait();
    atomicAdd(done, 1);
}

/* As a group of any kind, and in a block without clusters. */
__device__ void meet(const cg::thread_group &group, int *done)
{
    group.sync();
    if (group.thread_rank() == group.size() - 1) {
        atomicAdd(done, (int)group.size());
    }
}
__global__ void alone(int *done)
{
    if (threadIdx.x == 5) {
        return;
    }
    meet(cg::this_cluster(), done);
}
__global__ void __cluster_dims__(2, 2) any_group(int *done)
{
    meet(cg::this_cluster(), done);
}

static int *result;
static void report(const char *name)
{
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %d, %s\n", name, *result, cudaGetErrorName(error));
    *result = 0;
}

int main()
{
    cudaMallocManaged(&result, sizeof *result);
    *result = 0;
    rounds<<<16, 128>>>(result);
    report("rounds, wrong");
    leave<<<32, 64>>>(result);
    report("leave");
    arrive_and_end<<<6, 64>>>(result);
    report("arrive and end");
    poll<<<8, 32>>>(result);
    report("poll");
    alone<<<3, 48>>>(result);
    report("alone");
    any_group<<<dim3(4, 2), dim3(8, 4)>>>(result);
    report("any group");
}
