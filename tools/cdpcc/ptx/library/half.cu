/* Instructions of inline PTX on half, bfloat16 and pairs of them: the functions of cuda_fp16.h and
 * cuda_bf16.h. */
#include "library.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { HALF = 1, BFLOAT = 2 };

template <class H> INTERNAL H half_of(u32 x)
{
    H h;
    h.__x = (u16)x;
    return h;
}
/* Zero of the same sign instead of a subnormal number; .ftz is for half only. */
INTERNAL u32 flushed_half(u32 x, u32 is_on)
{
    return is_on != 0 && (x & 0x7c00) == 0 ? x & 0x8000 : x;
}
template <class H> INTERNAL u16 arithmetic(u32 a, u32 b, u32 operation, u32 flushes, u32 saturates)
{
    const H x = half_of<H>(flushed_half(a, flushes)), y = half_of<H>(flushed_half(b, flushes));
    const H z = operation == 1 ? x + y : operation == 2 ? x - y : x * y;
    return (u16)flushed_half((saturates != 0 ? __cdp_half_saturate(z) : z).__x, flushes);
}
template <class H> INTERNAL u16 fma(u32 a, u32 b, u32 c, u32 flushes, u32 modifier)
{
    const H x = half_of<H>(flushed_half(a, flushes)), y = half_of<H>(flushed_half(b, flushes));
    const H z = half_of<H>(flushed_half(c, flushes));
    const H sum = modifier == 1   ? __hfma_sat(x, y, z)
                  : modifier == 2 ? __hfma_relu(x, y, z)
                                  : __hfma(x, y, z);
    return (u16)flushed_half(sum.__x, flushes);
}
template <class H>
INTERNAL u16 extreme(u32 a, u32 b, u32 operation, u32 flushes, u32 keeps_nan, u32 xorsign)
{
    const u32 mask = xorsign != 0 ? 0x7fff : 0xffff;
    const H x = half_of<H>(flushed_half(a & mask, flushes)),
            y = half_of<H>(flushed_half(b & mask, flushes));
    const H z = operation == 1 ? (keeps_nan != 0 ? __hmin_nan(x, y) : __hmin(x, y))
                               : (keeps_nan != 0 ? __hmax_nan(x, y) : __hmax(x, y));
    const u32 sign = xorsign != 0 && !__hisnan(z) ? (a ^ b) & 0x8000 : 0;
    return (u16)(z.__x | sign);
}
template <class H> INTERNAL u16 approximate(u32 a, u32 operation)
{
    return (operation == 1 ? hexp2(half_of<H>(a)) : htanh(half_of<H>(a))).__x;
}
/* eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan */
template <class H> INTERNAL bool holds(u32 a, u32 b, u32 relation, u32 flushes)
{
    const float x = half_of<H>(flushed_half(a, flushes)).__v(),
                y = half_of<H>(flushed_half(b, flushes)).__v();
    switch (relation) {
    case 1:
        return x == y;
    case 2:
        return x < y || x > y;
    case 3:
        return x < y;
    case 4:
        return x <= y;
    case 5:
        return x > y;
    case 6:
        return x >= y;
    case 11:
        return !(x < y || x > y);
    case 12:
        return !(x == y);
    case 13:
        return !(x >= y);
    case 14:
        return !(x > y);
    case 15:
        return !(x <= y);
    case 16:
        return !(x < y);
    case 17:
        return x == x && y == y;
    default:
        return x != x || y != y;
    }
}

/* Each function for one element and for two, of both types. */
#define ONE(F, TYPE, ...) (TYPE == HALF ? F<__half>(__VA_ARGS__) : F<__nv_bfloat16>(__VA_ARGS__))
#define TWO(LOW, HIGH) ((u32)(LOW) | (u32)(HIGH) << 16)

PTX(u16, arithmetic16, u16 a, u16 b, u32 operation, u32 flushes, u32 saturates, u32 type)
{
    return ONE(arithmetic, type, a, b, operation, flushes, saturates);
}
PTX(u32, arithmetic16x2, u32 a, u32 b, u32 operation, u32 flushes, u32 saturates, u32 type)
{
    return TWO(ONE(arithmetic, type, a, b, operation, flushes, saturates),
               ONE(arithmetic, type, a >> 16, b >> 16, operation, flushes, saturates));
}
PTX(u16, fma16, u16 a, u16 b, u16 c, u32 flushes, u32 modifier, u32 type)
{
    return ONE(fma, type, a, b, c, flushes, modifier);
}
PTX(u32, fma16x2, u32 a, u32 b, u32 c, u32 flushes, u32 modifier, u32 type)
{
    return TWO(ONE(fma, type, a, b, c, flushes, modifier),
               ONE(fma, type, a >> 16, b >> 16, c >> 16, flushes, modifier));
}
PTX(u16, extreme16, u16 a, u16 b, u32 operation, u32 flushes, u32 keeps_nan, u32 xorsign,
    u32 type)
{
    return ONE(extreme, type, a, b, operation, flushes, keeps_nan, xorsign);
}
PTX(u32, extreme16x2, u32 a, u32 b, u32 operation, u32 flushes, u32 keeps_nan, u32 xorsign,
    u32 type)
{
    return TWO(ONE(extreme, type, a, b, operation, flushes, keeps_nan, xorsign),
               ONE(extreme, type, a >> 16, b >> 16, operation, flushes, keeps_nan, xorsign));
}
/* A NaN of these types has one form, whatever its sign. */
INTERNAL u16 signed_half(u32 a, u32 operation, u32 flushes, u32 infinity)
{
    const u32 x = flushed_half(a & 0xffff, flushes);
    const u32 magnitude = x & 0x7fff, sign = operation == 1 ? ~x & 0x8000 : 0;
    return (u16)(magnitude > infinity ? 0x7fff : magnitude | sign);
}
PTX(u16, sign16, u16 a, u32 operation, u32 flushes, u32 type)
{
    return signed_half(a, operation, flushes, type == HALF ? 0x7c00 : 0x7f80);
}
PTX(u32, sign16x2, u32 a, u32 operation, u32 flushes, u32 type)
{
    const u32 infinity = type == HALF ? 0x7c00 : 0x7f80;
    return TWO(signed_half(a, operation, flushes, infinity), signed_half(a >> 16, operation, flushes, infinity));
}
PTX(u16, approximate16, u16 a, u32 operation, u32 type)
{
    return ONE(approximate, type, a, operation);
}
PTX(u32, approximate16x2, u32 a, u32 operation, u32 type)
{
    return TWO(ONE(approximate, type, a, operation), ONE(approximate, type, a >> 16, operation));
}

INTERNAL u16 one(u32 type)
{
    return type == HALF ? 0x3c00 : 0x3f80;
}
PTX(u32, setp16, u16 a, u16 b, u32 relation, u32 flushes, u32 type)
{
    return ONE(holds, type, a, b, relation, flushes);
}
PTX(void, setp16x2, u32 *low, u32 *high, u32 a, u32 b, u32 relation, u32 flushes, u32 type)
{
    *low = ONE(holds, type, a, b, relation, flushes);
    *high = ONE(holds, type, a >> 16, b >> 16, relation, flushes);
}
PTX(u16, set16, u16 a, u16 b, u32 relation, u32 flushes, u32 type)
{
    return ONE(holds, type, a, b, relation, flushes) ? one(type) : 0;
}
PTX(u32, set16x2, u32 a, u32 b, u32 relation, u32 flushes, u32 type)
{
    return TWO(ONE(holds, type, a, b, relation, flushes) ? one(type) : 0,
               ONE(holds, type, a >> 16, b >> 16, relation, flushes) ? one(type) : 0);
}

/* All bits are set where the relation holds. */
PTX(u16, set_mask16, u16 a, u16 b, u32 relation, u32 flushes, u32 type)
{
    return ONE(holds, type, a, b, relation, flushes) ? 0xffff : 0;
}
PTX(u32, set_mask32, u16 a, u16 b, u32 relation, u32 flushes, u32 type)
{
    return ONE(holds, type, a, b, relation, flushes) ? ~0u : 0;
}
PTX(u32, set_mask16x2, u32 a, u32 b, u32 relation, u32 flushes, u32 type)
{
    return TWO(ONE(holds, type, a, b, relation, flushes) ? 0xffff : 0,
               ONE(holds, type, a >> 16, b >> 16, relation, flushes) ? 0xffff : 0);
}

/* ---- conversions ---- */

template <class H, class F> INTERNAL u16 rounded(F x, u32 rounding)
{
    return (rounding <= NEAREST ? H(x) : __cdp_half_directed<H>(x, direction(rounding))).__x;
}
PTX(u32, float_of_half, u16 x, u32 is_bfloat, u32, u32)
{
    return bits(is_bfloat != 0 ? half_of<__nv_bfloat16>(x).__v() : half_of<__half>(x).__v());
}
PTX(u16, half_of_float, u32 x, u32 rounding, u32 is_bfloat, u32)
{
    return is_bfloat != 0 ? rounded<__nv_bfloat16>(real(x), rounding)
                          : rounded<__half>(real(x), rounding);
}
/* A NaN keeps its sign and its upper bits. */
PTX(u16, half_of_double, u64 x, u32 rounding, u32 is_bfloat, u32)
{
    if (is_bfloat == 0 && real(x) != real(x)) {
        return (u16)(x >> 48 & 0x8000) | 0x7e00 | (u16)(x >> 42 & 0x1ff);
    }
    return is_bfloat != 0 ? rounded<__nv_bfloat16>(real(x), rounding)
                          : rounded<__half>(real(x), rounding);
}
PTX(u16, half_of_integer, u64 x, u32 is_signed, u32 rounding, u32 is_bfloat)
{
    const double y = is_signed != 0 ? __cdp_exactly((s64)x) : __cdp_exactly(x);
    return is_bfloat != 0 ? rounded<__nv_bfloat16>(y, rounding) : rounded<__half>(y, rounding);
}
/* sat, satfinite; relu */
INTERNAL u16 limited(u16 x, u32 saturation, u32 relu, bool is_bfloat)
{
    const u32 infinity = is_bfloat ? 0x7f80 : 0x7c00, magnitude = x & 0x7fff;
    if (magnitude > infinity) {
        return saturation == 1 ? 0 : x;
    }
    if ((x & 0x8000) != 0 && (relu != 0 || saturation == 1)) {
        return 0;
    }
    const u32 most = saturation == 1   ? one(is_bfloat ? BFLOAT : HALF)
                     : saturation == 2 ? infinity - 1
                                       : infinity;
    return magnitude > most ? (u16)((x & 0x8000) | most) : x;
}
PTX(u16, limit_half, u16 x, u32 saturation, u32 relu, u32 is_bfloat)
{
    return limited(x, saturation, relu, is_bfloat != 0);
}
/* a becomes the upper element. */
PTX(u32, two_halves, u32 a, u32 b, u32 rounding, u32 relu, u32 satfinite, u32 type)
{
    const u16 high = ptx_half_of_float(a, rounding, type == BFLOAT, 0);
    const u16 low = ptx_half_of_float(b, rounding, type == BFLOAT, 0);
    const u32 saturation = satfinite != 0 ? 2 : 0;
    return TWO(limited(low, saturation, relu, type == BFLOAT),
               limited(high, saturation, relu, type == BFLOAT));
}
/* rn, rna, rz: 10 bits of the fraction are kept. rna cuts off those of a NaN, which may give infinity. */
PTX(u32, tf32, u32 a, u32 rounding, u32 relu, u32 satfinite)
{
    const u32 magnitude = a & 0x7fffffff, sign = a & 0x80000000;
    if (magnitude > 0x7f800000) {
        return rounding == 2 ? a & 0xffffe000 : 0x7fffe000;
    }
    if (relu != 0 && sign != 0) {
        return 0;
    }
    const u32 added = rounding == 1 ? 0xfff + (magnitude >> 13 & 1) : rounding == 2 ? 0x1000 : 0;
    u32 result = magnitude == 0x7f800000 ? magnitude : (magnitude + added) & 0xffffe000;
    if (satfinite != 0 && result >= 0x7f800000) {
        result = 0x7f7fe000;
    }
    return result | sign;
}
