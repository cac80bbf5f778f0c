/* Loads and stores with cache hints.
 *
 * __ldg is for what nobody writes while the kernel runs, and a plain load.  The others read memory
 * each time, as programs poll by them: relaxed atomic loads, torn no more than the hardware's; the
 * mark lets cdpcc make plain ones of them where nothing polls. */
#ifndef CDP_LOAD_H
#define CDP_LOAD_H

#include "../vector_types.h"

#define CDP_CACHED __attribute__((annotate("cdp.cached")))

/* How words are read: at once, or one member after the other where that cannot be. */
#define CDP_LOAD_WHOLE(T)                                                                          \
    T v;                                                                                           \
    __atomic_load(p, &v, __ATOMIC_RELAXED);                                                        \
    return v;
#define CDP_LOAD_2(T)                                                                              \
    T v;                                                                                           \
    __atomic_load(&p->x, &v.x, __ATOMIC_RELAXED);                                                  \
    __atomic_load(&p->y, &v.y, __ATOMIC_RELAXED);                                                  \
    return v;
#define CDP_LOAD_4(T)                                                                              \
    T v;                                                                                           \
    __atomic_load(&p->x, &v.x, __ATOMIC_RELAXED);                                                  \
    __atomic_load(&p->y, &v.y, __ATOMIC_RELAXED);                                                  \
    __atomic_load(&p->z, &v.z, __ATOMIC_RELAXED);                                                  \
    __atomic_load(&p->w, &v.w, __ATOMIC_RELAXED);                                                  \
    return v;

#define CDP_LOAD_BY(T, how)                                                                        \
    CDP_DEVICE_INLINE T __ldg(const T *p)                                                          \
    {                                                                                              \
        return *p;                                                                                 \
    }                                                                                              \
    CDP_CACHED CDP_DEVICE_INLINE T __ldca(const T *p){how(T)} CDP_CACHED CDP_DEVICE_INLINE T       \
        __ldcg(const T *p){how(T)} CDP_CACHED CDP_DEVICE_INLINE T __ldcs(const T *p){              \
            how(T)} CDP_CACHED CDP_DEVICE_INLINE T __ldlu(const T *p){how(T)}                      \
    /* "don't cache, fetch again" */                                                               \
    CDP_DEVICE_INLINE T __ldcv(const T *p){how(T)} CDP_DEVICE_INLINE void __stwb(T *p, T v)        \
    {                                                                                              \
        *p = v;                                                                                    \
    }                                                                                              \
    CDP_DEVICE_INLINE void __stcg(T *p, T v)                                                       \
    {                                                                                              \
        *p = v;                                                                                    \
    }                                                                                              \
    CDP_DEVICE_INLINE void __stcs(T *p, T v)                                                       \
    {                                                                                              \
        *p = v;                                                                                    \
    }                                                                                              \
    CDP_DEVICE_INLINE void __stwt(T *p, T v)                                                       \
    {                                                                                              \
        *p = v;                                                                                    \
    }
/* cuda_fp16.h and cuda_bf16.h use this for their own types. */
#define CDP_LOAD(T) CDP_LOAD_BY(T, CDP_LOAD_WHOLE)
CDP_LOAD(char)
CDP_LOAD(signed char)
CDP_LOAD(unsigned char)
CDP_LOAD(short)
CDP_LOAD(unsigned short)
CDP_LOAD(int)
CDP_LOAD(unsigned int)
CDP_LOAD(long)
CDP_LOAD(unsigned long)
CDP_LOAD(long long)
CDP_LOAD(unsigned long long)
CDP_LOAD(float)
CDP_LOAD(double)
CDP_LOAD(char2)
CDP_LOAD(char4)
CDP_LOAD(uchar2)
CDP_LOAD(uchar4)
CDP_LOAD(short2)
CDP_LOAD(short4)
CDP_LOAD(ushort2)
CDP_LOAD(ushort4)
CDP_LOAD(int2)
CDP_LOAD_BY(int4, CDP_LOAD_4)
CDP_LOAD(uint2)
CDP_LOAD_BY(uint4, CDP_LOAD_4)
CDP_LOAD_BY(longlong2, CDP_LOAD_2)
CDP_LOAD_BY(ulonglong2, CDP_LOAD_2)
CDP_LOAD(float2)
CDP_LOAD_BY(float4, CDP_LOAD_4)
CDP_LOAD_BY(double2, CDP_LOAD_2)
template <class T> CDP_DEVICE_INLINE T *__ldg(T *const *p)
{
    return *p;
}

#endif
