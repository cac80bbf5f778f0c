/* Barriers, fences, warp operations, and some special reads of a running thread. Functions without
 * a body are lowered by cdpcc or defined by the runtime. */
#ifndef __CDP_SYNC_H
#define __CDP_SYNC_H

#include "builtin_vars.h"

/* Control must not be duplicated or moved around these. */
#define __CDP_CONVERGENT __CDP_DEVICE_ABI __attribute__((__convergent__))

/* clang knows this name as a builtin, and does not allow nothrow on it. */
extern "C" __device__ __attribute__((__convergent__)) void __syncthreads(void);
__CDP_CONVERGENT int __syncthreads_count(int __predicate);
__CDP_CONVERGENT int __syncthreads_and(int __predicate);
__CDP_CONVERGENT int __syncthreads_or(int __predicate);
__CDP_CONVERGENT void __cdp_barrier(unsigned int __id, unsigned int __threads);
__CDP_CONVERGENT void __cdp_barrier_arrive(unsigned int __id, unsigned int __threads);
__CDP_CONVERGENT unsigned int __cdp_barrier_reduce(unsigned int __id, unsigned int __threads,
                                                   int __predicate, int __op);
__CDP_CONVERGENT void __cdp_tile_sync(unsigned int __size);
__CDP_DEVICE_ABI void __cdp_grid_wait();
__CDP_DEVICE_ABI unsigned int __cdp_grid_is_cooperative();
__CDP_CONVERGENT void __cdp_syncwarp(unsigned int __mask);
__CDP_CONVERGENT unsigned int __cdp_shfl32(unsigned int __mask, unsigned int __v,
                                           unsigned int __lane, unsigned int __width, int __mode,
                                           int *__pred);
__CDP_CONVERGENT unsigned long long __cdp_shfl64(unsigned int __mask, unsigned long long __v,
                                                 unsigned int __lane, unsigned int __width,
                                                 int __mode, int *__pred);
__CDP_CONVERGENT unsigned int __activemask(void);
__CDP_CONVERGENT unsigned int __ballot_sync(unsigned int __mask, int __predicate);
__CDP_CONVERGENT unsigned int __match_any32(unsigned int __mask, unsigned int __v);
__CDP_CONVERGENT unsigned int __match_any64(unsigned int __mask, unsigned long long __v);
__CDP_CONVERGENT unsigned int __match_all32(unsigned int __mask, unsigned int __v, int *__pred);
__CDP_CONVERGENT unsigned int __match_all64(unsigned int __mask, unsigned long long __v,
                                            int *__pred);
__CDP_CONVERGENT unsigned int __cdp_reduce32(unsigned int __mask, unsigned int __v, int __op);
__CDP_DEVICE_ABI unsigned int __cdp_smid(void);
__CDP_DEVICE_ABI unsigned int __cdp_nsmid(void);
__CDP_DEVICE_ABI unsigned long long __cdp_globaltimer(void);
__CDP_DEVICE_ABI void __nanosleep(unsigned int __ns);
__CDP_DEVICE_ABI void __trap(void) __attribute__((__noreturn__));
__CDP_DEVICE_ABI void __brkpt(void);
__CDP_DEVICE_ABI unsigned int __isGlobal(const void *__ptr);
__CDP_DEVICE_ABI unsigned int __isShared(const void *__ptr);
__CDP_DEVICE_ABI unsigned int __isConstant(const void *__ptr);
__CDP_DEVICE_ABI unsigned int __isLocal(const void *__ptr);
__CDP_DEVICE_ABI unsigned int __isGridConstant(const void *__ptr);
#undef __CDP_CONVERGENT

/* All functions from here on are inlined without line information: a thread that waits does so at
 * the program's line. */

/* ---- Barriers and fences ---- */

/* Every thread of a block runs on one processor of a coherent machine, so the three scopes are the
 * same. */
__CDP_PART_INLINE void __threadfence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
__CDP_PART_INLINE void __threadfence_block(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
__CDP_PART_INLINE void __threadfence_system(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
__CDP_PART_INLINE void __syncwarp(unsigned int __mask = 0xffffffffu)
{
    __cdp_syncwarp(__mask);
}
/* A count of 0 means all threads of the block. */
__CDP_PART_INLINE void __barrier_sync(unsigned int __id)
{
    __cdp_barrier(__id, 0);
}
__CDP_PART_INLINE void __barrier_sync_count(unsigned int __id, unsigned int __threads)
{
    __cdp_barrier(__id, __threads);
}
#define __pm0() ((void)0)
#define __pm1() ((void)0)
#define __pm2() ((void)0)
#define __pm3() ((void)0)
#define __prof_trigger(counter) ((void)(counter))

/* ---- Votes ---- */

__CDP_PART_INLINE int __all_sync(unsigned int __mask, int __predicate)
{
    return __ballot_sync(__mask, !__predicate) == 0;
}
__CDP_PART_INLINE int __any_sync(unsigned int __mask, int __predicate)
{
    return __ballot_sync(__mask, __predicate) != 0;
}
__CDP_PART_INLINE int __uni_sync(unsigned int __mask, int __predicate)
{
    const unsigned int __yes = __ballot_sync(__mask, __predicate),
                       __no = __ballot_sync(__mask, !__predicate);
    return __yes == 0 || __no == 0;
}
/* Without _sync: removed from nvcc for sm_70 and later, still used in teaching code. */
__CDP_PART_INLINE int __all(int __predicate)
{
    return __all_sync(__activemask(), __predicate);
}
__CDP_PART_INLINE int __any(int __predicate)
{
    return __any_sync(__activemask(), __predicate);
}
__CDP_PART_INLINE unsigned int __ballot(int __predicate)
{
    return __ballot_sync(__activemask(), __predicate);
}

/* ---- Shuffles ---- */

/* Like enum cdp_abi_shuffle. */
enum { __cdp_shfl_idx, __cdp_shfl_up, __cdp_shfl_down, __cdp_shfl_xor };
template <int __size> struct __cdp_shfl_word { /* up to 4 bytes */
    typedef unsigned int __type;
    static inline __device__ __CDP_PART __type __move(unsigned int __mask, __type __v,
                                                      unsigned int __lane, int __width, int __mode)
    {
        __attribute__((__uninitialized__)) int __in_range;
        return __cdp_shfl32(__mask, __v, __lane, (unsigned int)__width, __mode, &__in_range);
    }
};
template <> struct __cdp_shfl_word<8> {
    typedef unsigned long long __type;
    static inline __device__ __CDP_PART __type __move(unsigned int __mask, __type __v,
                                                      unsigned int __lane, int __width, int __mode)
    {
        __attribute__((__uninitialized__)) int __in_range;
        return __cdp_shfl64(__mask, __v, __lane, (unsigned int)__width, __mode, &__in_range);
    }
};
template <class __T>
__device__ __CDP_PART inline __T __cdp_shfl(unsigned int __mask, __T __v, unsigned int __lane,
                                            int __width, int __mode)
{
    static_assert(sizeof(__T) <= 4 || sizeof(__T) == 8, "a shuffle moves 1, 2, 4 or 8 bytes");
    typedef __cdp_shfl_word<sizeof(__T)> __word_of;
    typename __word_of::__type __word = 0;
    __builtin_memcpy(&__word, (const void *)&__v, sizeof(__T));
    __word = __word_of::__move(__mask, __word, __lane, __width, __mode);
    __builtin_memcpy((void *)&__v, &__word, sizeof(__T));
    return __v;
}
#define __CDP_SHFL_FORM(T, name, mode, L)                                                          \
    __CDP_PART_INLINE T name##_sync(unsigned int __mask, T __v, L __lane, int __width = 32)        \
    {                                                                                              \
        return __cdp_shfl(__mask, __v, (unsigned int)__lane, __width, mode);                       \
    }                                                                                              \
    __CDP_PART_INLINE T name(T __v, L __lane, int __width = 32)                                    \
    {                                                                                              \
        return __cdp_shfl(__activemask(), __v, (unsigned int)__lane, __width, mode);               \
    }
/* cuda_fp16.h and cuda_bf16.h use this for their own types. */
#define __CDP_SHFL(T)                                                                              \
    __CDP_SHFL_FORM(T, __shfl, __cdp_shfl_idx, int)                                                \
    __CDP_SHFL_FORM(T, __shfl_up, __cdp_shfl_up, unsigned int)                                     \
    __CDP_SHFL_FORM(T, __shfl_down, __cdp_shfl_down, unsigned int)                                 \
    __CDP_SHFL_FORM(T, __shfl_xor, __cdp_shfl_xor, int)

/* ---- Match ---- */

#define __CDP_MATCH(T, U, bits)                                                                    \
    __CDP_PART_INLINE unsigned int __match_any_sync(unsigned int __mask, T __v)                    \
    {                                                                                              \
        return __match_any##bits(__mask, __builtin_bit_cast(U, __v));                              \
    }                                                                                              \
    __CDP_PART_INLINE unsigned int __match_all_sync(unsigned int __mask, T __v, int *__pred)       \
    {                                                                                              \
        return __match_all##bits(__mask, __builtin_bit_cast(U, __v), __pred);                      \
    }
#define __CDP_SHFL_MATCH(T, U, bits) __CDP_SHFL(T) __CDP_MATCH(T, U, bits)
__CDP_SHFL_MATCH(int, unsigned int, 32)
__CDP_SHFL_MATCH(unsigned int, unsigned int, 32)
__CDP_SHFL_MATCH(float, unsigned int, 32)
__CDP_SHFL_MATCH(long, unsigned long long, 64)
__CDP_SHFL_MATCH(unsigned long, unsigned long long, 64)
__CDP_SHFL_MATCH(long long, unsigned long long, 64)
__CDP_SHFL_MATCH(unsigned long long, unsigned long long, 64)
__CDP_SHFL_MATCH(double, unsigned long long, 64)
#undef __CDP_SHFL_MATCH
#undef __CDP_MATCH

/* ---- Reductions ---- */

/* Like enum cdp_abi_reduce. */
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
#define __CDP_REDUCE(name, T, op)                                                                  \
    __CDP_PART_INLINE T name(unsigned int __mask, T __v)                                           \
    {                                                                                              \
        return (T)__cdp_reduce32(__mask, (unsigned int)__v, op);                                   \
    }
__CDP_REDUCE(__reduce_add_sync, unsigned int, __cdp_reduce_add)
__CDP_REDUCE(__reduce_min_sync, unsigned int, __cdp_reduce_umin)
__CDP_REDUCE(__reduce_max_sync, unsigned int, __cdp_reduce_umax)
__CDP_REDUCE(__reduce_add_sync, int, __cdp_reduce_add)
__CDP_REDUCE(__reduce_min_sync, int, __cdp_reduce_smin)
__CDP_REDUCE(__reduce_max_sync, int, __cdp_reduce_smax)
__CDP_REDUCE(__reduce_and_sync, unsigned int, __cdp_reduce_and)
__CDP_REDUCE(__reduce_or_sync, unsigned int, __cdp_reduce_or)
__CDP_REDUCE(__reduce_xor_sync, unsigned int, __cdp_reduce_xor)
#undef __CDP_REDUCE

/* ---- Address spaces: there is only one, so conversions are casts ---- */

#define __CDP_CVTA(space)                                                                          \
    __CDP_PART_INLINE size_t __cvta_generic_to_##space(const void *__ptr)                          \
    {                                                                                              \
        return (size_t)__ptr;                                                                      \
    }                                                                                              \
    __CDP_PART_INLINE void *__cvta_##space##_to_generic(size_t __address)                          \
    {                                                                                              \
        return (void *)__address;                                                                  \
    }
__CDP_CVTA(global)
__CDP_CVTA(shared)
__CDP_CVTA(constant)
__CDP_CVTA(local)
__CDP_CVTA(grid_constant)
#undef __CDP_CVTA

#endif
