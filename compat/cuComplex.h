/* Complex numbers in C's way: plain functions on vector types. */
#ifndef CDP_CUCOMPLEX_H
#define CDP_CUCOMPLEX_H

#define CU_COMPLEX_H_

#include "cuda_runtime.h"

#ifndef __CUDA__
#include <math.h>
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* T: float or double; C: its complex; s: suffix of names and functions of libm. */
#define CDP_COMPLEX(T, C, make, s)                                                                 \
    CDP_BOTH_INLINE T cuCreal##s(C a)                                                              \
    {                                                                                              \
        return a.x;                                                                                \
    }                                                                                              \
    CDP_BOTH_INLINE T cuCimag##s(C a)                                                              \
    {                                                                                              \
        return a.y;                                                                                \
    }                                                                                              \
    CDP_BOTH_INLINE C make(T x, T y)                                                               \
    {                                                                                              \
        C c;                                                                                       \
        c.x = x;                                                                                   \
        c.y = y;                                                                                   \
        return c;                                                                                  \
    }                                                                                              \
    CDP_BOTH_INLINE C cuConj##s(C a)                                                               \
    {                                                                                              \
        return make(a.x, -a.y);                                                                    \
    }                                                                                              \
    CDP_BOTH_INLINE C cuCadd##s(C a, C b)                                                          \
    {                                                                                              \
        return make(a.x + b.x, a.y + b.y);                                                         \
    }                                                                                              \
    CDP_BOTH_INLINE C cuCsub##s(C a, C b)                                                          \
    {                                                                                              \
        return make(a.x - b.x, a.y - b.y);                                                         \
    }                                                                                              \
    CDP_BOTH_INLINE C cuCmul##s(C a, C b)                                                          \
    {                                                                                              \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    CDP_BOTH_INLINE C cuCfma##s(C a, C b, C c)                                                     \
    {                                                                                              \
        return cuCadd##s(cuCmul##s(a, b), c);                                                      \
    }                                                                                              \
    /* Scaled, so that large operands do not overflow on the way. */                               \
    CDP_BOTH_INLINE C cuCdiv##s(C a, C b)                                                          \
    {                                                                                              \
        const T scale = 1 / (__builtin_fabs##s(b.x) + __builtin_fabs##s(b.y));                     \
        const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;            \
        const T divisor = 1 / (bx * bx + by * by);                                                 \
        return make((ax * bx + ay * by) * divisor, (ay * bx - ax * by) * divisor);                 \
    }                                                                                              \
    CDP_BOTH_INLINE T cuCabs##s(C a)                                                               \
    {                                                                                              \
        return __builtin_hypot##s(a.x, a.y);                                                       \
    }
CDP_COMPLEX(float, cuFloatComplex, make_cuFloatComplex, f)
CDP_COMPLEX(double, cuDoubleComplex, make_cuDoubleComplex, )
#undef CDP_COMPLEX

CDP_BOTH_INLINE cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
CDP_BOTH_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return make_cuFloatComplex((float)c.x, (float)c.y);
}
CDP_BOTH_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
    return make_cuDoubleComplex(c.x, c.y);
}

#endif
