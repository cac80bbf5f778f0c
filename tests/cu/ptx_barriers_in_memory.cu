// PTX's mbarrier, with addresses of shared memory in 32 and in 64 bits: phases by state and by
// parity, arrivals that count for several and without completing, threads that leave, several
// barriers; in global memory between blocks. Loads, stores and atomics at such addresses.
#include "show.h"
typedef unsigned long long u64;
typedef unsigned int u32;
__device__ u32 narrow(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}
__device__ void init(u32 b, u32 count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(count) : "memory");
}
__device__ u64 arrive(u32 b)
{
    u64 state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
    return state;
}
__device__ bool try_wait(u32 b, u64 state)
{
    u32 done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2, 1000; selp.b32 "
                 "%0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(b), "l"(state)
                 : "memory");
    return done;
}
__device__ bool test_parity(u32 b, u32 parity)
{
    u32 done;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(b), "r"(parity)
        : "memory");
    return done;
}
// Rows are passed on from half to half; each half of the block has a barrier, too.
__global__ void turns(int *wrong)
{
    __shared__ __align__(8) u64 whole, half[2];
    __shared__ int cell[128];
    const u32 me = threadIdx.x, own = me / 64, b = narrow(&whole), h = narrow(&half[own]);
    if (me == 0) {
        init(b, 128);
        init(narrow(&half[0]), 64), init(narrow(&half[1]), 64);
    }
    __syncthreads();
    for (int i = 0; i < 20; i++) {
        cell[me] = i * 1000 + me;
        arrive(b);
        while (!test_parity(b, i & 1)) {
        }
        if (cell[127 - me] != (int)(i * 1000 + 127 - me))
            atomicAdd(wrong, 1);
        u64 mine = arrive(h);
        while (!try_wait(h, mine)) {
        }
        __syncthreads();
    }
}
// The first warp's threads leave one by one; the last warp arrives for several, without completing.
__global__ void leave(u64 *out)
{
    __shared__ __align__(8) u64 b;
    const u32 me = threadIdx.x, at = narrow(&b);
    u64 state = 0;
    u32 pending;
    if (me == 0)
        init(at, 96);
    __syncthreads();
    if (me < 32) {
        asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(at) : "memory");
        return;
    }
    if (me == 32) {
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(at), "r"(31)
                     : "memory");
        asm volatile("mbarrier.arrive.release.cta.shared.b64 %0, [%1], 33;"
                     : "=l"(state)
                     : "r"(at)
                     : "memory");
    }
    while (!test_parity(at, 0)) {
    }
    // 64 of 96 threads are left: one arrival for all of them ends the next phase.
    __syncthreads();
    if (me == 32) {
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(at), "r"(63)
                     : "memory");
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
        out[0] = pending;
        out[1] = test_parity(at, 1);
        state = arrive(at);
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
        out[2] = pending;
        out[3] = test_parity(at, 1);
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
    }
}
// Two blocks wait at a barrier in global memory.
__global__ void meet(u64 *b, int *cell, int *wrong)
{
    u64 state;
    u32 done = 0;
    cell[blockIdx.x] = 7 + blockIdx.x;
    asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(b) : "memory");
    while (!done) {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "l"(b), "l"(state)
                     : "memory");
    }
    if (((volatile int *)cell)[1 - blockIdx.x] != 8 - (int)blockIdx.x)
        atomicAdd(wrong, 1);
}
__global__ void start(u64 *b)
{
    asm volatile("mbarrier.init.b64 [%0], 2;" ::"l"(b) : "memory");
}
extern __shared__ int dynamic[];
__global__ void words(int *out)
{
    __shared__ int s[64];
    const u32 me = threadIdx.x, at = narrow(s) + 4 * me, there = narrow(dynamic);
    int got, old;
    if (me == 0)
        dynamic[0] = 0;
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(3 * me) : "memory");
    asm volatile("st.shared.u32 [%0+4], %1;" ::"r"(there + 4 * me), "r"(me) : "memory");
    __syncthreads();
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(narrow(s) + 4 * (63 - me)) : "memory");
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(there), "r"(1) : "memory");
    __syncthreads();
    out[me] = got + (dynamic[1 + me] == (int)me ? 1000 : 0) + (old >= 0 && old < 64 ? 10000 : 0);
    if (me == 0)
        out[64] = dynamic[0];
}
int main()
{
    int *wrong, *cell, *out;
    u64 *b, *counts;
    MUST(cudaMallocManaged(&wrong, 4));
    MUST(cudaMallocManaged(&cell, 8));
    MUST(cudaMallocManaged(&b, 8));
    MUST(cudaMallocManaged(&counts, 32));
    MUST(cudaMallocManaged(&out, 65 * 4));
    turns<<<3, 128>>>(wrong);
    leave<<<1, 96>>>(counts);
    start<<<1, 1>>>(b);
    meet<<<2, 1>>>(b, cell, wrong);
    MUST(cudaDeviceSynchronize());
    printf("%d: %llu %llu %llu %llu\n", *wrong, counts[0], counts[1], counts[2], counts[3]);
    words<<<1, 64, 66 * sizeof(int)>>>(out);
    MUST(cudaDeviceSynchronize());
    int bad = 0;
    for (int i = 0; i < 64; i++)
        bad += out[i] != 11000 + 3 * (63 - i);
    printf("%d %d\n", bad, out[64]);
}
