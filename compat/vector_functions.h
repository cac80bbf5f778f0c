/* make_float4 and its kin. */
#ifndef CDP_VECTOR_FUNCTIONS_H
#define CDP_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#ifdef __cplusplus
#define CDP_MAKE_INLINE CDP_BOTH_INLINE constexpr
#define CDP_MAKE_BODY(type, ...)                                                                   \
    {                                                                                              \
        return type{__VA_ARGS__};                                                                  \
    }
#else
#define CDP_MAKE_INLINE CDP_BOTH_INLINE
#define CDP_MAKE_BODY(type, ...)                                                                   \
    {                                                                                              \
        const type value = {__VA_ARGS__};                                                          \
        return value;                                                                              \
    }
#endif
#define CDP_MAKE4(type, T)                                                                         \
    CDP_MAKE_INLINE type make_##type(T x, T y, T z, T w) CDP_MAKE_BODY(type, x, y, z, w)
#define CDP_MAKE(name, T)                                                                          \
    CDP_MAKE_INLINE name##1 make_##name##1(T x)CDP_MAKE_BODY(name##1, x)                           \
        CDP_MAKE_INLINE name##2 make_##name##2(T x, T y)CDP_MAKE_BODY(name##2, x, y)               \
            CDP_MAKE_INLINE name##3 make_##name##3(T x, T y, T z)CDP_MAKE_BODY(name##3, x, y, z)   \
                CDP_MAKE4(name##4, T)

CDP_MAKE(char, signed char)
CDP_MAKE(uchar, unsigned char)
CDP_MAKE(short, short)
CDP_MAKE(ushort, unsigned short)
CDP_MAKE(int, int)
CDP_MAKE(uint, unsigned int)
CDP_MAKE(long, long int)
CDP_MAKE(ulong, unsigned long int)
CDP_MAKE(longlong, long long int)
CDP_MAKE(ulonglong, unsigned long long int)
CDP_MAKE(float, float)
CDP_MAKE(double, double)
CDP_MAKE4(long4_16a, long int)
CDP_MAKE4(long4_32a, long int)
CDP_MAKE4(ulong4_16a, unsigned long int)
CDP_MAKE4(ulong4_32a, unsigned long int)
CDP_MAKE4(longlong4_16a, long long int)
CDP_MAKE4(longlong4_32a, long long int)
CDP_MAKE4(ulonglong4_16a, unsigned long long int)
CDP_MAKE4(ulonglong4_32a, unsigned long long int)
CDP_MAKE4(double4_16a, double)
CDP_MAKE4(double4_32a, double)

#undef CDP_MAKE
#undef CDP_MAKE4
#undef CDP_MAKE_BODY
#undef CDP_MAKE_INLINE

#endif
