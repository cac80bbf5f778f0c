// races: polls and chains by volatile and plain loads
// A thread polls, by each load that CUDA has for it, for a store by a thread of another block or of
// its own warp. With one worker and with several, the other thread gets to run.
#include <cstdio>

__device__ int ld_cg(int *p)
{
    int v;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}
__device__ int ld_plain(int *p)
{
    int v;
    asm volatile("ld.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int ld_pair(int *p)
{
    int v, w;
    asm volatile("ld.global.cv.v2.s32 {%0, %1}, [%2];" : "=r"(v), "=r"(w) : "l"(p));
    return v;
}
__device__ int ld_relaxed(int *p)
{
    int v;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int ld_acquire(int *p)
{
    int v;
    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int ld_volatile(int *p)
{
    int v;
    asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int behind(int *p)
{
    asm volatile("" ::: "memory");
    return *p;
}
template<class T> __device__ int first_of(T v)
{
    return v.x != 0;
}

// A table: name and expression of int *p.
#define LOADS(LOAD)                                                                                \
    LOAD(volatile_, *(volatile int *)p)                                                            \
    LOAD(ldca, __ldca(p))                                                                          \
    LOAD(ldcg, __ldcg(p))                                                                          \
    LOAD(ldcs, __ldcs(p))                                                                          \
    LOAD(ldlu, __ldlu(p))                                                                          \
    LOAD(ldcv, __ldcv(p))                                                                          \
    LOAD(ldcg_byte, __ldcg((const signed char *)p))                                                \
    LOAD(ldcg_pair, first_of(__ldcg((const short2 *)p)))                                           \
    LOAD(ldcg_four, first_of(__ldcg((const int4 *)p)))                                             \
    LOAD(ldcg_double, first_of(__ldcg((const longlong2 *)p)))                                      \
    LOAD(atomic_add, atomicAdd(p, 0))                                                              \
    LOAD(atomic_cas, atomicCAS(p, 5, 5))                                                           \
    LOAD(nv_relaxed, __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE))         \
    LOAD(acquire, __atomic_load_n(p, __ATOMIC_ACQUIRE))                                            \
    LOAD(asm_cg, ld_cg(p))                                                                         \
    LOAD(asm_plain, ld_plain(p))                                                                   \
    LOAD(asm_pair, ld_pair(p))                                                                     \
    LOAD(asm_relaxed, ld_relaxed(p))                                                               \
    LOAD(asm_acquire, ld_acquire(p))                                                               \
    LOAD(asm_volatile, ld_volatile(p))                                                             \
    LOAD(fence, (__threadfence(), *p))                                                             \
    LOAD(block_fence, (__threadfence_block(), *p))                                                 \
    LOAD(system_fence, (__threadfence_system(), *p))                                               \
    LOAD(compiler_fence, behind(p))                                                                \
    LOAD(nanosleep, (__nanosleep(20), *p))

#define DEFINE(name, expression)                                                                   \
    __device__ int load_##name(int *p)                                                             \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    __global__ void blocks_##name(int *p, int *out)                                                \
    {                                                                                              \
        if (blockIdx.x == 0 && threadIdx.x == 0) {                                                 \
            while (load_##name(p) == 0) {                                                          \
            }                                                                                      \
            *out += 1;                                                                             \
        } else if (blockIdx.x == 1 && threadIdx.x == 5) {                                          \
            __stcg(p, 1);                                                                          \
        }                                                                                          \
    }                                                                                              \
    __global__ void threads_##name(int *p, int *out)                                               \
    {                                                                                              \
        if (threadIdx.x == 0) {                                                                    \
            while (load_##name(p) == 0) {                                                          \
            }                                                                                      \
            *out += 1;                                                                             \
        } else if (threadIdx.x == 31) {                                                            \
            __stcg(p, 1);                                                                          \
        }                                                                                          \
    }
LOADS(DEFINE)

static int *place, *out;
static void run(const char *name, void (*blocks)(int *, int *), void (*threads)(int *, int *))
{
    *place = *out = 0;
    blocks<<<2, 32>>>(place, out);
    cudaDeviceSynchronize();
    *place = 0;
    threads<<<1, 32>>>(place, out);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %d (%s)\n", name, *out, cudaGetErrorName(error));
}
int main()
{
    cudaMallocManaged(&place, 64);
    cudaMallocManaged(&out, sizeof *out);
#define RUN(name, expression) run(#name, blocks_##name, threads_##name);
    LOADS(RUN)
}
