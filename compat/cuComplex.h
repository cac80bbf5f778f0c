/* Complex numbers in C's form: plain functions on vector types. */
#ifndef __CDP_CUCOMPLEX_H
#define __CDP_CUCOMPLEX_H

#include "cdp/hide.h"

#define CU_COMPLEX_H_

#include "cuda_runtime.h"

#ifndef __CUDA__
#ifndef __CUDACC_RTC__
#include <math.h>
#endif
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* T: float or double; C: its complex; s: suffix of names and functions of libm. */
#define __CDP_COMPLEX(T, C, make, s)                                                               \
    __CDP_BOTH_INLINE T cuCreal##s(C __a)                                                          \
    {                                                                                              \
        return __a.x;                                                                              \
    }                                                                                              \
    __CDP_BOTH_INLINE T cuCimag##s(C __a)                                                          \
    {                                                                                              \
        return __a.y;                                                                              \
    }                                                                                              \
    __CDP_BOTH_INLINE C make(T x, T y)                                                             \
    {                                                                                              \
        C __c;                                                                                     \
        __c.x = x;                                                                                 \
        __c.y = y;                                                                                 \
        return __c;                                                                                \
    }                                                                                              \
    __CDP_BOTH_INLINE C cuConj##s(C __a)                                                           \
    {                                                                                              \
        return make(__a.x, -__a.y);                                                                \
    }                                                                                              \
    __CDP_BOTH_INLINE C cuCadd##s(C __a, C __b)                                                    \
    {                                                                                              \
        return make(__a.x + __b.x, __a.y + __b.y);                                                 \
    }                                                                                              \
    __CDP_BOTH_INLINE C cuCsub##s(C __a, C __b)                                                    \
    {                                                                                              \
        return make(__a.x - __b.x, __a.y - __b.y);                                                 \
    }                                                                                              \
    __CDP_BOTH_INLINE C cuCmul##s(C __a, C __b)                                                    \
    {                                                                                              \
        return make(__a.x * __b.x - __a.y * __b.y, __a.x * __b.y + __a.y * __b.x);                 \
    }                                                                                              \
    __CDP_BOTH_INLINE C cuCfma##s(C __a, C __b, C __c)                                             \
    {                                                                                              \
        return cuCadd##s(cuCmul##s(__a, __b), __c);                                                \
    }                                                                                              \
    /* Scaled, so that intermediate results of large operands do not overflow. */                  \
    __CDP_BOTH_INLINE C cuCdiv##s(C __a, C __b)                                                    \
    {                                                                                              \
        const T __scale = 1 / (__builtin_fabs##s(__b.x) + __builtin_fabs##s(__b.y));               \
        const T __ax = __a.x * __scale, __ay = __a.y * __scale, __bx = __b.x * __scale,            \
                __by = __b.y * __scale;                                                            \
        const T __divisor = 1 / (__bx * __bx + __by * __by);                                       \
        return make((__ax * __bx + __ay * __by) * __divisor,                                       \
                    (__ay * __bx - __ax * __by) * __divisor);                                      \
    }                                                                                              \
    __CDP_BOTH_INLINE T cuCabs##s(C __a)                                                           \
    {                                                                                              \
        return __builtin_hypot##s(__a.x, __a.y);                                                   \
    }
__CDP_COMPLEX(float, cuFloatComplex, make_cuFloatComplex, f)
__CDP_COMPLEX(double, cuDoubleComplex, make_cuDoubleComplex, )
#undef __CDP_COMPLEX

__CDP_BOTH_INLINE cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
__CDP_BOTH_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex __c)
{
    return make_cuFloatComplex((float)__c.x, (float)__c.y);
}
__CDP_BOTH_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex __c)
{
    return make_cuDoubleComplex(__c.x, __c.y);
}

#include "cdp/show.h"

#endif
