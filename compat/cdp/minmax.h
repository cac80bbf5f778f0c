/* CUDA's global min and max: plain overloads, so that a program with
 * `using namespace std` still gets these. */
#ifndef CDP_MINMAX_H
#define CDP_MINMAX_H

#include "../host_defines.h"

#define CDP_MINMAX(R, A, B)                                                                        \
    CDP_BOTH_INLINE constexpr R min(A a, B b)                                                      \
    {                                                                                              \
        return (R)a < (R)b ? (R)a : (R)b;                                                          \
    }                                                                                              \
    CDP_BOTH_INLINE constexpr R max(A a, B b)                                                      \
    {                                                                                              \
        return (R)a > (R)b ? (R)a : (R)b;                                                          \
    }
/* A signed and its unsigned type meet as the unsigned one. */
#define CDP_MINMAX_INTEGER(S, U)                                                                   \
    CDP_MINMAX(S, S, S)                                                                            \
    CDP_MINMAX(U, U, U)                                                                            \
    CDP_MINMAX(U, S, U)                                                                            \
    CDP_MINMAX(U, U, S)
CDP_MINMAX_INTEGER(int, unsigned int)
CDP_MINMAX_INTEGER(long, unsigned long)
CDP_MINMAX_INTEGER(long long, unsigned long long)
#undef CDP_MINMAX_INTEGER
#undef CDP_MINMAX

/* A NaN loses against a number. */
#define CDP_MINMAX_FLOAT(R, A, B, suffix)                                                          \
    CDP_BOTH_INLINE R min(A a, B b)                                                                \
    {                                                                                              \
        return __builtin_fmin##suffix((R)a, (R)b);                                                 \
    }                                                                                              \
    CDP_BOTH_INLINE R max(A a, B b)                                                                \
    {                                                                                              \
        return __builtin_fmax##suffix((R)a, (R)b);                                                 \
    }
CDP_MINMAX_FLOAT(float, float, float, f)
CDP_MINMAX_FLOAT(double, double, double, )
CDP_MINMAX_FLOAT(double, float, double, )
CDP_MINMAX_FLOAT(double, double, float, )
#undef CDP_MINMAX_FLOAT

#define CDP_MINMAX_NAMED(prefix, T)                                                                \
    CDP_BOTH_INLINE T prefix##min(T a, T b)                                                        \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    CDP_BOTH_INLINE T prefix##max(T a, T b)                                                        \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
CDP_MINMAX_NAMED(u, unsigned int)
CDP_MINMAX_NAMED(ll, long long)
CDP_MINMAX_NAMED(ull, unsigned long long)
#undef CDP_MINMAX_NAMED

#endif
