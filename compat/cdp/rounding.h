/* Arithmetic and conversions with a stated rounding: _rn to nearest, _rz towards
 * zero, _ru up, _rd down.
 *
 * The directed forms round to nearest, find on which side the exact result lies
 * from the rounding error, which is itself computed exactly, and step to the
 * neighbour where needed.  Double products below 2^-960 lose that error to
 * underflow: there, and only there, a directed double form may be one off. */
#ifndef CDP_ROUNDING_H
#define CDP_ROUNDING_H

#include "../host_defines.h"

/* No contraction into fma, and no re-association: both would destroy the errors. */
#define CDP_EXACT _Pragma("clang fp contract(off) reassociate(off)")

enum { __cdp_rz, __cdp_ru, __cdp_rd };

/* ---- Bits ---- */

CDP_DEVICE_INLINE int __float_as_int(float x)
{
    return __builtin_bit_cast(int, x);
}
CDP_DEVICE_INLINE unsigned int __float_as_uint(float x)
{
    return __builtin_bit_cast(unsigned int, x);
}
CDP_DEVICE_INLINE float __int_as_float(int x)
{
    return __builtin_bit_cast(float, x);
}
CDP_DEVICE_INLINE float __uint_as_float(unsigned int x)
{
    return __builtin_bit_cast(float, x);
}
CDP_DEVICE_INLINE long long __double_as_longlong(double x)
{
    return __builtin_bit_cast(long long, x);
}
CDP_DEVICE_INLINE double __longlong_as_double(long long x)
{
    return __builtin_bit_cast(double, x);
}
CDP_DEVICE_INLINE int __double2hiint(double x)
{
    return (int)(__builtin_bit_cast(unsigned long long, x) >> 32);
}
CDP_DEVICE_INLINE int __double2loint(double x)
{
    return (int)__builtin_bit_cast(unsigned long long, x);
}
CDP_DEVICE_INLINE double __hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double,
                              (unsigned long long)(unsigned int)high << 32 | (unsigned int)low);
}

/* ---- Stepping from the nearest result to the directed one ---- */

/* error > 0: the exact result lies above x, < 0: below, 0 or NaN: x is it, or x is
 * not a number that can be mended. */
#define CDP_DIRECT(F, U)                                                                           \
    CDP_DEVICE_INLINE F __cdp_direct(F x, double error, int mode)                                  \
    {                                                                                              \
        const bool up = error > 0 && (mode == __cdp_ru || (mode == __cdp_rz && x < 0));            \
        const bool down = error < 0 && (mode == __cdp_rd || (mode == __cdp_rz && x > 0));          \
        if (!up && !down) {                                                                        \
            return x;                                                                              \
        }                                                                                          \
        if (x == 0) {                                                                              \
            const F least = __builtin_bit_cast(F, (U)1);                                           \
            return up ? least : -least;                                                            \
        }                                                                                          \
        /* Bits count magnitudes; infinity's neighbour is the largest number. */                   \
        return __builtin_bit_cast(F, __builtin_bit_cast(U, x) + (up == (x > 0) ? 1 : (U)-1));      \
    }
CDP_DIRECT(float, unsigned int)
CDP_DIRECT(double, unsigned long long)
#undef CDP_DIRECT

/* The error of a result that overflowed from finite operands: it points inwards. */
CDP_DEVICE_INLINE double __cdp_overflow(double result, bool finite, double error)
{
    return __builtin_isinf(result) && finite ? -result : error;
}
/* Rounding error of s = a + b, exact. */
CDP_DEVICE_INLINE double __cdp_sum_error(double a, double b, double s)
{
    CDP_EXACT
    const double shadow = s - a;
    return (a - (s - shadow)) + (b - shadow);
}
/* An exact zero from operands that are not both +0 is -0 when rounding down. */
CDP_DEVICE_INLINE double __cdp_zero_sum(double a, double b, double s, int mode)
{
    if (mode == __cdp_rd && s == 0.0 &&
        (a != 0.0 || __builtin_signbit(a) || __builtin_signbit(b))) {
        return -0.0;
    }
    return s;
}
/* Rounds the exact value sum + error, where |error| is less than half an ulp. */
CDP_DEVICE_INLINE float __cdp_to_float(double sum, double error, bool finite, int mode)
{
    CDP_EXACT
    const float x = (float)sum;
    const double rest = sum - (double)x;
    return __cdp_direct(x, __cdp_overflow(x, finite, rest != 0.0 ? rest : error), mode);
}
CDP_DEVICE_INLINE float __cdp_double2float(double x, int mode)
{
    return __cdp_to_float(x, 0.0, __builtin_isfinite(x), mode);
}

/* ---- Directed float arithmetic, by way of double ---- */

CDP_DEVICE_INLINE float __cdp_add(float a, float b, int mode)
{
    CDP_EXACT
    const double s = (double)a + b;
    return __cdp_to_float(__cdp_zero_sum(a, b, s, mode), __cdp_sum_error(a, b, s),
                          __builtin_isfinite(s), mode);
}
CDP_DEVICE_INLINE float __cdp_mul(float a, float b, int mode)
{
    CDP_EXACT
    return __cdp_double2float((double)a * b, mode);
}
CDP_DEVICE_INLINE float __cdp_fma(float a, float b, float c, int mode)
{
    CDP_EXACT
    const double p = (double)a * b, s = p + c;
    return __cdp_to_float(__cdp_zero_sum(p, c, s, mode), __cdp_sum_error(p, c, s),
                          __builtin_isfinite(s), mode);
}
CDP_DEVICE_INLINE float __cdp_div(float a, float b, int mode)
{
    CDP_EXACT
    const float q = a / b;
    const double rest = (double)a - (double)q * b;
    return __cdp_direct(
        q,
        __cdp_overflow(q, __builtin_isfinite(a) && b != 0.0f, __builtin_signbit(b) ? -rest : rest),
        mode);
}
CDP_DEVICE_INLINE float __cdp_sqrt(float a, int mode)
{
    CDP_EXACT
    const float r = __builtin_sqrtf(a);
    return __cdp_direct(r, (double)a - (double)r * r, mode);
}

/* ---- Directed double arithmetic, by error-free transformations ---- */

CDP_DEVICE_INLINE double __cdp_add(double a, double b, int mode)
{
    CDP_EXACT
    const double s = a + b;
    const bool finite = __builtin_isfinite(a) && __builtin_isfinite(b);
    return __cdp_direct(__cdp_zero_sum(a, b, s, mode),
                        __cdp_overflow(s, finite, __cdp_sum_error(a, b, s)), mode);
}
CDP_DEVICE_INLINE double __cdp_mul(double a, double b, int mode)
{
    CDP_EXACT
    const double p = a * b;
    const bool finite = __builtin_isfinite(a) && __builtin_isfinite(b);
    return __cdp_direct(p, __cdp_overflow(p, finite, __builtin_fma(a, b, -p)), mode);
}
/* Boldo and Muller's exact error of an fma. */
CDP_DEVICE_INLINE double __cdp_fma(double a, double b, double c, int mode)
{
    CDP_EXACT
    const double r = __builtin_fma(a, b, c);
    const bool finite = __builtin_isfinite(a) && __builtin_isfinite(b) && __builtin_isfinite(c);
    const double p = a * b, p_error = __builtin_fma(a, b, -p);
    const double low = c + p_error, low_error = __cdp_sum_error(c, p_error, low);
    const double high = p + low, high_error = __cdp_sum_error(p, low, high);
    const double error = ((high - r) + high_error) + low_error;
    return __cdp_direct(__cdp_zero_sum(p, c, r, mode), __cdp_overflow(r, finite, error), mode);
}
CDP_DEVICE_INLINE double __cdp_div(double a, double b, int mode)
{
    CDP_EXACT
    const double q = a / b, rest = __builtin_fma(-q, b, a);
    return __cdp_direct(
        q,
        __cdp_overflow(q, __builtin_isfinite(a) && b != 0.0, __builtin_signbit(b) ? -rest : rest),
        mode);
}
CDP_DEVICE_INLINE double __cdp_sqrt(double a, int mode)
{
    CDP_EXACT
    const double r = __builtin_sqrt(a);
    return __cdp_direct(r, __builtin_fma(-r, r, a), mode);
}

/* ---- The intrinsics ---- */

/* letter: f or d; fma: fmaf or fma. */
#define CDP_DIRECTED(F, letter, fma, suffix, mode)                                                 \
    CDP_DEVICE_INLINE F __##letter##add##suffix(F a, F b)                                          \
    {                                                                                              \
        return __cdp_add(a, b, mode);                                                              \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##sub##suffix(F a, F b)                                          \
    {                                                                                              \
        return __cdp_add(a, -b, mode);                                                             \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##mul##suffix(F a, F b)                                          \
    {                                                                                              \
        return __cdp_mul(a, b, mode);                                                              \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##div##suffix(F a, F b)                                          \
    {                                                                                              \
        return __cdp_div(a, b, mode);                                                              \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##rcp##suffix(F a)                                               \
    {                                                                                              \
        return __cdp_div((F)1, a, mode);                                                           \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##sqrt##suffix(F a)                                              \
    {                                                                                              \
        return __cdp_sqrt(a, mode);                                                                \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##fma##suffix(F a, F b, F c)                                             \
    {                                                                                              \
        return __cdp_fma(a, b, c, mode);                                                           \
    }
#define CDP_ROUNDED(F, letter, fma)                                                                \
    CDP_DEVICE_INLINE F __##letter##add_rn(F a, F b)                                               \
    {                                                                                              \
        CDP_EXACT return a + b;                                                                    \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##sub_rn(F a, F b)                                               \
    {                                                                                              \
        CDP_EXACT return a - b;                                                                    \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##mul_rn(F a, F b)                                               \
    {                                                                                              \
        CDP_EXACT return a * b;                                                                    \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##div_rn(F a, F b)                                               \
    {                                                                                              \
        CDP_EXACT return a / b;                                                                    \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##rcp_rn(F a)                                                    \
    {                                                                                              \
        CDP_EXACT return (F)1 / a;                                                                 \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##letter##sqrt_rn(F a)                                                   \
    {                                                                                              \
        return __builtin_elementwise_sqrt(a);                                                      \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##fma##_rn(F a, F b, F c)                                                \
    {                                                                                              \
        return __builtin_elementwise_fma(a, b, c);                                                 \
    }                                                                                              \
    CDP_DIRECTED(F, letter, fma, _rz, __cdp_rz)                                                    \
    CDP_DIRECTED(F, letter, fma, _ru, __cdp_ru)                                                    \
    CDP_DIRECTED(F, letter, fma, _rd, __cdp_rd)
CDP_ROUNDED(float, f, fmaf)
CDP_ROUNDED(double, d, fma)
#undef CDP_ROUNDED
#undef CDP_DIRECTED
/* Correct but for a chance of 2^-29 to be one ulp off. */
CDP_DEVICE_INLINE float __frsqrt_rn(float x)
{
    return (float)(1.0 / __builtin_sqrt((double)x));
}

/* ---- Floating point to integer: device code's conversions saturate ---- */

#define CDP_FLOAT_TO_INTEGER(F, f, I, i)                                                           \
    CDP_DEVICE_INLINE I __##f##2##i##_rn(F x)                                                      \
    {                                                                                              \
        return (I)__builtin_elementwise_roundeven(x);                                              \
    }                                                                                              \
    CDP_DEVICE_INLINE I __##f##2##i##_rz(F x)                                                      \
    {                                                                                              \
        return (I)x;                                                                               \
    }                                                                                              \
    CDP_DEVICE_INLINE I __##f##2##i##_ru(F x)                                                      \
    {                                                                                              \
        return (I)__builtin_elementwise_ceil(x);                                                   \
    }                                                                                              \
    CDP_DEVICE_INLINE I __##f##2##i##_rd(F x)                                                      \
    {                                                                                              \
        return (I)__builtin_elementwise_floor(x);                                                  \
    }
CDP_FLOAT_TO_INTEGER(float, float, int, int)
CDP_FLOAT_TO_INTEGER(float, float, unsigned int, uint)
CDP_FLOAT_TO_INTEGER(float, float, long long, ll)
CDP_FLOAT_TO_INTEGER(float, float, unsigned long long, ull)
CDP_FLOAT_TO_INTEGER(double, double, int, int)
CDP_FLOAT_TO_INTEGER(double, double, unsigned int, uint)
CDP_FLOAT_TO_INTEGER(double, double, long long, ll)
CDP_FLOAT_TO_INTEGER(double, double, unsigned long long, ull)
#undef CDP_FLOAT_TO_INTEGER

/* ---- Integer to floating point ---- */

/* The sign of x - nearest; nearest may lie just beyond the integers' range. */
#define CDP_INTEGER_ERROR(I, F, limit)                                                             \
    CDP_DEVICE_INLINE double __cdp_integer_error(I x, F nearest)                                   \
    {                                                                                              \
        return nearest >= (F)limit ? -1.0 : (double)(long long)(x - (I)nearest);                   \
    }
CDP_INTEGER_ERROR(long long, float, 9223372036854775808.0)
CDP_INTEGER_ERROR(long long, double, 9223372036854775808.0)
CDP_INTEGER_ERROR(unsigned long long, float, 18446744073709551616.0)
CDP_INTEGER_ERROR(unsigned long long, double, 18446744073709551616.0)
#undef CDP_INTEGER_ERROR
/* W: the 64-bit type that holds all values of I. */
#define CDP_INTEGER_TO_FLOAT(I, W, i, F, f)                                                        \
    CDP_DEVICE_INLINE F __##i##2##f##_rn(I x)                                                      \
    {                                                                                              \
        return (F)x;                                                                               \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##i##2##f##_rz(I x)                                                      \
    {                                                                                              \
        return __cdp_direct((F)x, __cdp_integer_error((W)x, (F)x), __cdp_rz);                      \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##i##2##f##_ru(I x)                                                      \
    {                                                                                              \
        return __cdp_direct((F)x, __cdp_integer_error((W)x, (F)x), __cdp_ru);                      \
    }                                                                                              \
    CDP_DEVICE_INLINE F __##i##2##f##_rd(I x)                                                      \
    {                                                                                              \
        return __cdp_direct((F)x, __cdp_integer_error((W)x, (F)x), __cdp_rd);                      \
    }
CDP_INTEGER_TO_FLOAT(int, long long, int, float, float)
CDP_INTEGER_TO_FLOAT(unsigned int, long long, uint, float, float)
CDP_INTEGER_TO_FLOAT(long long, long long, ll, float, float)
CDP_INTEGER_TO_FLOAT(unsigned long long, unsigned long long, ull, float, float)
CDP_INTEGER_TO_FLOAT(long long, long long, ll, double, double)
CDP_INTEGER_TO_FLOAT(unsigned long long, unsigned long long, ull, double, double)
#undef CDP_INTEGER_TO_FLOAT
CDP_DEVICE_INLINE double __int2double_rn(int x)
{
    return x;
}
CDP_DEVICE_INLINE double __uint2double_rn(unsigned int x)
{
    return x;
}
CDP_DEVICE_INLINE float __double2float_rn(double x)
{
    return (float)x;
}
CDP_DEVICE_INLINE float __double2float_rz(double x)
{
    return __cdp_double2float(x, __cdp_rz);
}
CDP_DEVICE_INLINE float __double2float_ru(double x)
{
    return __cdp_double2float(x, __cdp_ru);
}
CDP_DEVICE_INLINE float __double2float_rd(double x)
{
    return __cdp_double2float(x, __cdp_rd);
}

#undef CDP_EXACT
#endif
