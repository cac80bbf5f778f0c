/* The type e2m1 of 4 bits. It has no infinity and no NaN: a NaN becomes the greatest number, and
 * conversions saturate. A byte holds two elements. */
#ifndef __CDP_CUDA_FP4_H
#define __CDP_CUDA_FP4_H

#include "cdp/hide.h"

#define __CUDA_FP4_H__
#define __CUDA_FP4_TYPES_EXIST__

#include "cdp/small_floats.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short int __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

__CDP_SMALL __nv_fp4_storage_t __cdp_e2m1_of(double x)
{
    return (__nv_fp4_storage_t)(x != x ? 0x7 : __cdp_small_bits(x, 1, 1, 0x7, 0x8, true, 0x7));
}
__CDP_SMALL float __cdp_e2m1_value(unsigned int __bits)
{
    return __cdp_small_value(__bits, 1, 1, 0x8);
}
/* There is no other rounding. */
__CDP_SMALL unsigned int __cdp_fp4_bits(double x, __nv_fp4_interpretation_t __kind,
                                        enum cudaRoundMode __rounding)
{
    (void)__rounding;
    (void)__kind;
    return __cdp_e2m1_of(x);
}

#define __CDP_FP4_PARAMETERS                                                                       \
    const __nv_fp4_interpretation_t __kind, const enum cudaRoundMode __rounding
#define __CDP_FP4_ARGUMENTS __kind, __rounding
__CDP_SMALL_TO(fp4, __nv_fp4_storage_t, __cdp_fp4_bits, __cdp_fp4_bits, __CDP_FP4_PARAMETERS,
               __CDP_FP4_ARGUMENTS)
__CDP_BOTH_INLINE __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(const __half_raw x,
                                                             __CDP_FP4_PARAMETERS)
{
    return (__nv_fp4_storage_t)__cdp_fp4_bits(__cdp_small_from(x), __CDP_FP4_ARGUMENTS);
}
#define __CDP_FP4_PAIR(to, SOURCE, from, X, Y)                                                     \
    __CDP_SMALL_PAIR(to, 4, __nv_fp4x2_storage_t, SOURCE, from, __CDP_FP4_PARAMETERS,              \
                     __CDP_FP4_ARGUMENTS, X, Y)
__CDP_FP4_PAIR(__nv_cvt_double2_to_fp4x2, double2, __nv_cvt_double_to_fp4, x.x, x.y)
__CDP_FP4_PAIR(__nv_cvt_float2_to_fp4x2, float2, __nv_cvt_float_to_fp4, x.x, x.y)
__CDP_FP4_PAIR(__nv_cvt_halfraw2_to_fp4x2, __half2_raw, __nv_cvt_halfraw_to_fp4, __half_raw{x.x},
               __half_raw{x.y})
__CDP_FP4_PAIR(__nv_cvt_bfloat16raw2_to_fp4x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp4,
               __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef __CDP_FP4_PAIR
#undef __CDP_FP4_PARAMETERS
#undef __CDP_FP4_ARGUMENTS

__CDP_BOTH_INLINE __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x,
                                                     const __nv_fp4_interpretation_t __kind)
{
    (void)__kind;
    return __cdp_small_half(__cdp_e2m1_value(x));
}
__CDP_BOTH_INLINE __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x,
                                                         const __nv_fp4_interpretation_t __kind)
{
    return __half2_raw{__nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x & 0xf), __kind).x,
                       __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x >> 4), __kind).x};
}

__CDP_SMALL_CLASS(__nv_fp4_e2m1, __nv_fp4_storage_t, __cdp_e2m1_of, __cdp_e2m1_of,
                  __cdp_e2m1_value(__x), (__x & 0x7) != 0)
__CDP_SMALL_CLASS2(__nv_fp4x2_e2m1, __nv_fp4x2_storage_t, 4, __cdp_e2m1_of, __cdp_e2m1_value)
__CDP_SMALL_CLASS4(__nv_fp4x4_e2m1, __nv_fp4x4_storage_t, 4, __cdp_e2m1_of, __cdp_e2m1_value)

#include "cdp/show.h"

#endif
