/* The types e4m3, e5m2 and e8m0 of 8 bits. e4m3 has no infinity, and only one NaN of each sign;
 * e8m0 is a power of two without a sign. */
#ifndef __CDP_CUDA_FP8_H
#define __CDP_CUDA_FP8_H

#include "cdp/hide.h"

#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cdp/small_floats.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

__CDP_SMALL unsigned int __cdp_e4m3_bits(double x, bool __saturates)
{
    return x != x ? 0x7f : __cdp_small_bits(x, 3, 7, 0x7e, 0x80, __saturates, 0x7f);
}
__CDP_SMALL unsigned int __cdp_e5m2_bits(double x, bool __saturates)
{
    return x != x ? 0x7f : __cdp_small_bits(x, 2, 15, 0x7b, 0x80, __saturates, 0x7c);
}
/* A NaN of double keeps its sign and, as e5m2, its upper bits. */
__CDP_SMALL unsigned int __cdp_e4m3_nan(unsigned long long __bits)
{
    return __bits >> 63 ? 0xff : 0x7f;
}
__CDP_SMALL unsigned int __cdp_e5m2_nan(unsigned long long __bits)
{
    return (__bits >> 63 ? 0xfe : 0x7e) | (unsigned int)(__bits >> 50 & 1);
}
__CDP_SMALL unsigned int __cdp_e4m3_bits_of_double(double x, bool __saturates)
{
    return x != x ? __cdp_e4m3_nan(__builtin_bit_cast(unsigned long long, x))
                  : __cdp_e4m3_bits(x, __saturates);
}
__CDP_SMALL unsigned int __cdp_e5m2_bits_of_double(double x, bool __saturates)
{
    return x != x ? __cdp_e5m2_nan(__builtin_bit_cast(unsigned long long, x))
                  : __cdp_e5m2_bits(x, __saturates);
}
__CDP_SMALL unsigned int __cdp_fp8_bits(double x, __nv_saturation_t __saturation,
                                        __nv_fp8_interpretation_t __kind)
{
    return __kind == __NV_E5M2 ? __cdp_e5m2_bits(x, __saturation == __NV_SATFINITE)
                               : __cdp_e4m3_bits(x, __saturation == __NV_SATFINITE);
}
__CDP_SMALL unsigned int __cdp_fp8_bits_of_double(double x, __nv_saturation_t __saturation,
                                                  __nv_fp8_interpretation_t __kind)
{
    return __kind == __NV_E5M2 ? __cdp_e5m2_bits_of_double(x, __saturation == __NV_SATFINITE)
                               : __cdp_e4m3_bits_of_double(x, __saturation == __NV_SATFINITE);
}
__CDP_SMALL float __cdp_e4m3_value(unsigned int __bits)
{
    return (__bits & 0x7f) == 0x7f ? __builtin_bit_cast(float, 0x7fffffff)
                                   : __cdp_small_value(__bits, 3, 7, 0x80);
}
__CDP_SMALL float __cdp_e5m2_value(unsigned int __bits)
{
    return (__bits & 0x7f) > 0x7c    ? __builtin_bit_cast(float, 0x7fffffff)
           : (__bits & 0x7f) == 0x7c ? (__bits & 0x80 ? -__builtin_inff() : __builtin_inff())
                                     : __cdp_small_value(__bits, 2, 15, 0x80);
}

/* The exponent of |x|, rounded to zero or up, from -127. */
__CDP_SMALL unsigned int __cdp_e8m0_bits(double x, __nv_saturation_t __saturation,
                                         enum cudaRoundMode __rounding)
{
    const unsigned long long __bits = __builtin_bit_cast(unsigned long long, x) & ~0ull >> 1;
    const int __exponent = (int)(__bits >> 52) - 1023 + 127;
    const bool __is_more = (__bits & ~0ull >> 12) != 0 && __exponent >= 0;
    const int __code =
        (__exponent < 0 ? 0 : __exponent) + (__is_more && __rounding == cudaRoundPosInf ? 1 : 0);
    return x != x         ? 0xff
           : __code > 254 ? (__saturation == __NV_SATFINITE ? 254 : 255)
                          : (unsigned int)__code;
}
__CDP_SMALL float __cdp_e8m0_value(unsigned int __bits)
{
    return __builtin_bit_cast(float, __bits == 0xff ? 0x7fffffff
                                     : __bits == 0  ? 0x00400000
                                                    : __bits << 23);
}

/* PARAMETERS and ARGUMENTS contain commas. */
#define __CDP_FP8_PARAMETERS                                                                       \
    const __nv_saturation_t __saturate, const __nv_fp8_interpretation_t __kind
#define __CDP_FP8_ARGUMENTS __saturate, __kind
#define __CDP_E8M0_PARAMETERS                                                                      \
    const __nv_saturation_t __saturate, const enum cudaRoundMode __rounding
#define __CDP_E8M0_ARGUMENTS __saturate, __rounding
__CDP_SMALL_TO(fp8, __nv_fp8_storage_t, __cdp_fp8_bits, __cdp_fp8_bits_of_double,
               __CDP_FP8_PARAMETERS, __CDP_FP8_ARGUMENTS)
__CDP_SMALL_TO(e8m0, __nv_fp8_storage_t, __cdp_e8m0_bits, __cdp_e8m0_bits, __CDP_E8M0_PARAMETERS,
               __CDP_E8M0_ARGUMENTS)
__CDP_BOTH_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x,
                                                             __CDP_FP8_PARAMETERS)
{
    return (__nv_fp8_storage_t)__cdp_fp8_bits(__cdp_small_from(x), __CDP_FP8_ARGUMENTS);
}

#define __CDP_FP8_PAIR(to, SOURCE, from, X, Y)                                                     \
    __CDP_SMALL_PAIR(to, 8, __nv_fp8x2_storage_t, SOURCE, from, __CDP_FP8_PARAMETERS,              \
                     __CDP_FP8_ARGUMENTS, X, Y)
__CDP_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, x.x, x.y)
__CDP_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, x.x, x.y)
__CDP_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw{x.x},
               __half_raw{x.y})
__CDP_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
               __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef __CDP_FP8_PAIR
#define __CDP_E8M0_PAIR(to, SOURCE, from, X, Y)                                                    \
    __CDP_SMALL_PAIR(to, 8, __nv_fp8x2_storage_t, SOURCE, from, __CDP_E8M0_PARAMETERS,             \
                     __CDP_E8M0_ARGUMENTS, X, Y)
__CDP_E8M0_PAIR(__nv_cvt_double2_to_e8m0x2, double2, __nv_cvt_double_to_e8m0, x.x, x.y)
__CDP_E8M0_PAIR(__nv_cvt_float2_to_e8m0x2, float2, __nv_cvt_float_to_e8m0, x.x, x.y)
__CDP_E8M0_PAIR(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_e8m0,
                __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef __CDP_E8M0_PAIR
#undef __CDP_FP8_PARAMETERS
#undef __CDP_FP8_ARGUMENTS
#undef __CDP_E8M0_PARAMETERS
#undef __CDP_E8M0_ARGUMENTS

__CDP_BOTH_INLINE __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                                     const __nv_fp8_interpretation_t __kind)
{
    return __cdp_small_half(__kind == __NV_E5M2 ? __cdp_e5m2_value(x) : __cdp_e4m3_value(x));
}
__CDP_BOTH_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                         const __nv_fp8_interpretation_t __kind)
{
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, __kind).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), __kind).x};
}
__CDP_BOTH_INLINE __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x)
{
    return __nv_bfloat16(__cdp_e8m0_value(x));
}
__CDP_BOTH_INLINE __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x)
{
    return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x,
                              __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}

__CDP_SMALL __nv_fp8_storage_t __cdp_e4m3_of(double x)
{
    return (__nv_fp8_storage_t)__cdp_e4m3_bits(x, true);
}
__CDP_SMALL __nv_fp8_storage_t __cdp_e5m2_of(double x)
{
    return (__nv_fp8_storage_t)__cdp_e5m2_bits(x, true);
}
__CDP_SMALL __nv_fp8_storage_t __cdp_e4m3_of_double(double x)
{
    return (__nv_fp8_storage_t)__cdp_e4m3_bits_of_double(x, true);
}
__CDP_SMALL __nv_fp8_storage_t __cdp_e5m2_of_double(double x)
{
    return (__nv_fp8_storage_t)__cdp_e5m2_bits_of_double(x, true);
}
__CDP_SMALL __nv_fp8_storage_t __cdp_e8m0_of(double x)
{
    return (__nv_fp8_storage_t)__cdp_e8m0_bits(x, __NV_SATFINITE, cudaRoundPosInf);
}
__CDP_SMALL_CLASS(__nv_fp8_e4m3, __nv_fp8_storage_t, __cdp_e4m3_of, __cdp_e4m3_of_double,
                  __cdp_e4m3_value(__x), (__x & 0x7f) != 0)
__CDP_SMALL_CLASS(__nv_fp8_e5m2, __nv_fp8_storage_t, __cdp_e5m2_of, __cdp_e5m2_of_double,
                  __cdp_e5m2_value(__x), (__x & 0x7f) != 0)
__CDP_SMALL_CLASS(__nv_fp8_e8m0, __nv_fp8_storage_t, __cdp_e8m0_of, __cdp_e8m0_of,
                  __cdp_e8m0_value(__x), true)
__CDP_SMALL_CLASS2(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t, 8, __cdp_e4m3_of, __cdp_e4m3_value)
__CDP_SMALL_CLASS2(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t, 8, __cdp_e5m2_of, __cdp_e5m2_value)
__CDP_SMALL_CLASS2(__nv_fp8x2_e8m0, __nv_fp8x2_storage_t, 8, __cdp_e8m0_of, __cdp_e8m0_value)
__CDP_SMALL_CLASS4(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t, 8, __cdp_e4m3_of, __cdp_e4m3_value)
__CDP_SMALL_CLASS4(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t, 8, __cdp_e5m2_of, __cdp_e5m2_value)
__CDP_SMALL_CLASS4(__nv_fp8x4_e8m0, __nv_fp8x4_storage_t, 8, __cdp_e8m0_of, __cdp_e8m0_value)

#include "cdp/show.h"

#endif
