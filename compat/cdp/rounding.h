/* Arithmetic and conversions with a rounding: _rn to nearest, _rz towards zero, _ru up, _rd down.
 *
 * The directed forms round to nearest. The rounding error, which is computed exactly, shows on
 * which side the exact result is. If necessary they step to the neighbour. The error of a very small
 * double underflows, so it is computed from scaled operands. */
#ifndef __CDP_ROUNDING_H
#define __CDP_ROUNDING_H

#include "../host_defines.h"

/* No contraction into fma, and no re-association: both would destroy the errors. */
#define __CDP_EXACT _Pragma("clang fp contract(off) reassociate(off)")

enum { __cdp_rz, __cdp_ru, __cdp_rd };

/* ---- Bits ---- */

__CDP_DEVICE_INLINE int __float_as_int(float x)
{
    return __builtin_bit_cast(int, x);
}
__CDP_DEVICE_INLINE unsigned int __float_as_uint(float x)
{
    return __builtin_bit_cast(unsigned int, x);
}
__CDP_DEVICE_INLINE float __int_as_float(int x)
{
    return __builtin_bit_cast(float, x);
}
__CDP_DEVICE_INLINE float __uint_as_float(unsigned int x)
{
    return __builtin_bit_cast(float, x);
}
__CDP_DEVICE_INLINE long long __double_as_longlong(double x)
{
    return __builtin_bit_cast(long long, x);
}
__CDP_DEVICE_INLINE double __longlong_as_double(long long x)
{
    return __builtin_bit_cast(double, x);
}
__CDP_DEVICE_INLINE int __double2hiint(double x)
{
    return (int)(__builtin_bit_cast(unsigned long long, x) >> 32);
}
__CDP_DEVICE_INLINE int __double2loint(double x)
{
    return (int)__builtin_bit_cast(unsigned long long, x);
}
__CDP_DEVICE_INLINE double __hiloint2double(int __high, int __low)
{
    return __builtin_bit_cast(double,
                              (unsigned long long)(unsigned int)__high << 32 | (unsigned int)__low);
}

/* ---- From the nearest result to the directed one ---- */

/* error > 0: the exact result is above x, < 0: below, 0 or NaN: x is the result, or x is not a
 * number that can be corrected. */
#define __CDP_DIRECT(F, U)                                                                         \
    __CDP_DEVICE_INLINE F __cdp_direct(F x, double __error, int __mode)                            \
    {                                                                                              \
        const bool __up = __error > 0 && (__mode == __cdp_ru || (__mode == __cdp_rz && x < 0));    \
        const bool __down = __error < 0 && (__mode == __cdp_rd || (__mode == __cdp_rz && x > 0));  \
        if (!__up && !__down) {                                                                    \
            return x;                                                                              \
        }                                                                                          \
        if (x == 0) {                                                                              \
            const F __least = __builtin_bit_cast(F, (U)1);                                         \
            return __up ? __least : -__least;                                                      \
        }                                                                                          \
        /* Bits count magnitudes; infinity's neighbour is the largest number. */                   \
        return __builtin_bit_cast(F, __builtin_bit_cast(U, x) + (__up == (x > 0) ? 1 : (U) - 1));  \
    }
__CDP_DIRECT(float, unsigned int)
__CDP_DIRECT(double, unsigned long long)
#undef __CDP_DIRECT

/* The error of a result that overflowed from finite operands: it has the sign towards zero. */
__CDP_DEVICE_INLINE double __cdp_overflow(double __result, bool __finite, double __error)
{
    return __builtin_isinf(__result) && __finite ? -__result : __error;
}
/* Rounding error of s = a + b, exact. */
__CDP_DEVICE_INLINE double __cdp_sum_error(double __a, double __b, double __s)
{
    __CDP_EXACT
    const double __shadow = __s - __a;
    return (__a - (__s - __shadow)) + (__b - __shadow);
}
/* An exact zero from operands that are not both +0 is -0 when rounding down. */
__CDP_DEVICE_INLINE double __cdp_zero_sum(double __a, double __b, double __s, int __mode)
{
    if (__mode == __cdp_rd && __s == 0.0 &&
        (__a != 0.0 || __builtin_signbit(__a) || __builtin_signbit(__b))) {
        return -0.0;
    }
    return __s;
}
/* Rounds the exact value sum + error, where |error| is less than half an ulp. */
__CDP_DEVICE_INLINE float __cdp_to_float(double __sum, double __error, bool __finite, int __mode)
{
    __CDP_EXACT
    const float x = (float)__sum;
    const double __rest = __sum - (double)x;
    return __cdp_direct(x, __cdp_overflow(x, __finite, __rest != 0.0 ? __rest : __error), __mode);
}
__CDP_DEVICE_INLINE float __cdp_double2float(double x, int __mode)
{
    return __cdp_to_float(x, 0.0, __builtin_isfinite(x), __mode);
}

/* ---- Directed float arithmetic, computed in double ---- */

__CDP_DEVICE_INLINE float __cdp_add(float __a, float __b, int __mode)
{
    __CDP_EXACT
    const double __s = (double)__a + __b;
    return __cdp_to_float(__cdp_zero_sum(__a, __b, __s, __mode), __cdp_sum_error(__a, __b, __s),
                          __builtin_isfinite(__s), __mode);
}
__CDP_DEVICE_INLINE float __cdp_mul(float __a, float __b, int __mode)
{
    __CDP_EXACT
    return __cdp_double2float((double)__a * __b, __mode);
}
__CDP_DEVICE_INLINE float __cdp_fma(float __a, float __b, float __c, int __mode)
{
    __CDP_EXACT
    const double __p = (double)__a * __b, __s = __p + __c;
    return __cdp_to_float(__cdp_zero_sum(__p, __c, __s, __mode), __cdp_sum_error(__p, __c, __s),
                          __builtin_isfinite(__s), __mode);
}
__CDP_DEVICE_INLINE float __cdp_div(float __a, float __b, int __mode)
{
    __CDP_EXACT
    const float __q = __a / __b;
    const double __rest = (double)__a - (double)__q * __b;
    return __cdp_direct(__q,
                        __cdp_overflow(__q, __builtin_isfinite(__a) && __b != 0.0f,
                                       __builtin_signbit(__b) ? -__rest : __rest),
                        __mode);
}
__CDP_DEVICE_INLINE float __cdp_sqrt(float __a, int __mode)
{
    __CDP_EXACT
    const float __r = __builtin_sqrtf(__a);
    return __cdp_direct(__r, (double)__a - (double)__r * __r, __mode);
}

#include "directed_double.h"

/* ---- The intrinsics ---- */

/* letter: __f or __d; fma: __fmaf or __fma. */
#define __CDP_DIRECTED(F, letter, fma, suffix, mode)                                               \
    __CDP_DEVICE_INLINE F letter##add##suffix(F __a, F __b)                                        \
    {                                                                                              \
        return __cdp_add(__a, __b, mode);                                                          \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##sub##suffix(F __a, F __b)                                        \
    {                                                                                              \
        return __cdp_add(__a, -__b, mode);                                                         \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##mul##suffix(F __a, F __b)                                        \
    {                                                                                              \
        return __cdp_mul(__a, __b, mode);                                                          \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##div##suffix(F __a, F __b)                                        \
    {                                                                                              \
        return __cdp_div(__a, __b, mode);                                                          \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##rcp##suffix(F __a)                                               \
    {                                                                                              \
        return __cdp_div((F)1, __a, mode);                                                         \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##sqrt##suffix(F __a)                                              \
    {                                                                                              \
        return __cdp_sqrt(__a, mode);                                                              \
    }                                                                                              \
    __CDP_DEVICE_INLINE F fma##suffix(F __a, F __b, F __c)                                         \
    {                                                                                              \
        return __cdp_fma(__a, __b, __c, mode);                                                     \
    }
#define __CDP_ROUNDED(F, letter, fma)                                                              \
    __CDP_DEVICE_INLINE F letter##add_rn(F __a, F __b)                                             \
    {                                                                                              \
        __CDP_EXACT return __a + __b;                                                              \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##sub_rn(F __a, F __b)                                             \
    {                                                                                              \
        __CDP_EXACT return __a - __b;                                                              \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##mul_rn(F __a, F __b)                                             \
    {                                                                                              \
        __CDP_EXACT return __a * __b;                                                              \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##div_rn(F __a, F __b)                                             \
    {                                                                                              \
        __CDP_EXACT return __a / __b;                                                              \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##rcp_rn(F __a)                                                    \
    {                                                                                              \
        __CDP_EXACT return (F)1 / __a;                                                             \
    }                                                                                              \
    __CDP_DEVICE_INLINE F letter##sqrt_rn(F __a)                                                   \
    {                                                                                              \
        return __builtin_elementwise_sqrt(__a);                                                    \
    }                                                                                              \
    __CDP_DEVICE_INLINE F fma##_rn(F __a, F __b, F __c)                                            \
    {                                                                                              \
        return __builtin_elementwise_fma(__a, __b, __c);                                           \
    }                                                                                              \
    __CDP_DIRECTED(F, letter, fma, _rz, __cdp_rz)                                                  \
    __CDP_DIRECTED(F, letter, fma, _ru, __cdp_ru)                                                  \
    __CDP_DIRECTED(F, letter, fma, _rd, __cdp_rd)
__CDP_ROUNDED(float, __f, __fmaf)
__CDP_ROUNDED(double, __d, __fma)
#undef __CDP_ROUNDED
#undef __CDP_DIRECTED
/* PTX's div.approx: a * (1 / b). The reciprocal of 2^126 to 2^128 is 0. A NaN is 0x7fffffff. */
__CDP_DEVICE_INLINE float __fdividef(float __a, float __b)
{
    _Pragma("clang fp contract(off)") const float __m = __builtin_fabsf(__b);
    const bool __large = __m > 0x1p126f && __m < __builtin_inff();
    const float __q = __a * (__large ? __builtin_copysignf(0.0f, __b) : 1.0f / __b);
    return __builtin_isnan(__q) ? __builtin_bit_cast(float, 0x7fffffff) : __q;
}
/* Correct, except that with probability 2^-29 the result is one ulp off. */
__CDP_DEVICE_INLINE float __frsqrt_rn(float x)
{
    return (float)(1.0 / __builtin_sqrt((double)x));
}

/* ---- Floating point to integer: device code's conversions saturate ---- */

#define __CDP_FLOAT_TO_INTEGER(F, f, I, i)                                                         \
    __CDP_DEVICE_INLINE I __##f##2##i##_rn(F x)                                                    \
    {                                                                                              \
        return (I)__builtin_elementwise_roundeven(x);                                              \
    }                                                                                              \
    __CDP_DEVICE_INLINE I __##f##2##i##_rz(F x)                                                    \
    {                                                                                              \
        return (I)x;                                                                               \
    }                                                                                              \
    __CDP_DEVICE_INLINE I __##f##2##i##_ru(F x)                                                    \
    {                                                                                              \
        return (I)__builtin_elementwise_ceil(x);                                                   \
    }                                                                                              \
    __CDP_DEVICE_INLINE I __##f##2##i##_rd(F x)                                                    \
    {                                                                                              \
        return (I)__builtin_elementwise_floor(x);                                                  \
    }
__CDP_FLOAT_TO_INTEGER(float, float, int, int)
__CDP_FLOAT_TO_INTEGER(float, float, unsigned int, uint)
__CDP_FLOAT_TO_INTEGER(float, float, long long, ll)
__CDP_FLOAT_TO_INTEGER(float, float, unsigned long long, ull)
__CDP_FLOAT_TO_INTEGER(double, double, int, int)
__CDP_FLOAT_TO_INTEGER(double, double, unsigned int, uint)
__CDP_FLOAT_TO_INTEGER(double, double, long long, ll)
__CDP_FLOAT_TO_INTEGER(double, double, unsigned long long, ull)
#undef __CDP_FLOAT_TO_INTEGER

/* ---- Integer to floating point ---- */

/* The sign of x - nearest; nearest may be just beyond the integers' range. */
#define __CDP_INTEGER_ERROR(I, F, limit)                                                           \
    __CDP_DEVICE_INLINE double __cdp_integer_error(I x, F __nearest)                               \
    {                                                                                              \
        return __nearest >= (F)limit ? -1.0 : (double)(long long)(x - (I)__nearest);               \
    }
__CDP_INTEGER_ERROR(long long, float, 9223372036854775808.0)
__CDP_INTEGER_ERROR(long long, double, 9223372036854775808.0)
__CDP_INTEGER_ERROR(unsigned long long, float, 18446744073709551616.0)
__CDP_INTEGER_ERROR(unsigned long long, double, 18446744073709551616.0)
#undef __CDP_INTEGER_ERROR
/* W: the 64-bit type that represents all values of I. */
#define __CDP_INTEGER_TO_FLOAT(I, W, i, F, f)                                                      \
    __CDP_DEVICE_INLINE F __##i##2##f##_rn(I x)                                                    \
    {                                                                                              \
        return (F)x;                                                                               \
    }                                                                                              \
    __CDP_DEVICE_INLINE F __##i##2##f##_rz(I x)                                                    \
    {                                                                                              \
        return __cdp_direct((F)x, __cdp_integer_error((W)x, (F)x), __cdp_rz);                      \
    }                                                                                              \
    __CDP_DEVICE_INLINE F __##i##2##f##_ru(I x)                                                    \
    {                                                                                              \
        return __cdp_direct((F)x, __cdp_integer_error((W)x, (F)x), __cdp_ru);                      \
    }                                                                                              \
    __CDP_DEVICE_INLINE F __##i##2##f##_rd(I x)                                                    \
    {                                                                                              \
        return __cdp_direct((F)x, __cdp_integer_error((W)x, (F)x), __cdp_rd);                      \
    }
__CDP_INTEGER_TO_FLOAT(int, long long, int, float, float)
__CDP_INTEGER_TO_FLOAT(unsigned int, long long, uint, float, float)
__CDP_INTEGER_TO_FLOAT(long long, long long, ll, float, float)
__CDP_INTEGER_TO_FLOAT(unsigned long long, unsigned long long, ull, float, float)
__CDP_INTEGER_TO_FLOAT(long long, long long, ll, double, double)
__CDP_INTEGER_TO_FLOAT(unsigned long long, unsigned long long, ull, double, double)
#undef __CDP_INTEGER_TO_FLOAT
__CDP_DEVICE_INLINE double __int2double_rn(int x)
{
    return x;
}
__CDP_DEVICE_INLINE double __uint2double_rn(unsigned int x)
{
    return x;
}
__CDP_DEVICE_INLINE float __double2float_rn(double x)
{
    return (float)x;
}
__CDP_DEVICE_INLINE float __double2float_rz(double x)
{
    return __cdp_double2float(x, __cdp_rz);
}
__CDP_DEVICE_INLINE float __double2float_ru(double x)
{
    return __cdp_double2float(x, __cdp_ru);
}
__CDP_DEVICE_INLINE float __double2float_rd(double x)
{
    return __cdp_double2float(x, __cdp_rd);
}

#undef __CDP_EXACT
#endif
