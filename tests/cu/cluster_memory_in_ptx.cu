// workers: 1 2 8
// Inline PTX of clusters: barrier.cluster, mapa and getctarank, accesses of siblings' shared memory
// by addresses of 32 bits, and arrivals at siblings' barriers.
#include <cstdint>
#include <cstdio>

enum { BLOCKS = 4, THREADS = 64 };

__device__ void arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ void wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ uint32_t rank_of_block()
{
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ uint32_t mapped(uint32_t address, uint32_t rank)
{
    uint32_t result;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
    return result;
}

/* Each block writes into all blocks of its cluster, also into those before it. */
__global__ void __cluster_dims__(BLOCKS) narrow(unsigned *out, unsigned *wrong)
{
    __shared__ unsigned cells[BLOCKS][THREADS], sum;
    const uint32_t own = (uint32_t)__cvta_generic_to_shared(cells), rank = rank_of_block();
    sum = 0;
    asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory");
    for (uint32_t to = 0; to < BLOCKS; to++) {
        const uint32_t at = mapped(own + 4 * (rank * THREADS + threadIdx.x), to);
        const unsigned value = 1000 * blockIdx.x + 100 * to + threadIdx.x;
        uint32_t found;
        asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(found) : "r"(at));
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
        asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(
                         mapped((uint32_t)__cvta_generic_to_shared(&sum), to)),
                     "r"(rank)
                     : "memory");
        if (found != to) {
            atomicAdd(wrong, 1);
        }
    }
    arrive();
    wait();
    for (uint32_t from = 0; from < BLOCKS; from++) {
        unsigned value;
        asm volatile("ld.shared::cluster.u32 %0, [%1];"
                     : "=r"(value)
                     : "r"(mapped(own + 4 * (rank * THREADS + threadIdx.x), from))
                     : "memory");
        if (value != 1000 * blockIdx.x + 100 * from + threadIdx.x) {
            atomicAdd(wrong, 1);
        }
        out[blockIdx.x * THREADS + threadIdx.x] += cells[from][threadIdx.x] + sum;
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    wait();
}

/* Generic addresses, and a barrier in the first block at which the whole cluster arrives. */
__global__ void __cluster_dims__(BLOCKS) wide(unsigned *sum, unsigned *wrong)
{
    __shared__ uint64_t barrier;
    __shared__ unsigned cell;
    uint64_t first;
    uint32_t found;
    if (threadIdx.x == 0) {
        cell = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                         (uint32_t)__cvta_generic_to_shared(&barrier)),
                     "r"(BLOCKS * THREADS)
                     : "memory");
    }
    arrive();
    wait();
    asm("mapa.u64 %0, %1, 0;" : "=l"(first) : "l"(&cell));
    asm("getctarank.u64 %0, %1;" : "=r"(found) : "l"(first));
    atomicAdd((unsigned *)first, rank_of_block() + 1);
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                     mapped((uint32_t)__cvta_generic_to_shared(&barrier), 0))
                 : "memory");
    if (rank_of_block() == 0) {
        uint32_t is_complete = 0;
        while (is_complete == 0) {
            asm volatile("{.reg .pred p;\n"
                         "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n"
                         "selp.u32 %0, 1, 0, p;}"
                         : "=r"(is_complete)
                         : "r"((uint32_t)__cvta_generic_to_shared(&barrier))
                         : "memory");
        }
        if (threadIdx.x == 0) {
            atomicAdd(sum, cell);
        }
    }
    if (found != 0) {
        atomicAdd(wrong, 1);
    }
    arrive();
    wait();
}

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, (2 * BLOCKS * THREADS + 2) * sizeof *out);
    unsigned *wrong = &out[2 * BLOCKS * THREADS], *sum = wrong + 1;
    narrow<<<2 * BLOCKS, THREADS>>>(out, wrong);
    wide<<<2 * BLOCKS, THREADS>>>(sum, wrong);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    unsigned hash = 0;
    for (int i = 0; i < 2 * BLOCKS * THREADS; i++) {
        hash = hash * 31 + out[i];
    }
    printf("hash %08x, sum %u, %u wrong\n", hash, *sum, *wrong);
}
