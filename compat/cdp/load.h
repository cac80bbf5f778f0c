/* Loads and stores with cache hints.
 *
 * __ldg is for memory that no thread writes while the kernel runs, and is a plain load. The others
 * read memory each time, because programs poll with them: relaxed atomic loads, torn no more than
 * the hardware's. The mark lets cdpcc convert them to plain loads if no loop polls with them. Vectors
 * of numbers of 32 and 64 bits are inline PTX, of which cdpcc makes single accesses. */
#ifndef __CDP_LOAD_H
#define __CDP_LOAD_H

#include "../vector_types.h"

#define __CDP_CACHED __attribute__((__annotate__("cdp.cached"))) __CDP_DEVICE_INLINE

/* Loads of the whole, and of vectors whose members have the given type as a word and in PTX. */
#define __CDP_LOAD_WHOLE(__prefix, __T, __hint, ...)                                               \
    __prefix __T __ld##__hint(const __T *__p)                                                      \
    {                                                                                              \
        __T __v;                                                                                   \
        __atomic_load(__p, &__v, __ATOMIC_RELAXED);                                                \
        return __v;                                                                                \
    }
#define __CDP_LOAD_2(__prefix, __T, __hint, __word, __type, __operand)                             \
    __CDP_DEVICE_INLINE __T __ld##__hint(const __T *__p)                                           \
    {                                                                                              \
        __word __v[2];                                                                             \
        asm volatile("ld." #__hint ".v2." __type " {%0, %1}, [%2];"                                \
                     : "=" __operand(__v[0]), "=" __operand(__v[1])                                \
                     : "l"(__p));                                                                  \
        return __builtin_bit_cast(__T, __v);                                                       \
    }
#define __CDP_LOAD_4(__prefix, __T, __hint, __word, __type, __operand)                             \
    __CDP_DEVICE_INLINE __T __ld##__hint(const __T *__p)                                           \
    {                                                                                              \
        __word __v[4];                                                                             \
        asm volatile("ld." #__hint ".v4." __type " {%0, %1, %2, %3}, [%4];"                        \
                     : "=" __operand(__v[0]), "=" __operand(__v[1]), "=" __operand(__v[2]),        \
                       "=" __operand(__v[3])                                                       \
                     : "l"(__p));                                                                  \
        return __builtin_bit_cast(__T, __v);                                                       \
    }

/* Stores, in the same way. */
#define __CDP_STORE_WHOLE(__T, __hint, ...)                                                        \
    __CDP_DEVICE_INLINE void __st##__hint(__T *__p, __T __v)                                       \
    {                                                                                              \
        *__p = __v;                                                                                \
    }
#define __CDP_WORD(__word, __member) __builtin_bit_cast(__word, __v.__member)
#define __CDP_STORE_2(__T, __hint, __word, __type, __operand)                                      \
    __CDP_DEVICE_INLINE void __st##__hint(__T *__p, __T __v)                                       \
    {                                                                                              \
        asm volatile("st." #__hint ".v2." __type " [%0], {%1, %2};" ::"l"(__p),                    \
                     __operand(__CDP_WORD(__word, x)), __operand(__CDP_WORD(__word, y)));          \
    }
#define __CDP_STORE_4(__T, __hint, __word, __type, __operand)                                      \
    __CDP_DEVICE_INLINE void __st##__hint(__T *__p, __T __v)                                       \
    {                                                                                              \
        asm volatile("st." #__hint ".v4." __type " [%0], {%1, %2, %3, %4};" ::"l"(__p),            \
                     __operand(__CDP_WORD(__word, x)), __operand(__CDP_WORD(__word, y)),           \
                     __operand(__CDP_WORD(__word, z)), __operand(__CDP_WORD(__word, w)));          \
    }
#define __CDP_WORDS_32 unsigned int, "b32", "r"
#define __CDP_WORDS_64 unsigned long long, "b64", "l"

/* __ldcv: "don't cache, fetch again". Only __stcg and __stwt publish. */
#define __CDP_LOAD_BY(__load, __store, __T, ...)                                                   \
    __CDP_DEVICE_INLINE __T __ldg(const __T *__p)                                                  \
    {                                                                                              \
        return *__p;                                                                               \
    }                                                                                              \
    __load(__CDP_CACHED, __T, ca, __VA_ARGS__)                                                     \
    __load(__CDP_CACHED, __T, cg, __VA_ARGS__)                                                     \
    __load(__CDP_CACHED, __T, cs, __VA_ARGS__)                                                     \
    __load(__CDP_CACHED, __T, lu, __VA_ARGS__)                                                     \
    __load(__CDP_DEVICE_INLINE, __T, cv, __VA_ARGS__)                                              \
    __CDP_STORE_WHOLE(__T, wb)                                                                     \
    __store(__T, cg, __VA_ARGS__)                                                                  \
    __CDP_STORE_WHOLE(__T, cs)                                                                     \
    __store(__T, wt, __VA_ARGS__)
/* cuda_fp16.h and cuda_bf16.h use this for their own types. */
#define __CDP_LOAD(__T) __CDP_LOAD_BY(__CDP_LOAD_WHOLE, __CDP_STORE_WHOLE, __T, )
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
__CDP_LOAD_BY(__CDP_LOAD_2, __CDP_STORE_2, int2, __CDP_WORDS_32)
__CDP_LOAD_BY(__CDP_LOAD_4, __CDP_STORE_4, int4, __CDP_WORDS_32)
__CDP_LOAD_BY(__CDP_LOAD_2, __CDP_STORE_2, uint2, __CDP_WORDS_32)
__CDP_LOAD_BY(__CDP_LOAD_4, __CDP_STORE_4, uint4, __CDP_WORDS_32)
__CDP_LOAD_BY(__CDP_LOAD_2, __CDP_STORE_2, longlong2, __CDP_WORDS_64)
__CDP_LOAD_BY(__CDP_LOAD_2, __CDP_STORE_2, ulonglong2, __CDP_WORDS_64)
__CDP_LOAD_BY(__CDP_LOAD_2, __CDP_STORE_2, float2, __CDP_WORDS_32)
__CDP_LOAD_BY(__CDP_LOAD_4, __CDP_STORE_4, float4, __CDP_WORDS_32)
__CDP_LOAD_BY(__CDP_LOAD_2, __CDP_STORE_2, double2, __CDP_WORDS_64)
template <class __T> __CDP_DEVICE_INLINE __T *__ldg(__T *const *__p)
{
    return *__p;
}

#endif
