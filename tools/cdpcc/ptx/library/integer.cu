/* Integer instructions of inline PTX. */
#include "library.h"

INTERNAL u32 least(u32 a, u32 b)
{
    return a < b ? a : b;
}
INTERNAL s64 limited(s64 x, s64 low, s64 high)
{
    return x < low ? low : x > high ? high : x;
}
INTERNAL u32 saturated_32(s64 x)
{
    return (u32)limited(x, -0x80000000ll, 0x7fffffff);
}
/* The n low bits set; n is at most 64. */
INTERNAL u64 ones(u32 n)
{
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}

PTX(u32, saturated, u32 a, u32 b, u32 operation)
{
    return saturated_32(operation == 1 ? (s64)(s32)a + (s32)b : (s64)(s32)a - (s32)b);
}

INTERNAL s32 lane_of_16(u32 x, u32 lane, bool is_signed)
{
    const u16 half = (u16)(x >> 16 * lane);
    return is_signed ? (s32)(short)half : (s32)half;
}
/* add, sub, min, max; u16x2, s16x2; relu */
PTX(u32, pair_of_integers, u32 a, u32 b, u32 operation, u32 type, u32 relu)
{
    u32 result = 0;
    _Pragma("unroll") for (u32 lane = 0; lane < 2; lane++)
    {
        const s32 x = lane_of_16(a, lane, type == 2), y = lane_of_16(b, lane, type == 2);
        s32 z = operation == 1   ? x + y
                : operation == 2 ? x - y
                : operation == 3 ? (x < y ? x : y)
                                 : (x > y ? x : y);
        z = relu != 0 && z < 0 ? 0 : z;
        result |= ((u32)z & 0xffff) << 16 * lane;
    }
    return result;
}
PTX(u32, relu, u32 a, u32 b, u32 operation)
{
    const s32 x = (s32)a, y = (s32)b, z = operation == 1 ? (x < y ? x : y) : (x > y ? x : y);
    return (u32)(z < 0 ? 0 : z);
}

PTX(u32, mad_hi_sat, u32 a, u32 b, u32 c)
{
    return saturated_32(((s64)(s32)a * (s32)b >> 32) + (s32)c);
}
/* Bits 0 to 31, or 16 to 47, of the product of 24-bit numbers. */
INTERNAL u32 product_24(u32 a, u32 b, u32 half, u32 type)
{
    const s64 x = type == 2 ? (s64)((s32)(a << 8) >> 8) : (s64)(a & 0xffffff);
    const s64 y = type == 2 ? (s64)((s32)(b << 8) >> 8) : (s64)(b & 0xffffff);
    return (u32)((u64)(x * y) >> (half == 2 ? 16 : 0));
}
PTX(u32, mul24, u32 a, u32 b, u32 half, u32 type)
{
    return product_24(a, b, half, type);
}
PTX(u32, mad24, u32 a, u32 b, u32 c, u32 half, u32 saturates, u32 type)
{
    const u32 product = product_24(a, b, half, type);
    return saturates != 0 ? saturated_32((s64)(s32)product + (s32)c) : product + c;
}
/* u32, s32, u16, s16 */
PTX(u32, sad, u32 a, u32 b, u32 c, u32 type)
{
    const s64 x = type == 1   ? (s64)a
                  : type == 2 ? (s64)(s32)a
                  : type == 3 ? (s64)(u16)a
                              : (s64)(short)(u16)a;
    const s64 y = type == 1   ? (s64)b
                  : type == 2 ? (s64)(s32)b
                  : type == 3 ? (s64)(u16)b
                              : (s64)(short)(u16)b;
    return c + (u32)(x < y ? y - x : x - y);
}
PTX(u64, sad64, u64 a, u64 b, u64 c, u32 type)
{
    const bool less = type == 2 ? (s64)a < (s64)b : a < b;
    return c + (less ? b - a : a - b);
}
INTERNAL s32 byte_of(u32 x, u32 lane, u32 type)
{
    const u8 byte = (u8)(x >> 8 * lane);
    return type == 2 ? (s32)(signed char)byte : (s32)byte;
}
PTX(u32, dp4a, u32 a, u32 b, u32 c, u32 type_a, u32 type_b)
{
    _Pragma("unroll") for (u32 i = 0; i < 4; i++)
    {
        c += (u32)(byte_of(a, i, type_a) * byte_of(b, i, type_b));
    }
    return c;
}
PTX(u32, dp2a, u32 a, u32 b, u32 c, u32 half, u32 type_a, u32 type_b)
{
    _Pragma("unroll") for (u32 i = 0; i < 2; i++)
    {
        c += (u32)(lane_of_16(a, i, type_a == 2) * byte_of(b, i + (half == 2 ? 2 : 0), type_b));
    }
    return c;
}

PTX(u32, slct32, u32 a, u32 b, u32 c)
{
    return (s32)c >= 0 ? a : b;
}
PTX(u64, slct64, u64 a, u64 b, u32 c)
{
    return (s32)c >= 0 ? a : b;
}
PTX(u32, slct32_by_float, u32 a, u32 b, u32 c)
{
    return real(c) >= 0.0f ? a : b;
}
PTX(u64, slct64_by_float, u64 a, u64 b, u32 c)
{
    return real(c) >= 0.0f ? a : b;
}

/* f4e, b4e, rc8, ecl, ecr, rc16: which byte each byte of the result is, for the selector c. */
PTX(u32, prmt, u32 a, u32 b, u32 c, u32 mode)
{
    const u64 both = (u64)b << 32 | a;
    const u32 s = c & 3;
    u32 result = 0;
    _Pragma("unroll") for (u32 i = 0; i < 4; i++)
    {
        const u32 from = mode == 1   ? s + i
                         : mode == 2 ? (s - i) & 7
                         : mode == 3 ? s
                         : mode == 4 ? (i < s ? s : i)
                         : mode == 5 ? (i < s ? i : s)
                                     : ((s & 1) * 2) + (i & 1);
        result |= ((u32)(both >> 8 * (from & 7)) & 0xff) << 8 * i;
    }
    return result;
}
PTX(u32, shf, u32 a, u32 b, u32 c, u32 direction, u32 mode)
{
    const u32 n = mode == 1 ? c & 31 : least(c, 32);
    const u64 both = (u64)b << 32 | a;
    return direction == 1 ? (u32)(both << n >> 32) : (u32)(both >> n);
}
/* bfe and bfi of 64 bits. PTX says that positions and lengths are bytes, as they are for 32 bits; on
 * a GPU they are whole numbers. */
PTX(u64, bfe64, u64 a, u32 position, u32 length, u32 type)
{
    const bool is_signed = type == 2;
    const u32 top = least(position, 63) + least(length, 64) - 1;
    const bool is_negative = is_signed && length != 0 && (a >> least(top, 63) & 1) != 0;
    const u64 field = position > 63 ? 0 : a >> position;
    const u32 kept = least(length, position > 63 ? 0 : 64 - position);
    return (field & ones(kept)) | (is_negative ? ~ones(kept) : 0);
}
PTX(u64, bfi64, u64 a, u64 b, u32 position, u32 length)
{
    const u64 mask = position > 63 ? 0 : ones(least(length, 64)) << position;
    return (b & ~mask) | (position > 63 ? 0 : a << position & mask);
}
PTX(u32, bmsk, u32 position, u32 length, u32 mode)
{
    position = mode == 1 ? least(position, 32) : position & 31;
    length = mode == 1 ? least(length, 32) : length & 31;
    return (u32)(ones(length) << position);
}
/* The value of n low bits, extended to 32. */
PTX(u32, szext, u32 a, u32 n, u32 mode, u32 type)
{
    n = mode == 1 ? least(n, 32) : n & 31;
    const bool is_negative = type == 2 && n != 0 && (a >> (n - 1) & 1) != 0;
    return (a & (u32)ones(n)) | (is_negative ? ~(u32)ones(n) : 0);
}
PTX(u32, fns, u32 mask, u32 base, u32 offset)
{
    return __fns(mask, base, (int)offset);
}
INTERNAL u32 packed(u32 x, s64 low, s64 high)
{
    return (u32)limited((s32)x, low, high);
}
PTX(u32, pack16, u32 a, u32 b, u32 type)
{
    const s64 low = type == 2 ? -32768 : 0, high = type == 2 ? 32767 : 65535;
    return (packed(a, low, high) & 0xffff) << 16 | (packed(b, low, high) & 0xffff);
}
/* u8, s8, u4, s4, u2, s2: a and b become the low elements, c moves up. */
PTX(u32, pack_small, u32 a, u32 b, u32 c, u32 type)
{
    const u32 width = type <= 2 ? 8 : type <= 4 ? 4 : 2;
    const bool is_signed = type % 2 == 0;
    const s64 high = (1 << (width - is_signed)) - 1, low = is_signed ? -high - 1 : 0;
    const u32 mask = (1u << width) - 1;
    return c << 2 * width | (packed(a, low, high) & mask) << width | (packed(b, low, high) & mask);
}

/* global, shared, local, const, param */
PTX(u32, isspacep, void *p, u32 space)
{
    return space == 1   ? __isGlobal(p)
           : space == 2 ? __isShared(p)
           : space == 3 ? __isLocal(p)
           : space == 4 ? __isConstant(p)
                        : 0;
}
/* No cache needs a policy here. */
PTX(u64, policy, u32)
{
    return 0;
}
