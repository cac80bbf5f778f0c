/* The types e2m3 and e3m2 of 6 bits. They have no infinity and no NaN: a NaN becomes the greatest
 * number, and conversions saturate. Each element of a pair has a byte. */
#ifndef __CDP_CUDA_FP6_H
#define __CDP_CUDA_FP6_H

#include "cdp/hide.h"

#define __CUDA_FP6_H__
#define __CUDA_FP6_TYPES_EXIST__

#include "cdp/small_floats.h"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short int __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

__CDP_SMALL __nv_fp6_storage_t __cdp_e2m3_of(double x)
{
    return (__nv_fp6_storage_t)(x != x ? 0x1f : __cdp_small_bits(x, 3, 1, 0x1f, 0x20, true, 0x1f));
}
__CDP_SMALL float __cdp_e2m3_value(unsigned int __bits)
{
    return __cdp_small_value(__bits, 3, 1, 0x20);
}
__CDP_SMALL __nv_fp6_storage_t __cdp_e3m2_of(double x)
{
    return (__nv_fp6_storage_t)(x != x ? 0x1f : __cdp_small_bits(x, 2, 3, 0x1f, 0x20, true, 0x1f));
}
__CDP_SMALL float __cdp_e3m2_value(unsigned int __bits)
{
    return __cdp_small_value(__bits, 2, 3, 0x20);
}
/* There is no other rounding. */
__CDP_SMALL unsigned int __cdp_fp6_bits(double x, __nv_fp6_interpretation_t __kind,
                                        enum cudaRoundMode __rounding)
{
    (void)__rounding;
    return __kind == __NV_E3M2 ? __cdp_e3m2_of(x) : __cdp_e2m3_of(x);
}

#define __CDP_FP6_PARAMETERS                                                                       \
    const __nv_fp6_interpretation_t __kind, const enum cudaRoundMode __rounding
#define __CDP_FP6_ARGUMENTS __kind, __rounding
__CDP_SMALL_TO(fp6, __nv_fp6_storage_t, __cdp_fp6_bits, __cdp_fp6_bits, __CDP_FP6_PARAMETERS,
               __CDP_FP6_ARGUMENTS)
__CDP_BOTH_INLINE __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(const __half_raw x,
                                                             __CDP_FP6_PARAMETERS)
{
    return (__nv_fp6_storage_t)__cdp_fp6_bits(__cdp_small_from(x), __CDP_FP6_ARGUMENTS);
}
#define __CDP_FP6_PAIR(to, SOURCE, from, X, Y)                                                     \
    __CDP_SMALL_PAIR(to, 8, __nv_fp6x2_storage_t, SOURCE, from, __CDP_FP6_PARAMETERS,              \
                     __CDP_FP6_ARGUMENTS, X, Y)
__CDP_FP6_PAIR(__nv_cvt_double2_to_fp6x2, double2, __nv_cvt_double_to_fp6, x.x, x.y)
__CDP_FP6_PAIR(__nv_cvt_float2_to_fp6x2, float2, __nv_cvt_float_to_fp6, x.x, x.y)
__CDP_FP6_PAIR(__nv_cvt_halfraw2_to_fp6x2, __half2_raw, __nv_cvt_halfraw_to_fp6, __half_raw{x.x},
               __half_raw{x.y})
__CDP_FP6_PAIR(__nv_cvt_bfloat16raw2_to_fp6x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp6,
               __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef __CDP_FP6_PAIR
#undef __CDP_FP6_PARAMETERS
#undef __CDP_FP6_ARGUMENTS

__CDP_BOTH_INLINE __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x,
                                                     const __nv_fp6_interpretation_t __kind)
{
    return __cdp_small_half(__kind == __NV_E3M2 ? __cdp_e3m2_value(x) : __cdp_e2m3_value(x));
}
__CDP_BOTH_INLINE __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x,
                                                         const __nv_fp6_interpretation_t __kind)
{
    return __half2_raw{__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x & 0xff), __kind).x,
                       __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x >> 8), __kind).x};
}

__CDP_SMALL_CLASS(__nv_fp6_e2m3, __nv_fp6_storage_t, __cdp_e2m3_of, __cdp_e2m3_of,
                  __cdp_e2m3_value(__x), (__x & 0x1f) != 0)
__CDP_SMALL_CLASS2(__nv_fp6x2_e2m3, __nv_fp6x2_storage_t, 8, __cdp_e2m3_of, __cdp_e2m3_value)
__CDP_SMALL_CLASS4(__nv_fp6x4_e2m3, __nv_fp6x4_storage_t, 8, __cdp_e2m3_of, __cdp_e2m3_value)
__CDP_SMALL_CLASS(__nv_fp6_e3m2, __nv_fp6_storage_t, __cdp_e3m2_of, __cdp_e3m2_of,
                  __cdp_e3m2_value(__x), (__x & 0x1f) != 0)
__CDP_SMALL_CLASS2(__nv_fp6x2_e3m2, __nv_fp6x2_storage_t, 8, __cdp_e3m2_of, __cdp_e3m2_value)
__CDP_SMALL_CLASS4(__nv_fp6x4_e3m2, __nv_fp6x4_storage_t, 8, __cdp_e3m2_of, __cdp_e3m2_value)

#include "cdp/show.h"

#endif
