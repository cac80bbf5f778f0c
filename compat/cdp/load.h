/* Loads and stores with cache hints, which are plain ones here. */
#ifndef CDP_LOAD_H
#define CDP_LOAD_H

#include "../vector_types.h"

/* cuda_fp16.h and cuda_bf16.h use this for their own types. */
#define CDP_LOAD(T)                                                                                \
    CDP_DEVICE_INLINE T __ldg(const T *p)                                                          \
    {                                                                                              \
        return *p;                                                                                 \
    }                                                                                              \
    CDP_DEVICE_INLINE T __ldca(const T *p)                                                         \
    {                                                                                              \
        return *p;                                                                                 \
    }                                                                                              \
    CDP_DEVICE_INLINE T __ldcg(const T *p)                                                         \
    {                                                                                              \
        return *p;                                                                                 \
    }                                                                                              \
    CDP_DEVICE_INLINE T __ldcs(const T *p)                                                         \
    {                                                                                              \
        return *p;                                                                                 \
    }                                                                                              \
    CDP_DEVICE_INLINE T __ldlu(const T *p)                                                         \
    {                                                                                              \
        return *p;                                                                                 \
    }                                                                                              \
    /* "don't cache, fetch again": programs spin on it. */                                         \
    CDP_DEVICE_INLINE T __ldcv(const T *p)                                                         \
    {                                                                                              \
        __atomic_signal_fence(__ATOMIC_SEQ_CST);                                                   \
        return *p;                                                                                 \
    }                                                                                              \
    CDP_DEVICE_INLINE void __stwb(T *p, T v)                                                       \
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
CDP_LOAD(int4)
CDP_LOAD(uint2)
CDP_LOAD(uint4)
CDP_LOAD(longlong2)
CDP_LOAD(ulonglong2)
CDP_LOAD(float2)
CDP_LOAD(float4)
CDP_LOAD(double2)
template <class T> CDP_DEVICE_INLINE T *__ldg(T *const *p)
{
    return *p;
}

#endif
