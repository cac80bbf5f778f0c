/* CUDA's global min and max: plain overloads, so that a program with
 * `using namespace std` still gets these. */
#ifndef __CDP_MINMAX_H
#define __CDP_MINMAX_H

#include "../host_defines.h"

#define __CDP_MINMAX(R, A, B)                                                                      \
    __CDP_BOTH_INLINE constexpr R min(A __a, B __b)                                                \
    {                                                                                              \
        return (R)__a < (R)__b ? (R)__a : (R)__b;                                                  \
    }                                                                                              \
    __CDP_BOTH_INLINE constexpr R max(A __a, B __b)                                                \
    {                                                                                              \
        return (R)__a > (R)__b ? (R)__a : (R)__b;                                                  \
    }
/* For a signed and an unsigned type, the common type is the unsigned one. */
#define __CDP_MINMAX_INTEGER(S, U)                                                                 \
    __CDP_MINMAX(S, S, S)                                                                          \
    __CDP_MINMAX(U, U, U)                                                                          \
    __CDP_MINMAX(U, S, U)                                                                          \
    __CDP_MINMAX(U, U, S)
__CDP_MINMAX_INTEGER(int, unsigned int)
__CDP_MINMAX_INTEGER(long, unsigned long)
__CDP_MINMAX_INTEGER(long long, unsigned long long)
#undef __CDP_MINMAX_INTEGER
#undef __CDP_MINMAX

/* If one argument is a NaN, the result is the other one. */
#define __CDP_MINMAX_FLOAT(R, A, B, suffix)                                                        \
    __CDP_BOTH_INLINE R min(A __a, B __b)                                                          \
    {                                                                                              \
        return __builtin_fmin##suffix((R)__a, (R)__b);                                             \
    }                                                                                              \
    __CDP_BOTH_INLINE R max(A __a, B __b)                                                          \
    {                                                                                              \
        return __builtin_fmax##suffix((R)__a, (R)__b);                                             \
    }
__CDP_MINMAX_FLOAT(float, float, float, f)
__CDP_MINMAX_FLOAT(double, double, double, )
__CDP_MINMAX_FLOAT(double, float, double, )
__CDP_MINMAX_FLOAT(double, double, float, )
#undef __CDP_MINMAX_FLOAT

#define __CDP_MINMAX_NAMED(prefix, T)                                                              \
    __CDP_BOTH_INLINE T prefix##min(T __a, T __b)                                                  \
    {                                                                                              \
        return __a < __b ? __a : __b;                                                              \
    }                                                                                              \
    __CDP_BOTH_INLINE T prefix##max(T __a, T __b)                                                  \
    {                                                                                              \
        return __a > __b ? __a : __b;                                                              \
    }
__CDP_MINMAX_NAMED(u, unsigned int)
__CDP_MINMAX_NAMED(ll, long long)
__CDP_MINMAX_NAMED(ull, unsigned long long)
#undef __CDP_MINMAX_NAMED

#endif
