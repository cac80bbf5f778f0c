/* Loads and stores with cache hints.
 *
 * __ldg is for memory that no thread writes while the kernel runs, and is a plain load. The others
 * read memory each time, because programs poll with them: relaxed atomic loads, torn no more than
 * the hardware's. The mark lets cdpcc convert them to plain loads if no loop polls with them. */
#ifndef __CDP_LOAD_H
#define __CDP_LOAD_H

#include "../vector_types.h"

/* How words are read: as a whole, or member by member if that is impossible. */
#define __CDP_LOAD_WHOLE(__p, __v) __atomic_load(__p, __v, __ATOMIC_RELAXED);
#define __CDP_LOAD_2(__p, __v)                                                                     \
    __atomic_load(&(__p)->x, &(__v)->x, __ATOMIC_RELAXED);                                         \
    __atomic_load(&(__p)->y, &(__v)->y, __ATOMIC_RELAXED);
#define __CDP_LOAD_4(__p, __v)                                                                     \
    __CDP_LOAD_2(__p, __v)                                                                         \
    __atomic_load(&(__p)->z, &(__v)->z, __ATOMIC_RELAXED);                                         \
    __atomic_load(&(__p)->w, &(__v)->w, __ATOMIC_RELAXED);

#define __CDP_CACHED __attribute__((__annotate__("cdp.cached"))) __CDP_DEVICE_INLINE
#define __CDP_LOAD_FORM(__prefix, __T, __name, __how)                                              \
    __prefix __T __name(const __T *__p)                                                            \
    {                                                                                              \
        __T __v;                                                                                   \
        __how(__p, &__v) return __v;                                                               \
    }
#define __CDP_STORE_FORM(__T, __name)                                                              \
    __CDP_DEVICE_INLINE void __name(__T *__p, __T __v)                                             \
    {                                                                                              \
        *__p = __v;                                                                                \
    }
/* __ldcv: "don't cache, fetch again". */
#define __CDP_LOAD_BY(__T, __how)                                                                  \
    __CDP_DEVICE_INLINE __T __ldg(const __T *__p)                                                  \
    {                                                                                              \
        return *__p;                                                                               \
    }                                                                                              \
    __CDP_LOAD_FORM(__CDP_CACHED, __T, __ldca, __how)                                              \
    __CDP_LOAD_FORM(__CDP_CACHED, __T, __ldcg, __how)                                              \
    __CDP_LOAD_FORM(__CDP_CACHED, __T, __ldcs, __how)                                              \
    __CDP_LOAD_FORM(__CDP_CACHED, __T, __ldlu, __how)                                              \
    __CDP_LOAD_FORM(__CDP_DEVICE_INLINE, __T, __ldcv, __how)                                       \
    __CDP_STORE_FORM(__T, __stwb)                                                                  \
    __CDP_STORE_FORM(__T, __stcg)                                                                  \
    __CDP_STORE_FORM(__T, __stcs)                                                                  \
    __CDP_STORE_FORM(__T, __stwt)
/* cuda_fp16.h and cuda_bf16.h use this for their own types. */
#define __CDP_LOAD(__T) __CDP_LOAD_BY(__T, __CDP_LOAD_WHOLE)
__CDP_LOAD(char)
__CDP_LOAD(signed char)
__CDP_LOAD(unsigned char)
__CDP_LOAD(short)
__CDP_LOAD(unsigned short)
__CDP_LOAD(int)
__CDP_LOAD(unsigned int)
__CDP_LOAD(long)
__CDP_LOAD(unsigned long)
__CDP_LOAD(long long)
__CDP_LOAD(unsigned long long)
__CDP_LOAD(float)
__CDP_LOAD(double)
__CDP_LOAD(char2)
__CDP_LOAD(char4)
__CDP_LOAD(uchar2)
__CDP_LOAD(uchar4)
__CDP_LOAD(short2)
__CDP_LOAD(short4)
__CDP_LOAD(ushort2)
__CDP_LOAD(ushort4)
__CDP_LOAD(int2)
__CDP_LOAD_BY(int4, __CDP_LOAD_4)
__CDP_LOAD(uint2)
__CDP_LOAD_BY(uint4, __CDP_LOAD_4)
__CDP_LOAD_BY(longlong2, __CDP_LOAD_2)
__CDP_LOAD_BY(ulonglong2, __CDP_LOAD_2)
__CDP_LOAD(float2)
__CDP_LOAD_BY(float4, __CDP_LOAD_4)
__CDP_LOAD_BY(double2, __CDP_LOAD_2)
template <class __T> __CDP_DEVICE_INLINE __T *__ldg(__T *const *__p)
{
    return *__p;
}

#endif
