/* half and half2. The bits are those of the compiler's _Float16, except for NaNs: any result that
 * is a NaN has the bits 0x7fff. */
#ifndef __CDP_CUDA_FP16_H
#define __CDP_CUDA_FP16_H

#include "cdp/hide.h"

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include "cdp/half_common.h"

/* The conversion truncates the bits of a NaN. From all ones it gives 0x7fff. */
__CDP_BOTH_INLINE constexpr float __cdp_one_nan(float x)
{
    return x != x ? __builtin_bit_cast(float, 0x7fffffff) : x;
}
__CDP_BOTH_INLINE constexpr unsigned short __cdp_bits___half(float x)
{
    return __builtin_bit_cast(unsigned short, (_Float16)__cdp_one_nan(x));
}
__CDP_BOTH_INLINE constexpr unsigned short __cdp_bits___half(double x)
{
    return __cdp_bits___half(__cdp_to_odd(x));
}
__CDP_BOTH_INLINE constexpr float __cdp_value___half(unsigned short __bits)
{
    return (float)__builtin_bit_cast(_Float16, __bits);
}
__CDP_HALF_CLASS(__half, __half_raw, __half2_raw)
__CDP_HALF_ALL(__half)
__CDP_HALF_CONVERSIONS(__half, half)

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

__CDP_BOTH_INLINE half2 make_half2(half x, half y)
{
    return half2(x, y);
}
__CDP_BOTH_INLINE float __internal_half2float(unsigned short __bits)
{
    return (float)__ushort_as_half(__bits);
}

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#include "cdp/show.h"

#endif
