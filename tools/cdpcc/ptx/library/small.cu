/* Conversions of inline PTX between pairs of small floating-point numbers: the functions of
 * cuda_fp8.h, cuda_fp6.h and cuda_fp4.h. The first operand becomes the upper element. */
#include "library.h"

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

/* relu: a negative number becomes 0, also -0. */
INTERNAL double source(float x, u32 relu)
{
    return relu != 0 && x == x && bits(x) >> 31 != 0 ? 0.0 : (double)x;
}
INTERNAL float low_half(u32 x)
{
    return __half(__half_raw{(u16)x}).__v();
}
INTERNAL u32 fp8(float x, u32 relu, u32 type)
{
    const double y = source(x, relu);
    return type == 1 ? __cdp_e4m3_of(y) : __cdp_e5m2_of(y);
}
PTX(u16, to_fp8x2, u32 a, u32 b, u32 relu, u32 type)
{
    return (u16)(fp8(real(a), relu, type) << 8 | fp8(real(b), relu, type));
}
PTX(u16, halves_to_fp8x2, u32 a, u32 relu, u32 type)
{
    return (u16)(fp8(low_half(a >> 16), relu, type) << 8 | fp8(low_half(a), relu, type));
}
INTERNAL u32 fp6(float x, u32 relu, u32 type)
{
    const double y = source(x, relu);
    return type == 1 ? __cdp_e2m3_of(y) : __cdp_e3m2_of(y);
}
PTX(u16, to_fp6x2, u32 a, u32 b, u32 relu, u32 type)
{
    return (u16)(fp6(real(a), relu, type) << 8 | fp6(real(b), relu, type));
}
PTX(u8, to_fp4x2, u32 a, u32 b, u32 relu)
{
    return (u8)(__cdp_e2m1_of(source(real(a), relu)) << 4 | __cdp_e2m1_of(source(real(b), relu)));
}
INTERNAL u32 half_bits(float x, u32 relu)
{
    return __half(relu != 0 && x == x && bits(x) >> 31 != 0 ? 0.0f : x).__x;
}
/* e4m3, e5m2, e2m3, e3m2 */
INTERNAL u32 half_of(u32 x, u32 relu, u32 type)
{
    return half_bits(type == 1   ? __cdp_e4m3_value(x)
                     : type == 2 ? __cdp_e5m2_value(x)
                     : type == 3 ? __cdp_e2m3_value(x & 0x3f)
                                 : __cdp_e3m2_value(x & 0x3f),
                     relu);
}
PTX(u32, halves_of_small, u16 x, u32 relu, u32 type)
{
    return half_of(x & 0xff, relu, type) | half_of(x >> 8, relu, type) << 16;
}
PTX(u32, halves_of_fp4x2, u8 x, u32 relu)
{
    return half_bits(__cdp_e2m1_value(x & 15), relu) | half_bits(__cdp_e2m1_value(x >> 4), relu)
                                                           << 16;
}
/* rz, rp */
INTERNAL u32 e8m0(float x, u32 rounding, u32 satfinite)
{
    return __cdp_e8m0_bits((double)x, satfinite != 0 ? __NV_SATFINITE : __NV_NOSAT,
                           rounding == 1 ? cudaRoundZero : cudaRoundPosInf);
}
PTX(u16, to_e8m0x2, u32 a, u32 b, u32 rounding, u32 satfinite)
{
    return (u16)(e8m0(real(a), rounding, satfinite) << 8 | e8m0(real(b), rounding, satfinite));
}
PTX(u16, bfloats_to_e8m0x2, u32 a, u32 rounding, u32 satfinite)
{
    return ptx_to_e8m0x2(a & 0xffff0000, a << 16, rounding, satfinite);
}
PTX(u32, bfloats_of_e8m0x2, u16 x)
{
    return __nv_cvt_e8m0_to_bf16raw((u8)x).x | (u32)__nv_cvt_e8m0_to_bf16raw((u8)(x >> 8)).x << 16;
}
