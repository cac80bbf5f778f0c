/* __nv_bfloat16 and its pair, computing in __bf16. */
#ifndef CDP_CUDA_BF16_H
#define CDP_CUDA_BF16_H

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"

CDP_HALF_CLASS(__nv_bfloat16, __bf16, __nv_bfloat16_raw, __nv_bfloat162_raw)
CDP_HALF_ALL(__nv_bfloat16)
CDP_HALF_CONVERSIONS(__nv_bfloat16, bfloat16)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

CDP_BOTH_INLINE nv_bfloat162 make_bfloat162(nv_bfloat16 x, nv_bfloat16 y)
{
    return nv_bfloat162(x, y);
}

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif
