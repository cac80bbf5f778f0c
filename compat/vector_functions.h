/* make_float4 and the like. */
#ifndef __CDP_VECTOR_FUNCTIONS_H
#define __CDP_VECTOR_FUNCTIONS_H

#include "cdp/hide.h"

#include "vector_types.h"

#ifdef __cplusplus
#define __CDP_MAKE_INLINE __CDP_BOTH_INLINE constexpr
#define __CDP_MAKE_BODY(type, ...)                                                                 \
    {                                                                                              \
        return type{__VA_ARGS__};                                                                  \
    }
#else
#define __CDP_MAKE_INLINE __CDP_BOTH_INLINE
#define __CDP_MAKE_BODY(type, ...)                                                                 \
    {                                                                                              \
        const type __value = {__VA_ARGS__};                                                        \
        return __value;                                                                            \
    }
#endif
#define __CDP_MAKE4(type, T)                                                                       \
    __CDP_MAKE_INLINE type make_##type(T x, T y, T z, T w) __CDP_MAKE_BODY(type, x, y, z, w)
#define __CDP_MAKE(name, T)                                                                        \
    __CDP_MAKE_INLINE name##1 make_##name##1(T x)__CDP_MAKE_BODY(name##1, x)                       \
        __CDP_MAKE_INLINE name##2 make_##name##2(T x, T y)__CDP_MAKE_BODY(name##2, x, y)           \
            __CDP_MAKE_INLINE name##3 make_##name##3(T x, T y, T z)__CDP_MAKE_BODY(                \
                name##3, x, y, z) __CDP_MAKE4(name##4, T)

__CDP_MAKE(char, signed char)
__CDP_MAKE(uchar, unsigned char)
__CDP_MAKE(short, short)
__CDP_MAKE(ushort, unsigned short)
__CDP_MAKE(int, int)
__CDP_MAKE(uint, unsigned int)
__CDP_MAKE(long, long int)
__CDP_MAKE(ulong, unsigned long int)
__CDP_MAKE(longlong, long long int)
__CDP_MAKE(ulonglong, unsigned long long int)
__CDP_MAKE(float, float)
__CDP_MAKE(double, double)
__CDP_MAKE4(long4_16a, long int)
__CDP_MAKE4(long4_32a, long int)
__CDP_MAKE4(ulong4_16a, unsigned long int)
__CDP_MAKE4(ulong4_32a, unsigned long int)
__CDP_MAKE4(longlong4_16a, long long int)
__CDP_MAKE4(longlong4_32a, long long int)
__CDP_MAKE4(ulonglong4_16a, unsigned long long int)
__CDP_MAKE4(ulonglong4_32a, unsigned long long int)
__CDP_MAKE4(double4_16a, double)
__CDP_MAKE4(double4_32a, double)

#undef __CDP_MAKE
#undef __CDP_MAKE4
#undef __CDP_MAKE_BODY
#undef __CDP_MAKE_INLINE

#include "cdp/show.h"

#endif
