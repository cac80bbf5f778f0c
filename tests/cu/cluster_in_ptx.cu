// workers: 1 2
// The registers that tell of clusters, in inline PTX.
#include <cstdio>

__managed__ unsigned ranks[8], wrong;

__global__ void __cluster_dims__(4) kernel()
{
    unsigned rank, size, x, cluster, clusters, is_explicit;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
    asm("mov.u32 %0, %%is_explicit_cluster;" : "=r"(is_explicit));
    if (threadIdx.x == 0) {
        ranks[cluster * size + x] = rank + 10 * is_explicit + 100 * clusters;
    }
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    for (unsigned i = 0; i < size; i++) {
        if (ranks[cluster * size + i] != i + 210) {
            atomicAdd(&wrong, 1);
        }
    }
}

int main()
{
    kernel<<<8, 32>>>();
    printf("%d, %u wrong\n", cudaDeviceSynchronize(), wrong);
}
