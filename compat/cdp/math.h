/* The mathematical functions that CUDA has and C lacks, in double, in float, and as overloads, for
 * both sides. C's own functions are from <math.h>. */
#ifndef __CDP_MATH_H
#define __CDP_MATH_H

#include "../host_defines.h"

#define __CDP_SQRT_HALF 0.70710678118654752440
#define __CDP_SQRT_HALF_LOW (-4.8336466567264566e-17) /* the rounding error of the double above */
#define __CDP_2_OVER_SQRT_PI 1.12837916709551257390
#define __CDP_1_OVER_SQRT_PI 0.56418958354775628695
#define __CDP_PI 3.14159265358979323846

/* ---- Half turns ---- */

/* x reduced to quarter + n/2 with |quarter| <= 1/4, exactly; n modulo 4. */
__CDP_BOTH_INLINE double __cdp_half_turns(double x, int *__n)
{
    const double __turned = x - 2.0 * __builtin_rint(0.5 * x);
    const double __half_turn = __builtin_rint(2.0 * __turned);
    *__n = (int)__half_turn & 3;
    return __turned - 0.5 * __half_turn;
}
__CDP_BOTH_INLINE double sinpi(double x)
{
    if (x == __builtin_trunc(x)) {
        return x * 0.0; /* keeps the sign of zero; NaN for infinity */
    }
    int __n;
    const double __a = __CDP_PI * __cdp_half_turns(x, &__n);
    const double __s = __n & 1 ? __builtin_cos(__a) : __builtin_sin(__a);
    return __n & 2 ? -__s : __s;
}
__CDP_BOTH_INLINE double cospi(double x)
{
    if (__builtin_isinf(x)) {
        return x - x;
    }
    int __n;
    const double __quarter = __cdp_half_turns(x, &__n), __a = __CDP_PI * __quarter;
    if (__n & 1) {
        const double __s = __quarter == 0.0 ? 0.0 : __builtin_sin(__a);
        return __n & 2 ? __s : __quarter == 0.0 ? 0.0 : -__s;
    }
    return __n & 2 ? -__builtin_cos(__a) : __builtin_cos(__a);
}
__CDP_BOTH_INLINE void sincospi(double x, double *__s, double *__c)
{
    *__s = sinpi(x);
    *__c = cospi(x);
}

/* ---- Roots and lengths ---- */

__CDP_BOTH_INLINE double rsqrt(double x)
{
    return 1.0 / __builtin_sqrt(x);
}
__CDP_BOTH_INLINE double rcbrt(double x)
{
    return 1.0 / __builtin_cbrt(x);
}
__CDP_BOTH_INLINE double rhypot(double x, double y)
{
    return 1.0 / __builtin_hypot(x, y);
}
__CDP_BOTH_INLINE double norm3d(double __a, double __b, double __c)
{
    return __builtin_hypot(__builtin_hypot(__a, __b), __c);
}
__CDP_BOTH_INLINE double norm4d(double __a, double __b, double __c, double __d)
{
    return __builtin_hypot(__builtin_hypot(__a, __b), __builtin_hypot(__c, __d));
}
__CDP_BOTH_INLINE double rnorm3d(double __a, double __b, double __c)
{
    return 1.0 / norm3d(__a, __b, __c);
}
__CDP_BOTH_INLINE double rnorm4d(double __a, double __b, double __c, double __d)
{
    return 1.0 / norm4d(__a, __b, __c, __d);
}
__CDP_BOTH_INLINE double norm(int __n, const double *__p)
{
    double __length = 0.0;
    for (int __i = 0; __i < __n; __i++) {
        __length = __builtin_hypot(__length, __p[__i]);
    }
    return __length;
}
__CDP_BOTH_INLINE double rnorm(int __n, const double *__p)
{
    return 1.0 / norm(__n, __p);
}
/* Squares of floats neither overflow nor vanish in double. One infinity makes the length infinite,
 * even beside a NaN. */
__CDP_BOTH_INLINE float __cdp_length(double __squares, int __is_infinite)
{
    return __is_infinite ? __builtin_inff() : (float)__builtin_sqrt(__squares);
}
__CDP_BOTH_INLINE int __cdp_is_infinite(float x)
{
    return __builtin_fabsf(x) == __builtin_inff();
}
__CDP_BOTH_INLINE float norm3df(float __a, float __b, float __c)
{
    return __cdp_length((double)__a * __a + (double)__b * __b + (double)__c * __c,
                        __cdp_is_infinite(__a) | __cdp_is_infinite(__b) | __cdp_is_infinite(__c));
}
__CDP_BOTH_INLINE float norm4df(float __a, float __b, float __c, float __d)
{
    return __cdp_length((double)__a * __a + (double)__b * __b + (double)__c * __c +
                            (double)__d * __d,
                        __cdp_is_infinite(__a) | __cdp_is_infinite(__b) | __cdp_is_infinite(__c) |
                            __cdp_is_infinite(__d));
}
__CDP_BOTH_INLINE float normf(int __n, const float *__p)
{
    double __squares = 0.0;
    int __is_infinite = 0;
    for (int __i = 0; __i < __n; __i++) {
        __squares += (double)__p[__i] * __p[__i];
        __is_infinite |= __cdp_is_infinite(__p[__i]);
    }
    return __cdp_length(__squares, __is_infinite);
}
__CDP_BOTH_INLINE float rnormf(int __n, const float *__p)
{
    return 1.0f / normf(__n, __p);
}
__CDP_BOTH_INLINE float rhypotf(float x, float y)
{
    return 1.0f / __builtin_hypotf(x, y);
}
__CDP_BOTH_INLINE float rnorm3df(float __a, float __b, float __c)
{
    return 1.0f / norm3df(__a, __b, __c);
}
__CDP_BOTH_INLINE float rnorm4df(float __a, float __b, float __c, float __d)
{
    return 1.0f / norm4df(__a, __b, __c, __d);
}

/* ---- The error function's family ---- */

/* exp(x*x) with the square's rounding error taken into account. */
__CDP_BOTH_INLINE double __cdp_exp_square(double x)
{
    const double __square = x * x;
    return __builtin_exp(__square) * (1.0 + __builtin_fma(x, x, -__square));
}
/* exp(x*x) * erfc(x). */
__CDP_BOTH_INLINE double erfcx(double x)
{
    if (x < -27.0) {
        return __builtin_inf();
    }
    if (x < 12.0) {
        return __cdp_exp_square(x) * __builtin_erfc(x);
    }
    /* The asymptotic series; its smallest term is far below an ulp here. */
    const double __t = 0.5 / (x * x);
    double __sum = 1.0;
    for (int __k = 19; __k > 0; __k -= 2) {
        __sum = 1.0 - (double)__k * __t * __sum;
    }
    return __CDP_1_OVER_SQRT_PI / x * __sum;
}
/* The normal distribution: erfc(-x / sqrt 2) / 2. The argument's rounding error is taken into
 * account, because erfc's slope multiplies it. */
__CDP_BOTH_INLINE double normcdf(double x)
{
    if (__builtin_fabs(x) > 40.0) {
        return x > 0.0 ? 1.0 : 0.0;
    }
    const double __h = -x * __CDP_SQRT_HALF;
    const double __low = __builtin_fma(-x, __CDP_SQRT_HALF, -__h) - x * __CDP_SQRT_HALF_LOW;
    return 0.5 * (__builtin_erfc(__h) - __low * __CDP_2_OVER_SQRT_PI * __builtin_exp(-__h * __h));
}
/* Inverse of erf for |y| <= 1/2: an initial value and three steps of Halley's method. */
__CDP_BOTH_INLINE double __cdp_erfinv_center(double y)
{
    const double __y2 = y * y;
    double x = y * (0.886226925 + __y2 * (0.232013666 + __y2 * 0.127556176));
    for (int __i = 0; __i < 3; __i++) {
        const double __error = __builtin_erf(x) - y;
        x -= __error / (__CDP_2_OVER_SQRT_PI * __builtin_exp(-x * x) + x * __error);
    }
    return x;
}
/* Inverse of erfc for 0 < y <= 1/2, by the same method. The initial value is the rational
 * approximation of the normal quantile in Abramowitz and Stegun, 26.2.23. */
__CDP_BOTH_INLINE double __cdp_erfcinv_tail(double y)
{
    const double __t = __builtin_sqrt(-2.0 * __builtin_log(0.5 * y));
    double x =
        __CDP_SQRT_HALF * (__t - (2.515517 + __t * (0.802853 + __t * 0.010328)) /
                                     (1.0 + __t * (1.432788 + __t * (0.189269 + __t * 0.001308))));
    for (int __i = 0; __i < 3; __i++) {
        const double __error = __builtin_erfc(x) - y;
        x += __error / (__CDP_2_OVER_SQRT_PI * __builtin_exp(-x * x) - x * __error);
    }
    return x;
}
__CDP_BOTH_INLINE double erfcinv(double y)
{
    if (!(y > 0.0 && y < 2.0)) {
        return y == 0.0 ? __builtin_inf() : y == 2.0 ? -__builtin_inf() : __builtin_nan("");
    }
    if (y <= 0.5) {
        return __cdp_erfcinv_tail(y);
    }
    return y >= 1.5 ? -__cdp_erfcinv_tail(2.0 - y) : __cdp_erfinv_center(1.0 - y);
}
__CDP_BOTH_INLINE double erfinv(double y)
{
    const double __magnitude = __builtin_fabs(y);
    if (__magnitude <= 0.5) {
        return __cdp_erfinv_center(y);
    }
    return __builtin_copysign(erfcinv(1.0 - __magnitude), y);
}
__CDP_BOTH_INLINE double normcdfinv(double y)
{
    return 0.0 - 2.0 * __CDP_SQRT_HALF * erfcinv(2.0 * y); /* zero is +0 */
}

/* ---- Modified Bessel functions ---- */

/* The power series has only positive terms. From 20 on the asymptotic series is exact to the last
 * bit. */
__CDP_BOTH_INLINE double __cdp_bessel_i(int __order, double x)
{
    const double __magnitude = __builtin_fabs(x);
    double __term = 1.0, __sum = 1.0, __result;
    if (__magnitude > 800.0) {
        __result = __builtin_inf();
    } else if (__magnitude < 20.0) {
        const double __quarter = 0.25 * x * x;
        for (int __k = 1; __term > __sum * 1e-18; __k++) {
            __term *= __quarter / ((double)__k * (double)(__k + __order));
            __sum += __term;
        }
        __result = __order ? 0.5 * __magnitude * __sum : __sum;
    } else {
        const double __mu = 4.0 * __order * __order;
        for (int __k = 1; __k < 30 && __builtin_fabs(__term) > 1e-18; __k++) {
            const double __odd = 2.0 * __k - 1.0;
            __term *= -(__mu - __odd * __odd) / (8.0 * __k * __magnitude);
            __sum += __term;
        }
        /* In two factors: the whole exponential would overflow before the result. */
        const double __root = __builtin_exp(0.5 * __magnitude);
        __result = __root / __builtin_sqrt(2.0 * __CDP_PI * __magnitude) * __sum * __root;
    }
    return __order ? __builtin_copysign(__result, x) : __result;
}
__CDP_BOTH_INLINE double cyl_bessel_i0(double x)
{
    return __cdp_bessel_i(0, x);
}
__CDP_BOTH_INLINE double cyl_bessel_i1(double x)
{
    return __cdp_bessel_i(1, x);
}

/* ---- Forms in float: computed in double, and therefore accurate ---- */

__CDP_BOTH_INLINE float rsqrtf(float x)
{
    return 1.0f / __builtin_sqrtf(x);
}
__CDP_BOTH_INLINE float rcbrtf(float x)
{
    return 1.0f / __builtin_cbrtf(x);
}
__CDP_BOTH_INLINE float rsqrt(float x)
{
    return rsqrtf(x);
}
__CDP_BOTH_INLINE float rcbrt(float x)
{
    return rcbrtf(x);
}
#define __CDP_FLOAT_FORM(name)                                                                     \
    __CDP_BOTH_INLINE float name##f(float x)                                                       \
    {                                                                                              \
        return (float)name((double)x);                                                             \
    }                                                                                              \
    __CDP_BOTH_INLINE float name(float x)                                                          \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
__CDP_FLOAT_FORM(sinpi)
__CDP_FLOAT_FORM(cospi)
__CDP_FLOAT_FORM(erfcx)
__CDP_FLOAT_FORM(normcdf)
__CDP_FLOAT_FORM(erfinv)
__CDP_FLOAT_FORM(erfcinv)
__CDP_FLOAT_FORM(normcdfinv)
__CDP_FLOAT_FORM(cyl_bessel_i0)
__CDP_FLOAT_FORM(cyl_bessel_i1)
#undef __CDP_FLOAT_FORM
__CDP_BOTH_INLINE void sincospif(float x, float *__s, float *__c)
{
    *__s = sinpif(x);
    *__c = cospif(x);
}
__CDP_BOTH_INLINE void sincospi(float x, float *__s, float *__c)
{
    sincospif(x, __s, __c);
}
__CDP_BOTH_INLINE void sincos(float x, float *__s, float *__c)
{
    sincosf(x, __s, __c);
}
__CDP_BOTH_INLINE float exp10(float x)
{
    return exp10f(x);
}
#define __CDP_BESSEL(name)                                                                         \
    __CDP_BOTH_INLINE float name(float x)                                                          \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
__CDP_BESSEL(j0)
__CDP_BESSEL(j1)
__CDP_BESSEL(y0)
__CDP_BESSEL(y1)
#undef __CDP_BESSEL
__CDP_BOTH_INLINE float jn(int __n, float x)
{
    return jnf(__n, x);
}
__CDP_BOTH_INLINE float yn(int __n, float x)
{
    return ynf(__n, x);
}
__CDP_BOTH_INLINE float fdividef(float __a, float __b)
{
    return __a / __b;
}
__CDP_BOTH_INLINE float fdivide(float __a, float __b)
{
    return __a / __b;
}
__CDP_BOTH_INLINE double fdivide(double __a, double __b)
{
    return __a / __b;
}

/* ---- Device only: the fast forms, which are the ordinary functions here ---- */

__CDP_DEVICE_INLINE float __saturatef(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; /* NaN gives 0 */
}
__CDP_DEVICE_INLINE float saturate(float x)
{
    return __saturatef(x);
}
__CDP_DEVICE_INLINE float __sinf(float x)
{
    return __builtin_sinf(x);
}
__CDP_DEVICE_INLINE float __cosf(float x)
{
    return __builtin_cosf(x);
}
__CDP_DEVICE_INLINE float __tanf(float x)
{
    return __builtin_tanf(x);
}
__CDP_DEVICE_INLINE float __tanhf(float x)
{
    return __builtin_tanhf(x);
}
__CDP_DEVICE_INLINE void __sincosf(float x, float *__s, float *__c)
{
    sincosf(x, __s, __c);
}
__CDP_DEVICE_INLINE float __expf(float x)
{
    return __builtin_expf(x);
}
__CDP_DEVICE_INLINE float __exp10f(float x)
{
    return exp10f(x);
}
__CDP_DEVICE_INLINE float __logf(float x)
{
    return __builtin_logf(x);
}
__CDP_DEVICE_INLINE float __log2f(float x)
{
    return __builtin_log2f(x);
}
__CDP_DEVICE_INLINE float __log10f(float x)
{
    return __builtin_log10f(x);
}
__CDP_DEVICE_INLINE float __powf(float x, float y)
{
    return __builtin_powf(x, y);
}

#undef __CDP_SQRT_HALF
#undef __CDP_SQRT_HALF_LOW
#undef __CDP_2_OVER_SQRT_PI
#undef __CDP_1_OVER_SQRT_PI
#undef __CDP_PI

#endif
