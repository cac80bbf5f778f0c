/* Barriers, fences, warp operations, and the odd reads of a running thread.
 * What has no body is lowered by cdpcc or defined by the runtime. */
#ifndef CDP_SYNC_H
#define CDP_SYNC_H

#include "builtin_vars.h"

/* Control must not be duplicated or moved around these. */
#define CDP_CONVERGENT CDP_DEVICE_ABI __attribute__((convergent))

/* clang knows this name as a builtin and allows no nothrow on it. */
extern "C" __device__ __attribute__((convergent)) void __syncthreads(void);
CDP_CONVERGENT int __syncthreads_count(int predicate);
CDP_CONVERGENT int __syncthreads_and(int predicate);
CDP_CONVERGENT int __syncthreads_or(int predicate);
CDP_CONVERGENT void __cdp_barrier(unsigned int id, unsigned int threads);
CDP_CONVERGENT void __cdp_barrier_arrive(unsigned int id, unsigned int threads);
CDP_CONVERGENT unsigned int __cdp_barrier_reduce(unsigned int id, unsigned int threads,
                                                 int predicate, int op);
CDP_CONVERGENT void __cdp_tile_sync(unsigned int size);
CDP_CONVERGENT void __cdp_syncwarp(unsigned int mask);
CDP_CONVERGENT unsigned int __cdp_shfl32(unsigned int mask, unsigned int v, unsigned int lane,
                                         unsigned int width, int mode, int *pred);
CDP_CONVERGENT unsigned long long __cdp_shfl64(unsigned int mask, unsigned long long v,
                                               unsigned int lane, unsigned int width, int mode,
                                               int *pred);
CDP_CONVERGENT unsigned int __activemask(void);
CDP_CONVERGENT unsigned int __ballot_sync(unsigned int mask, int predicate);
CDP_CONVERGENT unsigned int __match_any32(unsigned int mask, unsigned int v);
CDP_CONVERGENT unsigned int __match_any64(unsigned int mask, unsigned long long v);
CDP_CONVERGENT unsigned int __match_all32(unsigned int mask, unsigned int v, int *pred);
CDP_CONVERGENT unsigned int __match_all64(unsigned int mask, unsigned long long v, int *pred);
CDP_CONVERGENT unsigned int __cdp_reduce32(unsigned int mask, unsigned int v, int op);
CDP_DEVICE_ABI unsigned int __cdp_smid(void);
CDP_DEVICE_ABI unsigned long long __cdp_globaltimer(void);
CDP_DEVICE_ABI void __nanosleep(unsigned int ns);
CDP_DEVICE_ABI void __trap(void) __attribute__((noreturn));
CDP_DEVICE_ABI void __brkpt(void);
CDP_DEVICE_ABI unsigned int __isGlobal(const void *ptr);
CDP_DEVICE_ABI unsigned int __isShared(const void *ptr);
CDP_DEVICE_ABI unsigned int __isConstant(const void *ptr);
CDP_DEVICE_ABI unsigned int __isLocal(const void *ptr);
CDP_DEVICE_ABI unsigned int __isGridConstant(const void *ptr);
#undef CDP_CONVERGENT

/* Everything from here on is part of its caller, also for debuggers and for reports of
 * where a thread waits: the line is the program's own. */
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

/* ---- Barriers and fences ---- */

/* Every thread of a block runs on one processor of a coherent machine, so that
 * the three scopes are one. */
CDP_DEVICE_INLINE void __threadfence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
CDP_DEVICE_INLINE void __threadfence_block(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
CDP_DEVICE_INLINE void __threadfence_system(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
CDP_DEVICE_INLINE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    __cdp_syncwarp(mask);
}
/* A count of 0 stands for all threads of the block. */
CDP_DEVICE_INLINE void __barrier_sync(unsigned int id)
{
    __cdp_barrier(id, 0);
}
CDP_DEVICE_INLINE void __barrier_sync_count(unsigned int id, unsigned int threads)
{
    __cdp_barrier(id, threads);
}
#define __pm0() ((void)0)
#define __pm1() ((void)0)
#define __pm2() ((void)0)
#define __pm3() ((void)0)
#define __prof_trigger(counter) ((void)(counter))

/* ---- Votes ---- */

CDP_DEVICE_INLINE int __all_sync(unsigned int mask, int predicate)
{
    return __ballot_sync(mask, !predicate) == 0;
}
CDP_DEVICE_INLINE int __any_sync(unsigned int mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}
CDP_DEVICE_INLINE int __uni_sync(unsigned int mask, int predicate)
{
    const unsigned int yes = __ballot_sync(mask, predicate), no = __ballot_sync(mask, !predicate);
    return yes == 0 || no == 0;
}
/* Without _sync: gone from nvcc for sm_70 and later, still in teaching code. */
CDP_DEVICE_INLINE int __all(int predicate)
{
    return __all_sync(__activemask(), predicate);
}
CDP_DEVICE_INLINE int __any(int predicate)
{
    return __any_sync(__activemask(), predicate);
}
CDP_DEVICE_INLINE unsigned int __ballot(int predicate)
{
    return __ballot_sync(__activemask(), predicate);
}

/* ---- Shuffles ---- */

/* As enum cdp_abi_shuffle. */
enum { __cdp_shfl_idx, __cdp_shfl_up, __cdp_shfl_down, __cdp_shfl_xor };
template <int size> struct __cdp_shfl_word { /* up to 4 bytes */
    typedef unsigned int type;
    __device__ static __forceinline__ type move(unsigned int mask, type v, unsigned int lane,
                                                int width, int mode)
    {
        [[clang::uninitialized]] int in_range;
        return __cdp_shfl32(mask, v, lane, (unsigned int)width, mode, &in_range);
    }
};
template <> struct __cdp_shfl_word<8> {
    typedef unsigned long long type;
    __device__ static __forceinline__ type move(unsigned int mask, type v, unsigned int lane,
                                                int width, int mode)
    {
        [[clang::uninitialized]] int in_range;
        return __cdp_shfl64(mask, v, lane, (unsigned int)width, mode, &in_range);
    }
};
template <class T>
__device__ __forceinline__ T __cdp_shfl(unsigned int mask, T v, unsigned int lane, int width,
                                        int mode)
{
    static_assert(sizeof(T) <= 4 || sizeof(T) == 8, "a shuffle moves 1, 2, 4 or 8 bytes");
    typedef __cdp_shfl_word<sizeof(T)> word_of;
    typename word_of::type word = 0;
    __builtin_memcpy(&word, (const void *)&v, sizeof(T));
    word = word_of::move(mask, word, lane, width, mode);
    __builtin_memcpy((void *)&v, &word, sizeof(T));
    return v;
}
#define CDP_SHFL_INLINE CDP_DEVICE_INLINE __attribute__((always_inline, nodebug))
#define CDP_SHFL_FORM(T, name, mode, L)                                                            \
    CDP_SHFL_INLINE T name##_sync(unsigned int mask, T v, L lane, int width = 32)                  \
    {                                                                                              \
        return __cdp_shfl(mask, v, (unsigned int)lane, width, mode);                               \
    }                                                                                              \
    CDP_SHFL_INLINE T name(T v, L lane, int width = 32)                                            \
    {                                                                                              \
        return __cdp_shfl(__activemask(), v, (unsigned int)lane, width, mode);                     \
    }
/* cuda_fp16.h and cuda_bf16.h use this for their own types. */
#define CDP_SHFL(T)                                                                                \
    CDP_SHFL_FORM(T, __shfl, __cdp_shfl_idx, int)                                                  \
    CDP_SHFL_FORM(T, __shfl_up, __cdp_shfl_up, unsigned int)                                       \
    CDP_SHFL_FORM(T, __shfl_down, __cdp_shfl_down, unsigned int)                                   \
    CDP_SHFL_FORM(T, __shfl_xor, __cdp_shfl_xor, int)

/* ---- Match ---- */

#define CDP_MATCH(T, U, bits)                                                                      \
    CDP_DEVICE_INLINE unsigned int __match_any_sync(unsigned int mask, T v)                        \
    {                                                                                              \
        return __match_any##bits(mask, __builtin_bit_cast(U, v));                                  \
    }                                                                                              \
    CDP_DEVICE_INLINE unsigned int __match_all_sync(unsigned int mask, T v, int *pred)             \
    {                                                                                              \
        return __match_all##bits(mask, __builtin_bit_cast(U, v), pred);                            \
    }
#define CDP_SHFL_MATCH(T, U, bits) CDP_SHFL(T) CDP_MATCH(T, U, bits)
CDP_SHFL_MATCH(int, unsigned int, 32)
CDP_SHFL_MATCH(unsigned int, unsigned int, 32)
CDP_SHFL_MATCH(float, unsigned int, 32)
CDP_SHFL_MATCH(long, unsigned long long, 64)
CDP_SHFL_MATCH(unsigned long, unsigned long long, 64)
CDP_SHFL_MATCH(long long, unsigned long long, 64)
CDP_SHFL_MATCH(unsigned long long, unsigned long long, 64)
CDP_SHFL_MATCH(double, unsigned long long, 64)
#undef CDP_SHFL_MATCH
#undef CDP_MATCH

/* ---- Reductions ---- */

/* As enum cdp_abi_reduce. */
enum {
    __cdp_reduce_add,
    __cdp_reduce_umin,
    __cdp_reduce_umax,
    __cdp_reduce_smin,
    __cdp_reduce_smax,
    __cdp_reduce_and,
    __cdp_reduce_or,
    __cdp_reduce_xor
};
#define CDP_REDUCE(name, T, op)                                                                    \
    CDP_DEVICE_INLINE T name(unsigned int mask, T v)                                               \
    {                                                                                              \
        return (T)__cdp_reduce32(mask, (unsigned int)v, op);                                       \
    }
CDP_REDUCE(__reduce_add_sync, unsigned int, __cdp_reduce_add)
CDP_REDUCE(__reduce_min_sync, unsigned int, __cdp_reduce_umin)
CDP_REDUCE(__reduce_max_sync, unsigned int, __cdp_reduce_umax)
CDP_REDUCE(__reduce_add_sync, int, __cdp_reduce_add)
CDP_REDUCE(__reduce_min_sync, int, __cdp_reduce_smin)
CDP_REDUCE(__reduce_max_sync, int, __cdp_reduce_smax)
CDP_REDUCE(__reduce_and_sync, unsigned int, __cdp_reduce_and)
CDP_REDUCE(__reduce_or_sync, unsigned int, __cdp_reduce_or)
CDP_REDUCE(__reduce_xor_sync, unsigned int, __cdp_reduce_xor)
#undef CDP_REDUCE

/* ---- Address spaces: all are one, so conversions are casts ---- */

#define CDP_CVTA(space)                                                                            \
    CDP_DEVICE_INLINE size_t __cvta_generic_to_##space(const void *ptr)                            \
    {                                                                                              \
        return (size_t)ptr;                                                                        \
    }                                                                                              \
    CDP_DEVICE_INLINE void *__cvta_##space##_to_generic(size_t address)                            \
    {                                                                                              \
        return (void *)address;                                                                    \
    }
CDP_CVTA(global)
CDP_CVTA(shared)
CDP_CVTA(constant)
CDP_CVTA(local)
CDP_CVTA(grid_constant)
#undef CDP_CVTA

#pragma clang attribute pop
#pragma clang attribute pop

#endif
