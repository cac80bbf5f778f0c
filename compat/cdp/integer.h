/* Integer intrinsics, and two or four integers packed in a word. */
#ifndef __CDP_INTEGER_H
#define __CDP_INTEGER_H

#include "../vector_types.h"

/* ---- Constants ---- */

/* cdpcc adds calls of it around the right operand of shifts and divisions whose constant value C++
 * does not define. So the program computes them. */
template <class __T> __CDP_BOTH_INLINE constexpr __T __cdp_at_run_time(__T __v)
{
    return __v;
}

/* ---- Bits ---- */

__CDP_DEVICE_INLINE int __clz(int __v)
{
    return __v ? __builtin_clz((unsigned int)__v) : 32;
}
__CDP_DEVICE_INLINE int __clzll(long long __v)
{
    return __v ? __builtin_clzll((unsigned long long)__v) : 64;
}
__CDP_DEVICE_INLINE int __ffs(int __v)
{
    return __builtin_ffs(__v);
}
__CDP_DEVICE_INLINE int __ffsll(long long __v)
{
    return __builtin_ffsll(__v);
}
__CDP_DEVICE_INLINE int __popc(unsigned int __v)
{
    return __builtin_popcount(__v);
}
__CDP_DEVICE_INLINE int __popcll(unsigned long long __v)
{
    return __builtin_popcountll(__v);
}
__CDP_DEVICE_INLINE unsigned int __brev(unsigned int __v)
{
    return __builtin_bitreverse32(__v);
}
__CDP_DEVICE_INLINE unsigned long long __brevll(unsigned long long __v)
{
    return __builtin_bitreverse64(__v);
}
/* The n-th set bit, starting at base, downwards for negative n; -1 if there is none. */
__CDP_DEVICE_INLINE unsigned int __fns(unsigned int __mask, unsigned int __base, int __n)
{
    if (__n == 0) {
        return __base < 32 && (__mask >> __base & 1) ? __base : 0xffffffffu;
    }
    const int __step = __n > 0 ? 1 : -1;
    for (int __bit = (int)__base, __left = __n > 0 ? __n : -__n; __bit >= 0 && __bit < 32;
         __bit += __step) {
        if ((__mask >> __bit & 1) && --__left == 0) {
            return (unsigned int)__bit;
        }
    }
    return 0xffffffffu;
}
__CDP_DEVICE_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y,
                                             unsigned int __selector)
{
    const unsigned long long __bytes = (unsigned long long)y << 32 | x;
    unsigned int __result = 0;
    for (int __i = 0; __i < 4; __i++) {
        __result |= (unsigned int)(__bytes >> (__selector >> 4 * __i & 7) * 8 & 255) << 8 * __i;
    }
    return __result;
}
__CDP_DEVICE_INLINE unsigned int __funnelshift_l(unsigned int __lo, unsigned int __hi,
                                                 unsigned int __n)
{
    return __builtin_elementwise_fshl(__hi, __lo, __n & 31);
}
__CDP_DEVICE_INLINE unsigned int __funnelshift_r(unsigned int __lo, unsigned int __hi,
                                                 unsigned int __n)
{
    return __builtin_elementwise_fshr(__hi, __lo, __n & 31);
}
__CDP_DEVICE_INLINE unsigned int __funnelshift_lc(unsigned int __lo, unsigned int __hi,
                                                  unsigned int __n)
{
    return __n >= 32 ? __lo : __funnelshift_l(__lo, __hi, __n);
}
__CDP_DEVICE_INLINE unsigned int __funnelshift_rc(unsigned int __lo, unsigned int __hi,
                                                  unsigned int __n)
{
    return __n >= 32 ? __hi : __funnelshift_r(__lo, __hi, __n);
}

/* ---- Arithmetic ---- */

__CDP_DEVICE_INLINE int __mul24(int __a, int __b)
{
    const int x = (int)((unsigned int)__a << 8) >> 8, y = (int)((unsigned int)__b << 8) >> 8;
    return (int)((unsigned int)x * (unsigned int)y);
}
__CDP_DEVICE_INLINE unsigned int __umul24(unsigned int __a, unsigned int __b)
{
    return (__a & 0xffffff) * (__b & 0xffffff);
}
__CDP_DEVICE_INLINE int mul24(int __a, int __b)
{
    return __mul24(__a, __b);
}
__CDP_DEVICE_INLINE unsigned int umul24(unsigned int __a, unsigned int __b)
{
    return __umul24(__a, __b);
}
__CDP_DEVICE_INLINE int __mulhi(int __a, int __b)
{
    return (int)((long long)__a * __b >> 32);
}
__CDP_DEVICE_INLINE unsigned int __umulhi(unsigned int __a, unsigned int __b)
{
    return (unsigned int)((unsigned long long)__a * __b >> 32);
}
__CDP_DEVICE_INLINE int mulhi(int __a, int __b)
{
    return __mulhi(__a, __b);
}
__CDP_DEVICE_INLINE unsigned int umulhi(unsigned int __a, unsigned int __b)
{
    return __umulhi(__a, __b);
}
__CDP_DEVICE_INLINE long long __mul64hi(long long __a, long long __b)
{
    return (long long)((__int128)__a * __b >> 64);
}
__CDP_DEVICE_INLINE unsigned long long __umul64hi(unsigned long long __a, unsigned long long __b)
{
    return (unsigned long long)((unsigned __int128)__a * __b >> 64);
}
__CDP_DEVICE_INLINE unsigned int __sad(int __a, int __b, unsigned int __c)
{
    return __c + (__a > __b ? (unsigned int)__a - (unsigned int)__b
                            : (unsigned int)__b - (unsigned int)__a);
}
__CDP_DEVICE_INLINE unsigned int __usad(unsigned int __a, unsigned int __b, unsigned int __c)
{
    return __c + (__a > __b ? __a - __b : __b - __a);
}
__CDP_DEVICE_INLINE int __hadd(int __a, int __b)
{
    return (int)(((long long)__a + __b) >> 1);
}
__CDP_DEVICE_INLINE int __rhadd(int __a, int __b)
{
    return (int)(((long long)__a + __b + 1) >> 1);
}
__CDP_DEVICE_INLINE unsigned int __uhadd(unsigned int __a, unsigned int __b)
{
    return (unsigned int)(((unsigned long long)__a + __b) >> 1);
}
__CDP_DEVICE_INLINE unsigned int __urhadd(unsigned int __a, unsigned int __b)
{
    return (unsigned int)(((unsigned long long)__a + __b + 1) >> 1);
}

/* ---- Dot products ---- */

#define __CDP_DP4A(T, V, byte)                                                                     \
    __CDP_DEVICE_INLINE T __dp4a(V __a, V __b, T __c)                                              \
    {                                                                                              \
        const int __sum = __a.x * __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w;           \
        return (T)((unsigned int)__c + (unsigned int)__sum);                                       \
    }                                                                                              \
    __CDP_DEVICE_INLINE T __dp4a(T __a, T __b, T __c)                                              \
    {                                                                                              \
        return __dp4a(__builtin_bit_cast(V, __a), __builtin_bit_cast(V, __b), __c);                \
    }
__CDP_DP4A(int, char4, signed char)
__CDP_DP4A(unsigned int, uchar4, unsigned char)
#undef __CDP_DP4A
#define __CDP_DP2A(name, T, V2, V4, p, q)                                                          \
    __CDP_DEVICE_INLINE T name(V2 __a, V4 __b, T __c)                                              \
    {                                                                                              \
        return (T)((unsigned int)__c + (unsigned int)(__a.x * __b.p) +                             \
                   (unsigned int)(__a.y * __b.q));                                                 \
    }                                                                                              \
    __CDP_DEVICE_INLINE T name(T __a, T __b, T __c)                                                \
    {                                                                                              \
        return name(__builtin_bit_cast(V2, __a), __builtin_bit_cast(V4, __b), __c);                \
    }
__CDP_DP2A(__dp2a_lo, int, short2, char4, x, y)
__CDP_DP2A(__dp2a_hi, int, short2, char4, z, w)
__CDP_DP2A(__dp2a_lo, unsigned int, ushort2, uchar4, x, y)
__CDP_DP2A(__dp2a_hi, unsigned int, ushort2, uchar4, z, w)
#undef __CDP_DP2A

/* ---- SIMD within a word: 4 bytes or 2 half-words, s signed, u unsigned ---- */

#define __CDP_SIMD(name, T, bits, expression)                                                      \
    __CDP_DEVICE_INLINE unsigned int name(unsigned int __a, unsigned int __b)                      \
    {                                                                                              \
        unsigned int __result = 0;                                                                 \
        for (int __i = 0; __i < 32; __i += bits) {                                                 \
            const int x = (T)(__a >> __i), y = (T)(__b >> __i);                                    \
            __result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << __i;                  \
        }                                                                                          \
        return __result;                                                                           \
    }
#define __CDP_SIMD_PLAIN(name, expression)                                                         \
    __CDP_SIMD(name##4, unsigned char, 8, expression)                                              \
    __CDP_SIMD(name##2, unsigned short, 16, expression)
#define __CDP_SIMD_S(name, expression)                                                             \
    __CDP_SIMD(name##s4, signed char, 8, expression)                                               \
    __CDP_SIMD(name##s2, short, 16, expression)
#define __CDP_SIMD_U(name, expression)                                                             \
    __CDP_SIMD(name##u4, unsigned char, 8, expression)                                             \
    __CDP_SIMD(name##u2, unsigned short, 16, expression)
#define __CDP_SIMD_SU(name, expression)                                                            \
    __CDP_SIMD_S(name, expression) __CDP_SIMD_U(name, expression)
#define __CDP_CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

__CDP_SIMD_PLAIN(__vadd, x + y)
__CDP_SIMD_PLAIN(__vsub, x - y)
__CDP_SIMD(__vaddss4, signed char, 8, __CDP_CLAMP(x + y, -128, 127))
__CDP_SIMD(__vaddss2, short, 16, __CDP_CLAMP(x + y, -32768, 32767))
__CDP_SIMD(__vsubss4, signed char, 8, __CDP_CLAMP(x - y, -128, 127))
__CDP_SIMD(__vsubss2, short, 16, __CDP_CLAMP(x - y, -32768, 32767))
__CDP_SIMD(__vaddus4, unsigned char, 8, __CDP_CLAMP(x + y, 0, 255))
__CDP_SIMD(__vaddus2, unsigned short, 16, __CDP_CLAMP(x + y, 0, 65535))
__CDP_SIMD(__vsubus4, unsigned char, 8, __CDP_CLAMP(x - y, 0, 255))
__CDP_SIMD(__vsubus2, unsigned short, 16, __CDP_CLAMP(x - y, 0, 65535))
__CDP_SIMD_SU(__vmax, x > y ? x : y)
__CDP_SIMD_SU(__vmin, x < y ? x : y)
__CDP_SIMD_SU(__vabsdiff, x > y ? x - y : y - x)
/* Averages round up, those of signed numbers away from zero. */
__CDP_SIMD_U(__vavg, (x + y + 1) >> 1)
__CDP_SIMD_S(__vavg, (x + y + (x + y >= 0)) >> 1)
__CDP_SIMD_U(__vhadd, (x + y) >> 1)
__CDP_SIMD_PLAIN(__vcmpeq, x == y ? -1 : 0)
__CDP_SIMD_PLAIN(__vcmpne, x != y ? -1 : 0)
__CDP_SIMD_SU(__vcmpgt, x > y ? -1 : 0)
__CDP_SIMD_SU(__vcmpge, x >= y ? -1 : 0)
__CDP_SIMD_SU(__vcmplt, x < y ? -1 : 0)
__CDP_SIMD_SU(__vcmple, x <= y ? -1 : 0)
__CDP_SIMD_PLAIN(__vseteq, x == y)
__CDP_SIMD_PLAIN(__vsetne, x != y)
__CDP_SIMD_SU(__vsetgt, x > y)
__CDP_SIMD_SU(__vsetge, x >= y)
__CDP_SIMD_SU(__vsetlt, x < y)
__CDP_SIMD_SU(__vsetle, x <= y)

#undef __CDP_CLAMP
#undef __CDP_SIMD_SU
#undef __CDP_SIMD_U
#undef __CDP_SIMD_S
#undef __CDP_SIMD_PLAIN
#undef __CDP_SIMD

#define __CDP_SIMD_ONE(name, expression)                                                           \
    __CDP_DEVICE_INLINE unsigned int name(unsigned int __a)                                        \
    {                                                                                              \
        return expression;                                                                         \
    }
__CDP_SIMD_ONE(__vneg4, __vsub4(0, __a))
__CDP_SIMD_ONE(__vneg2, __vsub2(0, __a))
__CDP_SIMD_ONE(__vnegss4, __vsubss4(0, __a))
__CDP_SIMD_ONE(__vnegss2, __vsubss2(0, __a))
__CDP_SIMD_ONE(__vabs4, __vabsdiffs4(__a, 0))
__CDP_SIMD_ONE(__vabs2, __vabsdiffs2(__a, 0))
__CDP_SIMD_ONE(__vabsss4, __vmaxs4(__a, __vsubss4(0, __a)))
__CDP_SIMD_ONE(__vabsss2, __vmaxs2(__a, __vsubss2(0, __a)))
#undef __CDP_SIMD_ONE

#define __CDP_SAD4(name, difference)                                                               \
    __CDP_DEVICE_INLINE unsigned int name(unsigned int __a, unsigned int __b)                      \
    {                                                                                              \
        const unsigned int __d = difference(__a, __b);                                             \
        return (__d & 255) + (__d >> 8 & 255) + (__d >> 16 & 255) + (__d >> 24);                   \
    }
#define __CDP_SAD2(name, difference)                                                               \
    __CDP_DEVICE_INLINE unsigned int name(unsigned int __a, unsigned int __b)                      \
    {                                                                                              \
        const unsigned int __d = difference(__a, __b);                                             \
        return (__d & 65535) + (__d >> 16);                                                        \
    }
__CDP_SAD4(__vsadu4, __vabsdiffu4)
__CDP_SAD4(__vsads4, __vabsdiffs4)
__CDP_SAD2(__vsadu2, __vabsdiffu2)
__CDP_SAD2(__vsads2, __vabsdiffs2)
#undef __CDP_SAD4
#undef __CDP_SAD2

#endif
