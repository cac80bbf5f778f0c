/* __nv_bfloat16 and its pair: the upper half of a float. It does not use the compiler's __bf16,
 * because its conversions need library functions that older systems lack. */
#ifndef __CDP_CUDA_BF16_H
#define __CDP_CUDA_BF16_H

#include "cdp/hide.h"

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"

__CDP_BOTH_INLINE constexpr unsigned short __cdp_upper_half(unsigned int __bits)
{
    return (unsigned short)((__bits + 0x7fff + (__bits >> 16 & 1)) >> 16);
}
__CDP_BOTH_INLINE constexpr unsigned short __cdp_bits___nv_bfloat16(float x)
{
    return x != x ? (unsigned short)0x7fff : __cdp_upper_half(__builtin_bit_cast(unsigned int, x));
}
__CDP_BOTH_INLINE constexpr unsigned short __cdp_bits___nv_bfloat16(double x)
{
    return __cdp_bits___nv_bfloat16(__cdp_to_odd(x));
}
__CDP_BOTH_INLINE constexpr float __cdp_value___nv_bfloat16(unsigned short __bits)
{
    return __builtin_bit_cast(float, (unsigned int)__bits << 16);
}
__CDP_HALF_CLASS(__nv_bfloat16, __nv_bfloat16_raw, __nv_bfloat162_raw)
__CDP_HALF_ALL(__nv_bfloat16)
__CDP_HALF_CONVERSIONS(__nv_bfloat16, bfloat16)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__CDP_BOTH_INLINE nv_bfloat162 make_bfloat162(nv_bfloat16 x, nv_bfloat16 y)
{
    return nv_bfloat162(x, y);
}

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#include "cdp/show.h"

#endif
