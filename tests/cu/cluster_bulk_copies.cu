// workers: 1 2 8
// Copies between the blocks of a cluster that report to mbarriers: multicast, from shared to a
// sibling's shared memory, st.async and red.async. An H200 printed the same.
#include <cstdint>
#include <cstdio>

typedef unsigned long long u64;

enum { BLOCKS = 4, WORDS = 256, ROUNDS = 3, BYTES = WORDS * 4, CELLS = 24 };

__device__ __align__(128) unsigned source[BLOCKS][WORDS];
__device__ unsigned wrong, sums[2 * BLOCKS];

__device__ uint32_t narrow(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ uint32_t mapped(const void *p, uint32_t rank)
{
    uint32_t result;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(narrow(p)), "r"(rank));
    return result;
}
__device__ void sync_cluster()
{
    asm volatile("barrier.cluster.arrive.release;\n barrier.cluster.wait.acquire;" ::: "memory");
}
__device__ void init(u64 *b)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(narrow(b)) : "memory");
}
/* One thread arrives, and expects what the siblings send. */
__device__ void expect(u64 *b, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(narrow(b)),
                 "r"(bytes)
                 : "memory");
}
__device__ void wait(u64 *b, unsigned parity)
{
    unsigned over = 0;
    while (over == 0) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
                     "[%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(narrow(b)), "r"(parity)
                     : "memory");
    }
}
__device__ void check(bool is_right)
{
    if (!is_right) {
        atomicAdd(&wrong, 1);
    }
}

/* To a cell of the sibling. */
#define RED(FORM, CELL, CONSTRAINT, VALUE)                                                         \
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." FORM    \
                 " [%0], %1, [%2];" ::"r"(mapped(&cells[CELL], sibling)),                          \
                 CONSTRAINT(VALUE), "r"(b)                                                         \
                 : "memory")

__global__ void __cluster_dims__(BLOCKS) exchange()
{
    __shared__ __align__(128) unsigned all[WORDS], own[WORDS], next[WORDS], cells[CELLS];
    __shared__ __align__(8) u64 arrived[3];
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    const uint32_t sibling = (rank + 1) % BLOCKS, before = (rank + BLOCKS - 1) % BLOCKS;
    const bool is_first = threadIdx.x == 0;
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) {
        own[i] = 1000 * rank + i;
    }
    if (threadIdx.x < CELLS) {
        cells[threadIdx.x] = 0;
    }
    if (is_first) {
        init(&arrived[0]), init(&arrived[1]), init(&arrived[2]);
        asm volatile("fence.mbarrier_init.release.cluster;\n fence.proxy.async.shared::cta;" :::
                         "memory");
    }
    sync_cluster();
    /* The first block copies to blocks 1 and 3, the others do not. */
    if (is_first && (rank == 1 || rank == 3)) {
        expect(&arrived[0], BYTES);
    }
    if (is_first && rank == 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0], [%1], %2, [%3], %4;" ::"r"(narrow(all)),
                     "l"(source[blockIdx.x / BLOCKS]), "r"(BYTES), "r"(narrow(&arrived[0])),
                     "h"((unsigned short)10)
                     : "memory");
    }
    if (rank == 1 || rank == 3) {
        wait(&arrived[0], 0);
        for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) {
            check(all[i] == 7 * (blockIdx.x / BLOCKS) + i);
        }
    }
    /* Each block writes into the next one's memory. */
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (is_first) {
            expect(&arrived[1], BYTES);
            asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                         "[%0], [%1], %2, [%3];" ::"r"(mapped(next, sibling)),
                         "r"(narrow(own)), "r"(BYTES), "r"(mapped(&arrived[1], sibling))
                         : "memory");
        }
        wait(&arrived[1], round & 1);
        for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) {
            check(next[i] == 1000 * before + i + round);
        }
        sync_cluster();
        for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) {
            own[i]++;
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        sync_cluster();
    }
    /* Stores and sums. */
    if (is_first) {
        const uint32_t b = mapped(&arrived[2], sibling);
        expect(&arrived[2], 4 + 8 + 16 + 16 + 11 * 4 + 2 * 8);
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, "
                     "[%2];" ::"r"(mapped(&cells[0], sibling)),
                     "r"(rank + 1), "r"(b)
                     : "memory");
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::
                         "r"(mapped(&cells[2], sibling)),
                     "l"(5ull << 32 | 4), "r"(b)
                     : "memory");
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, "
                     "%3, %4}, [%5];" ::"r"(mapped(&cells[4], sibling)),
                     "r"(6), "r"(7), "r"(8), "r"(9), "r"(b)
                     : "memory");
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.s64 [%0], {%1, %2}, "
                     "[%3];" ::"r"(mapped(&cells[8], sibling)),
                     "l"(10ll), "l"(-1ll), "r"(b)
                     : "memory");
        RED("add.u32", 12, "r", 100 + rank);
        RED("max.s32", 13, "r", 3);
        RED("add.u64", 14, "l", 1ull << 33);
        RED("inc.u32", 16, "r", 5);
        RED("dec.u32", 17, "r", 5);
        RED("or.b32", 18, "r", 9);
        RED("and.b32", 18, "r", 12);
        RED("xor.b32", 18, "r", 5);
        RED("min.s32", 19, "r", -3);
        RED("max.u32", 20, "r", 8);
        RED("min.u32", 20, "r", 7);
        RED("add.s32", 21, "r", -9);
        RED("add.s64", 22, "l", -1ll);
        wait(&arrived[2], 0);
        unsigned sum = 0;
        for (unsigned i = 0; i < CELLS; i++) {
            sum += i == 1 ? 0 : (i + 1) * cells[i];
        }
        sums[blockIdx.x] = sum;
    }
    sync_cluster();
}

int main()
{
    unsigned words[BLOCKS][WORDS], found, sum[2 * BLOCKS];
    for (unsigned i = 0; i < BLOCKS * WORDS; i++) {
        words[i / WORDS][i % WORDS] = 7 * (i / WORDS) + i % WORDS;
    }
    cudaMemcpyToSymbol(source, words, sizeof words);
    exchange<<<2 * BLOCKS, 64>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpyFromSymbol(&found, wrong, sizeof found);
    cudaMemcpyFromSymbol(sum, sums, sizeof sum);
    printf("%u wrong\n", found);
    for (int i = 0; i < 2 * BLOCKS; i++) {
        printf("block %d: %u\n", i, sum[i]);
    }
}
