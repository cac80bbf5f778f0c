/* Integer intrinsics, and two or four integers packed in a word. */
#ifndef CDP_INTEGER_H
#define CDP_INTEGER_H

#include "../vector_types.h"

/* ---- Constants ---- */

/* cdpcc writes it around the right operand of shifts and divisions whose constant value C++ leaves
 * open, so that the program computes them. */
template <class T> CDP_BOTH_INLINE constexpr T __cdp_at_run_time(T v)
{
    return v;
}

/* ---- Bits ---- */

CDP_DEVICE_INLINE int __clz(int v)
{
    return v ? __builtin_clz((unsigned int)v) : 32;
}
CDP_DEVICE_INLINE int __clzll(long long v)
{
    return v ? __builtin_clzll((unsigned long long)v) : 64;
}
CDP_DEVICE_INLINE int __ffs(int v)
{
    return __builtin_ffs(v);
}
CDP_DEVICE_INLINE int __ffsll(long long v)
{
    return __builtin_ffsll(v);
}
CDP_DEVICE_INLINE int __popc(unsigned int v)
{
    return __builtin_popcount(v);
}
CDP_DEVICE_INLINE int __popcll(unsigned long long v)
{
    return __builtin_popcountll(v);
}
CDP_DEVICE_INLINE unsigned int __brev(unsigned int v)
{
    return __builtin_bitreverse32(v);
}
CDP_DEVICE_INLINE unsigned long long __brevll(unsigned long long v)
{
    return __builtin_bitreverse64(v);
}
/* The n-th set bit from base on, downwards for negative n; -1 if there is none. */
CDP_DEVICE_INLINE unsigned int __fns(unsigned int mask, unsigned int base, int n)
{
    if (n == 0) {
        return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
    }
    const int step = n > 0 ? 1 : -1;
    for (int bit = (int)base, left = n > 0 ? n : -n; bit >= 0 && bit < 32; bit += step) {
        if ((mask >> bit & 1) && --left == 0) {
            return (unsigned int)bit;
        }
    }
    return 0xffffffffu;
}
CDP_DEVICE_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        result |= (unsigned int)(bytes >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
    }
    return result;
}
CDP_DEVICE_INLINE unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int n)
{
    return __builtin_elementwise_fshl(hi, lo, n & 31);
}
CDP_DEVICE_INLINE unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int n)
{
    return __builtin_elementwise_fshr(hi, lo, n & 31);
}
CDP_DEVICE_INLINE unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int n)
{
    return n >= 32 ? lo : __funnelshift_l(lo, hi, n);
}
CDP_DEVICE_INLINE unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int n)
{
    return n >= 32 ? hi : __funnelshift_r(lo, hi, n);
}

/* ---- Arithmetic ---- */

CDP_DEVICE_INLINE int __mul24(int a, int b)
{
    const int x = (int)((unsigned int)a << 8) >> 8, y = (int)((unsigned int)b << 8) >> 8;
    return (int)((unsigned int)x * (unsigned int)y);
}
CDP_DEVICE_INLINE unsigned int __umul24(unsigned int a, unsigned int b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}
CDP_DEVICE_INLINE int mul24(int a, int b)
{
    return __mul24(a, b);
}
CDP_DEVICE_INLINE unsigned int umul24(unsigned int a, unsigned int b)
{
    return __umul24(a, b);
}
CDP_DEVICE_INLINE int __mulhi(int a, int b)
{
    return (int)((long long)a * b >> 32);
}
CDP_DEVICE_INLINE unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return (unsigned int)((unsigned long long)a * b >> 32);
}
CDP_DEVICE_INLINE int mulhi(int a, int b)
{
    return __mulhi(a, b);
}
CDP_DEVICE_INLINE unsigned int umulhi(unsigned int a, unsigned int b)
{
    return __umulhi(a, b);
}
CDP_DEVICE_INLINE long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
CDP_DEVICE_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
CDP_DEVICE_INLINE unsigned int __sad(int a, int b, unsigned int c)
{
    return c + (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a);
}
CDP_DEVICE_INLINE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c)
{
    return c + (a > b ? a - b : b - a);
}
CDP_DEVICE_INLINE int __hadd(int a, int b)
{
    return (int)(((long long)a + b) >> 1);
}
CDP_DEVICE_INLINE int __rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}
CDP_DEVICE_INLINE unsigned int __uhadd(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a + b) >> 1);
}
CDP_DEVICE_INLINE unsigned int __urhadd(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

/* ---- Dot products ---- */

#define CDP_DP4A(T, V, byte)                                                                       \
    CDP_DEVICE_INLINE T __dp4a(V a, V b, T c)                                                      \
    {                                                                                              \
        const int sum = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                             \
        return (T)((unsigned int)c + (unsigned int)sum);                                           \
    }                                                                                              \
    CDP_DEVICE_INLINE T __dp4a(T a, T b, T c)                                                      \
    {                                                                                              \
        return __dp4a(__builtin_bit_cast(V, a), __builtin_bit_cast(V, b), c);                      \
    }
CDP_DP4A(int, char4, signed char)
CDP_DP4A(unsigned int, uchar4, unsigned char)
#undef CDP_DP4A
#define CDP_DP2A(name, T, V2, V4, p, q)                                                            \
    CDP_DEVICE_INLINE T name(V2 a, V4 b, T c)                                                      \
    {                                                                                              \
        return (T)((unsigned int)c + (unsigned int)(a.x * b.p) + (unsigned int)(a.y * b.q));       \
    }                                                                                              \
    CDP_DEVICE_INLINE T name(T a, T b, T c)                                                        \
    {                                                                                              \
        return name(__builtin_bit_cast(V2, a), __builtin_bit_cast(V4, b), c);                      \
    }
CDP_DP2A(__dp2a_lo, int, short2, char4, x, y)
CDP_DP2A(__dp2a_hi, int, short2, char4, z, w)
CDP_DP2A(__dp2a_lo, unsigned int, ushort2, uchar4, x, y)
CDP_DP2A(__dp2a_hi, unsigned int, ushort2, uchar4, z, w)
#undef CDP_DP2A

/* ---- SIMD within a word: 4 bytes or 2 half-words, s signed, u unsigned ---- */

#define CDP_SIMD(name, T, bits, expression)                                                        \
    CDP_DEVICE_INLINE unsigned int name(unsigned int a, unsigned int b)                            \
    {                                                                                              \
        unsigned int result = 0;                                                                   \
        for (int i = 0; i < 32; i += bits) {                                                       \
            const int x = (T)(a >> i), y = (T)(b >> i);                                            \
            result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << i;                      \
        }                                                                                          \
        return result;                                                                             \
    }
#define CDP_SIMD_PLAIN(name, expression)                                                           \
    CDP_SIMD(name##4, unsigned char, 8, expression)                                                \
    CDP_SIMD(name##2, unsigned short, 16, expression)
#define CDP_SIMD_S(name, expression)                                                               \
    CDP_SIMD(name##s4, signed char, 8, expression)                                                 \
    CDP_SIMD(name##s2, short, 16, expression)
#define CDP_SIMD_U(name, expression)                                                               \
    CDP_SIMD(name##u4, unsigned char, 8, expression)                                               \
    CDP_SIMD(name##u2, unsigned short, 16, expression)
#define CDP_SIMD_SU(name, expression) CDP_SIMD_S(name, expression) CDP_SIMD_U(name, expression)
#define CDP_CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

CDP_SIMD_PLAIN(__vadd, x + y)
CDP_SIMD_PLAIN(__vsub, x - y)
CDP_SIMD(__vaddss4, signed char, 8, CDP_CLAMP(x + y, -128, 127))
CDP_SIMD(__vaddss2, short, 16, CDP_CLAMP(x + y, -32768, 32767))
CDP_SIMD(__vsubss4, signed char, 8, CDP_CLAMP(x - y, -128, 127))
CDP_SIMD(__vsubss2, short, 16, CDP_CLAMP(x - y, -32768, 32767))
CDP_SIMD(__vaddus4, unsigned char, 8, CDP_CLAMP(x + y, 0, 255))
CDP_SIMD(__vaddus2, unsigned short, 16, CDP_CLAMP(x + y, 0, 65535))
CDP_SIMD(__vsubus4, unsigned char, 8, CDP_CLAMP(x - y, 0, 255))
CDP_SIMD(__vsubus2, unsigned short, 16, CDP_CLAMP(x - y, 0, 65535))
CDP_SIMD_SU(__vmax, x > y ? x : y)
CDP_SIMD_SU(__vmin, x < y ? x : y)
CDP_SIMD_SU(__vabsdiff, x > y ? x - y : y - x)
/* Averages round up, those of signed numbers away from zero. */
CDP_SIMD_U(__vavg, (x + y + 1) >> 1)
CDP_SIMD_S(__vavg, (x + y + (x + y >= 0)) >> 1)
CDP_SIMD_U(__vhadd, (x + y) >> 1)
CDP_SIMD_PLAIN(__vcmpeq, x == y ? -1 : 0)
CDP_SIMD_PLAIN(__vcmpne, x != y ? -1 : 0)
CDP_SIMD_SU(__vcmpgt, x > y ? -1 : 0)
CDP_SIMD_SU(__vcmpge, x >= y ? -1 : 0)
CDP_SIMD_SU(__vcmplt, x < y ? -1 : 0)
CDP_SIMD_SU(__vcmple, x <= y ? -1 : 0)
CDP_SIMD_PLAIN(__vseteq, x == y)
CDP_SIMD_PLAIN(__vsetne, x != y)
CDP_SIMD_SU(__vsetgt, x > y)
CDP_SIMD_SU(__vsetge, x >= y)
CDP_SIMD_SU(__vsetlt, x < y)
CDP_SIMD_SU(__vsetle, x <= y)

#undef CDP_CLAMP
#undef CDP_SIMD_SU
#undef CDP_SIMD_U
#undef CDP_SIMD_S
#undef CDP_SIMD_PLAIN
#undef CDP_SIMD

#define CDP_SIMD_ONE(name, expression)                                                             \
    CDP_DEVICE_INLINE unsigned int name(unsigned int a)                                            \
    {                                                                                              \
        return expression;                                                                         \
    }
CDP_SIMD_ONE(__vneg4, __vsub4(0, a))
CDP_SIMD_ONE(__vneg2, __vsub2(0, a))
CDP_SIMD_ONE(__vnegss4, __vsubss4(0, a))
CDP_SIMD_ONE(__vnegss2, __vsubss2(0, a))
CDP_SIMD_ONE(__vabs4, __vabsdiffs4(a, 0))
CDP_SIMD_ONE(__vabs2, __vabsdiffs2(a, 0))
CDP_SIMD_ONE(__vabsss4, __vmaxs4(a, __vsubss4(0, a)))
CDP_SIMD_ONE(__vabsss2, __vmaxs2(a, __vsubss2(0, a)))
#undef CDP_SIMD_ONE

#define CDP_SAD4(name, difference)                                                                 \
    CDP_DEVICE_INLINE unsigned int name(unsigned int a, unsigned int b)                            \
    {                                                                                              \
        const unsigned int d = difference(a, b);                                                   \
        return (d & 255) + (d >> 8 & 255) + (d >> 16 & 255) + (d >> 24);                           \
    }
#define CDP_SAD2(name, difference)                                                                 \
    CDP_DEVICE_INLINE unsigned int name(unsigned int a, unsigned int b)                            \
    {                                                                                              \
        const unsigned int d = difference(a, b);                                                   \
        return (d & 65535) + (d >> 16);                                                            \
    }
CDP_SAD4(__vsadu4, __vabsdiffu4)
CDP_SAD4(__vsads4, __vabsdiffs4)
CDP_SAD2(__vsadu2, __vabsdiffu2)
CDP_SAD2(__vsads2, __vabsdiffs2)
#undef CDP_SAD4
#undef CDP_SAD2

/* ---- Fused minimum and maximum (DPX) on whole words ---- */

CDP_DEVICE_INLINE int __cdp_imax(int a, int b)
{
    return a > b ? a : b;
}
CDP_DEVICE_INLINE int __cdp_imin(int a, int b)
{
    return a < b ? a : b;
}
CDP_DEVICE_INLINE unsigned int __cdp_umax(unsigned int a, unsigned int b)
{
    return a > b ? a : b;
}
CDP_DEVICE_INLINE unsigned int __cdp_umin(unsigned int a, unsigned int b)
{
    return a < b ? a : b;
}
CDP_DEVICE_INLINE int __cdp_iadd(int a, int b)
{
    return (int)((unsigned int)a + (unsigned int)b);
}

#define CDP_DPX2(name, T, expression)                                                              \
    CDP_DEVICE_INLINE T name(T a, T b)                                                             \
    {                                                                                              \
        return expression;                                                                         \
    }
#define CDP_DPX3(name, T, expression)                                                              \
    CDP_DEVICE_INLINE T name(T a, T b, T c)                                                        \
    {                                                                                              \
        return expression;                                                                         \
    }
CDP_DPX2(__vimax_s32_relu, int, __cdp_imax(__cdp_imax(a, b), 0))
CDP_DPX2(__vimin_s32_relu, int, __cdp_imax(__cdp_imin(a, b), 0))
CDP_DPX3(__vimax3_s32, int, __cdp_imax(__cdp_imax(a, b), c))
CDP_DPX3(__vimin3_s32, int, __cdp_imin(__cdp_imin(a, b), c))
CDP_DPX3(__vimax3_u32, unsigned int, __cdp_umax(__cdp_umax(a, b), c))
CDP_DPX3(__vimin3_u32, unsigned int, __cdp_umin(__cdp_umin(a, b), c))
CDP_DPX3(__vimax3_s32_relu, int, __cdp_imax(__vimax3_s32(a, b, c), 0))
CDP_DPX3(__vimin3_s32_relu, int, __cdp_imax(__vimin3_s32(a, b, c), 0))
CDP_DPX3(__viaddmax_s32, int, __cdp_imax(__cdp_iadd(a, b), c))
CDP_DPX3(__viaddmin_s32, int, __cdp_imin(__cdp_iadd(a, b), c))
CDP_DPX3(__viaddmax_u32, unsigned int, __cdp_umax(a + b, c))
CDP_DPX3(__viaddmin_u32, unsigned int, __cdp_umin(a + b, c))
CDP_DPX3(__viaddmax_s32_relu, int, __cdp_imax(__viaddmax_s32(a, b, c), 0))
CDP_DPX3(__viaddmin_s32_relu, int, __cdp_imax(__viaddmin_s32(a, b, c), 0))
#undef CDP_DPX2
#undef CDP_DPX3

#endif
