// Which threads proceed when threads wait for each other, the results of warp operations, the
// effect of accesses that no rule allows, and trees of launches. "result" is the kernel's result.
// ask: lock_in_loop lock_alone trylock flag_of_lane flag_by_atomics flag_of_block grid_barrier
// ask: grid_barriers chain chain_backwards queue last_block nanosleep poll_with_fence poll_ldcg clocks
// ask: volatile_reduction lockstep barrier_in_branches barrier_in_part barrier_in_a_warp active_mask
// ask: aggregated shuffles_meet shuffle_sources half_warps mask_of_ended mask_without_caller match
// ask: parts_of_a_warp registers shared_zero shared_addresses own_local null just_beyond far_shared
// ask: misaligned trap deep deeper constant tree tails poll_for_child bad_child
#include "ask.h"
#include <cstdlib>

__device__ int lock, result, flags[4096], sums[4096], cells[8192];
__device__ volatile int flag;
__device__ unsigned arrived;
__constant__ int constants[4];

// ---- Locks and flags ----

__global__ void lock_in_loop()
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            result = result + 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
__global__ void lock_alone()
{
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    result = *(volatile int *)&result + 1;
    __threadfence();
    atomicExch(&lock, 0);
}
__global__ void trylock()
{
    while (atomicExch(&lock, 1) != 0) {
    }
    result++;
    __threadfence();
    lock = 0;
}
__global__ void flag_of_lane()
{
    if (threadIdx.x == 0) {
        while (!flag) {
        }
        result = 7;
    } else if (threadIdx.x == 31) {
        flag = 1;
    }
}
__global__ void flag_by_atomics()
{
    if (threadIdx.x == 0) {
        while (atomicAdd(&lock, 0) == 0) {
        }
        result = 7;
    } else if (threadIdx.x == 31) {
        atomicExch(&lock, 1);
    }
}
__global__ void flag_of_block()
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        while (*(volatile int *)&lock == 0) {
        }
        result = 9;
    } else if (threadIdx.x == 0 && blockIdx.x == 63) {
        lock = 1;
    }
}

// ---- Blocks that wait for blocks ----

__global__ void grid_barrier()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < gridDim.x) {
        }
    }
    __syncthreads();
    atomicAdd(&result, *(volatile unsigned *)&arrived == gridDim.x);
}
__global__ void grid_barriers()
{
    for (int round = 1; round <= 3; round++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&arrived, 1);
            while (*(volatile unsigned *)&arrived < round * gridDim.x) {
            }
            __threadfence();
        }
        __syncthreads();
        bool reads = blockIdx.x + 1 < gridDim.x && round > 1;
        volatile int *next = &cells[(round - 1) * 2048 + blockIdx.x + 1];
        cells[round * 2048 + blockIdx.x] = reads ? *next + 1 : 1;
    }
    if (threadIdx.x == 0) {
        atomicAdd(&result, cells[3 * 2048 + blockIdx.x]);
    }
}
// Each block waits for the previous one, or for the next one.
__device__ void follow(int other, bool waits)
{
    volatile int *done = flags;
    if (waits) {
        while (done[other] == 0) {
        }
    }
    sums[blockIdx.x] = (waits ? *(volatile int *)&sums[other] : 0) + 1;
    __threadfence();
    done[blockIdx.x] = 1;
    atomicMax(&result, sums[blockIdx.x]);
}
__global__ void chain()
{
    if (threadIdx.x == 0) {
        follow(blockIdx.x - 1, blockIdx.x > 0);
    }
}
__global__ void chain_backwards()
{
    if (threadIdx.x == 0) {
        follow(blockIdx.x + 1, blockIdx.x + 1 < gridDim.x);
    }
}
__global__ void queue()
{
    for (int i = atomicAdd(&lock, 1); i < 1000; i = atomicAdd(&lock, 1)) {
        atomicAdd(&result, i);
    }
}
__global__ void last_block()
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        cells[blockIdx.x] = blockIdx.x;
        __threadfence();
        is_last = atomicInc((unsigned *)&lock, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        int sum = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) {
            sum += ((volatile int *)cells)[i];
        }
        atomicAdd(&result, sum);
    }
}
__global__ void nanosleep()
{
    if (blockIdx.x == 0) {
        while (atomicAdd(&lock, 0) < 31) {
            __nanosleep(100);
        }
        result = 5;
    } else if (threadIdx.x == 0) {
        atomicAdd(&lock, 1);
    }
}
__global__ void poll_with_fence()
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        while (lock == 0) {
            __threadfence();
        }
        result = 3;
    } else if (threadIdx.x == 0) {
        lock = 1;
        __threadfence();
    }
}
__global__ void poll_ldcg()
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        while (__ldcg(&lock) == 0) {
        }
        result = 4;
    } else if (threadIdx.x == 0) {
        __stcg(&lock, 1);
    }
}
__global__ void clocks()
{
    long long begin = clock64();
    while (clock64() - begin < 100000) {
    }
    unsigned a = ::clock();
    __threadfence();
    unsigned b = ::clock();
    result = b - a < 1000000u;
}

// ---- Warps ----

__global__ void volatile_reduction()
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    s[t + 32] = t + 32;
    __syncthreads();
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
    if (t == 0) {
        result = s[0];
    }
}
__global__ void lockstep()
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t * 10;
    atomicAdd(&result, s[31 - t] == (31 - t) * 10);
}
__global__ void barrier_in_branches()
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    atomicAdd(&result, s[63 - threadIdx.x]);
}
__global__ void barrier_in_part()
{
    if (threadIdx.x >= 32) {
        return;
    }
    __syncthreads();
    atomicAdd(&result, 1);
}
__global__ void barrier_in_a_warp()
{
    if (threadIdx.x & 1) {
        __syncthreads();
        atomicAdd(&result, 1);
    } else {
        __syncthreads();
        atomicAdd(&result, 100);
    }
}
__global__ void active_mask()
{
    if (threadIdx.x % 3 == 0) {
        atomicAdd(&result, __popc(__activemask()));
    }
}
__global__ void aggregated()
{
    if (threadIdx.x & 1) {
        unsigned mask = __activemask();
        int leader = __ffs(mask) - 1, base;
        if (threadIdx.x == leader) {
            base = atomicAdd(&result, __popc(mask));
        }
        cells[threadIdx.x] = __shfl_sync(mask, base, leader);
    }
}
__global__ void shuffles_meet()
{
    int v = threadIdx.x;
    if (threadIdx.x < 16) {
        v = __shfl_sync(~0u, v, 20);
    } else {
        v = __shfl_sync(~0u, v, 3);
    }
    atomicAdd(&result, v);
}
__global__ void shuffle_sources()
{
    int t = threadIdx.x;
    int beyond = __shfl_sync(~0u, t, 37), negative = __shfl_sync(~0u, t, -1);
    int of_eight = __shfl_sync(~0u, t, 9, 8), down = __shfl_down_sync(~0u, t, 40);
    int up = __shfl_up_sync(~0u, t, 33), crossed = __shfl_xor_sync(~0u, t, 40);
    atomicAdd(&result, beyond + negative + of_eight * 3 + down * 5 + up * 7 + crossed * 11);
}
__global__ void half_warps()
{
    int v = threadIdx.x;
    unsigned mask = threadIdx.x < 16 ? 0xffff : 0xffff0000;
    if (threadIdx.x < 16) {
        for (int offset = 8; offset != 0; offset >>= 1) {
            v += __shfl_down_sync(mask, v, offset);
        }
    } else {
        for (int offset = 8; offset != 0; offset >>= 1) {
            v += __shfl_down_sync(mask, v, offset);
        }
    }
    if (threadIdx.x % 16 == 0) {
        atomicAdd(&result, threadIdx.x == 0 ? v : v * 1000);
    }
}
__global__ void mask_of_ended()
{
    if (threadIdx.x < 16) {
        atomicAdd(&result, __shfl_sync(~0u, (int)threadIdx.x, 5));
    }
}
__global__ void mask_without_caller()
{
    atomicAdd(&result, __popc(__ballot_sync(0xffff, 1)));
}
__global__ void match()
{
    int all;
    unsigned any = __match_any_sync(~0u, (int)(threadIdx.x / 5));
    unsigned same = __match_all_sync(~0u, 3, &all);
    atomicAdd(&result, __popc(any) + (same == ~0u) + all);
}
__global__ void parts_of_a_warp()
{
    if (threadIdx.x < 16) {
        __syncwarp(0xffff);
        atomicAdd(&result, 1);
    } else {
        __syncwarp(0xffff0000);
        atomicAdd(&result, 100);
    }
}
__global__ void registers()
{
    unsigned lane, processor, processors, threads, below, from;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(processor));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(processors));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(threads));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(from));
    if (threadIdx.x == 4 && threadIdx.y == 5) {
        printf("lane %u of %u threads, masks: %x %x\n", lane, threads, below, from);
        result = processor < processors;
    }
}

// ---- Memory ----

__global__ void shared_zero()
{
    extern __shared__ int dynamic[];
    __shared__ int fixed[32];
    result = (dynamic[threadIdx.x] == 0) + 2 * (fixed[threadIdx.x] == 0);
}
__global__ void shared_addresses()
{
    __shared__ int fixed[4];
    extern __shared__ int dynamic[];
    fixed[threadIdx.x & 3] = 1;
    dynamic[threadIdx.x] = 2;
    if (threadIdx.x == 0) {
        result = (__cvta_generic_to_shared(fixed) < 65536) +
                 2 * ((char *)dynamic - (char *)fixed == 16) +
                 4 * ((__cvta_generic_to_shared(dynamic) & 15) == 0);
    }
}
__global__ void own_local(int *p)
{
    int x = threadIdx.x, **place = (int **)p;
    *place = &x;
    result = **(int *volatile *)place == 0;
}
__global__ void null(int *)
{
    *(volatile int *)0 = 1;
}
__global__ void just_beyond(int *p)
{
    p[threadIdx.x + 1000] = 1;
}
__global__ void far_shared()
{
    __shared__ int s[4];
    volatile int *v = s;
    result = v[threadIdx.x + 100000];
}
__global__ void misaligned(int *p)
{
    *(volatile int *)((char *)p + 1) = 5;
    result = 1;
}
__global__ void trap()
{
    if (threadIdx.x == 3) {
        __trap();
    }
}
__device__ __noinline__ int recurse(int n, volatile int *a)
{
    volatile int b[64];
    b[n & 63] = n;
    return n == 0 ? b[0] : recurse(n - 1, b) + b[(n * 7) & 63] + a[0];
}
__global__ void deep(int n)
{
    volatile int a[1];
    a[0] = 0;
    result = recurse(n, a) != 12345;
}
__global__ void constant(const int *p)
{
    *(int *)p = 3;
}

// ---- Trees ----

__global__ void tree(int depth)
{
    if (depth == 0) {
        atomicAdd(&result, 1);
    } else if (threadIdx.x < 2) {
        tree<<<1, 4>>>(depth - 1);
    }
}
__global__ void tails(int depth)
{
    atomicAdd(&result, depth);
    if (depth != 0 && threadIdx.x == 0) {
        tails<<<1, 2, 0, cudaStreamTailLaunch>>>(depth - 1);
        tails<<<1, 1, 0, cudaStreamFireAndForget>>>(0);
    }
}
__global__ void set_flag()
{
    ((volatile int *)flags)[0] = 1;
}
__global__ void poll_for_child()
{
    set_flag<<<1, 1, 0, cudaStreamFireAndForget>>>();
    while (((volatile int *)flags)[0] == 0) {
    }
    result = 6;
}
__global__ void bad_child()
{
    tree<<<1, 2048>>>(0);
    result = cudaGetLastError();
}

static void run(const char *name, int *p)
{
#define RUN(kernel, arguments, ...)                                                                \
    if (strcmp(name, #kernel) == 0) {                                                              \
        kernel<<<__VA_ARGS__>>> arguments;                                                         \
        return;                                                                                    \
    }
    RUN(lock_in_loop, (), 4, 64)
    RUN(lock_alone, (), 4, 64)
    RUN(trylock, (), 4, 64)
    RUN(flag_of_lane, (), 1, 32)
    RUN(flag_by_atomics, (), 1, 32)
    RUN(flag_of_block, (), 64, 32)
    RUN(grid_barrier, (), 64, 128)
    RUN(grid_barriers, (), 120, 64)
    RUN(chain, (), 1000, 32)
    RUN(chain_backwards, (), 120, 32)
    RUN(queue, (), 8, 64)
    RUN(last_block, (), 100, 32)
    RUN(nanosleep, (), 32, 32)
    RUN(poll_with_fence, (), 2, 32)
    RUN(poll_ldcg, (), 2, 32)
    RUN(clocks, (), 1, 32)
    RUN(volatile_reduction, (), 1, 32)
    RUN(lockstep, (), 1, 32)
    RUN(barrier_in_branches, (), 1, 64)
    RUN(barrier_in_part, (), 1, 64)
    RUN(barrier_in_a_warp, (), 1, 64)
    RUN(active_mask, (), 1, 64)
    RUN(aggregated, (), 1, 32)
    RUN(shuffles_meet, (), 1, 32)
    RUN(shuffle_sources, (), 1, 32)
    RUN(half_warps, (), 1, 32)
    RUN(mask_of_ended, (), 1, 32)
    RUN(mask_without_caller, (), 1, 32)
    RUN(match, (), 1, 64)
    RUN(parts_of_a_warp, (), 1, 32)
    RUN(registers, (), 1, dim3(5, 7))
    RUN(shared_zero, (), 1, 32, 1024)
    RUN(shared_addresses, (), 1, 32, 1024)
    RUN(own_local, (p), 1, 1)
    RUN(null, (p), 1, 1)
    RUN(just_beyond, (p), 1, 32)
    RUN(far_shared, (), 1, 32)
    RUN(misaligned, (p), 1, 1)
    RUN(trap, (), 1, 4)
    RUN(deep, (3), 1, 1)
    RUN(tree, (6), 1, 4)
    RUN(tails, (5), 1, 2)
    RUN(poll_for_child, (), 1, 1)
    RUN(bad_child, (), 1, 1)
    if (strcmp(name, "deeper") == 0) {
        deep<<<1, 1>>>(100000);
    } else if (strcmp(name, "constant") == 0) {
        void *address;
        cudaGetSymbolAddress(&address, constants);
        constant<<<1, 1>>>((int *)address);
    }
}

int main(int argc, char **argv)
{
    begin();
    int *p;
    cudaMalloc(&p, 4096);
    run(argc > 1 ? argv[1] : "", p);
    TELL("launch", cudaGetLastError());
    cudaError_t error = cudaDeviceSynchronize();
    TELL("host synchronizes", error);
    if (error == cudaSuccess) {
        int number = -999;
        cudaMemcpyFromSymbol(&number, result, sizeof number);
        NUMBER("result", number);
    }
}
