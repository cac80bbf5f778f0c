/* The mathematical functions that CUDA has beyond C's, in double, in float, and
 * as overloads, for both sides.  C's own come from <math.h>. */
#ifndef CDP_MATH_H
#define CDP_MATH_H

#include "../host_defines.h"

#define CDP_SQRT_HALF 0.70710678118654752440
#define CDP_SQRT_HALF_LOW (-4.8336466567264566e-17) /* what the double above lacks */
#define CDP_2_OVER_SQRT_PI 1.12837916709551257390
#define CDP_1_OVER_SQRT_PI 0.56418958354775628695
#define CDP_PI 3.14159265358979323846

/* ---- Half turns ---- */

/* x reduced to quarter + n/2 with |quarter| <= 1/4, exactly; n modulo 4. */
CDP_BOTH_INLINE double __cdp_half_turns(double x, int *n)
{
    const double turned = x - 2.0 * __builtin_rint(0.5 * x);
    const double half = __builtin_rint(2.0 * turned);
    *n = (int)half & 3;
    return turned - 0.5 * half;
}
CDP_BOTH_INLINE double sinpi(double x)
{
    if (x == __builtin_trunc(x)) {
        return x * 0.0; /* keeps the sign of zero; NaN for infinity */
    }
    int n;
    const double a = CDP_PI * __cdp_half_turns(x, &n);
    const double s = n & 1 ? __builtin_cos(a) : __builtin_sin(a);
    return n & 2 ? -s : s;
}
CDP_BOTH_INLINE double cospi(double x)
{
    if (__builtin_isinf(x)) {
        return x - x;
    }
    int n;
    const double quarter = __cdp_half_turns(x, &n), a = CDP_PI * quarter;
    if (n & 1) {
        const double s = quarter == 0.0 ? 0.0 : __builtin_sin(a);
        return n & 2 ? s : quarter == 0.0 ? 0.0 : -s;
    }
    return n & 2 ? -__builtin_cos(a) : __builtin_cos(a);
}
CDP_BOTH_INLINE void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}

/* ---- Roots and lengths ---- */

CDP_BOTH_INLINE double rsqrt(double x)
{
    return 1.0 / __builtin_sqrt(x);
}
CDP_BOTH_INLINE double rcbrt(double x)
{
    return 1.0 / __builtin_cbrt(x);
}
CDP_BOTH_INLINE double rhypot(double x, double y)
{
    return 1.0 / __builtin_hypot(x, y);
}
CDP_BOTH_INLINE double norm3d(double a, double b, double c)
{
    return __builtin_hypot(__builtin_hypot(a, b), c);
}
CDP_BOTH_INLINE double norm4d(double a, double b, double c, double d)
{
    return __builtin_hypot(__builtin_hypot(a, b), __builtin_hypot(c, d));
}
CDP_BOTH_INLINE double rnorm3d(double a, double b, double c)
{
    return 1.0 / norm3d(a, b, c);
}
CDP_BOTH_INLINE double rnorm4d(double a, double b, double c, double d)
{
    return 1.0 / norm4d(a, b, c, d);
}
CDP_BOTH_INLINE double norm(int n, const double *p)
{
    double length = 0.0;
    for (int i = 0; i < n; i++) {
        length = __builtin_hypot(length, p[i]);
    }
    return length;
}
CDP_BOTH_INLINE double rnorm(int n, const double *p)
{
    return 1.0 / norm(n, p);
}
/* Squares of floats neither overflow nor vanish in double.  One infinity is enough for an infinite
 * length, even beside a NaN. */
CDP_BOTH_INLINE float __cdp_length(double squares, int is_infinite)
{
    return is_infinite ? __builtin_inff() : (float)__builtin_sqrt(squares);
}
CDP_BOTH_INLINE int __cdp_is_infinite(float x)
{
    return __builtin_fabsf(x) == __builtin_inff();
}
CDP_BOTH_INLINE float norm3df(float a, float b, float c)
{
    return __cdp_length((double)a * a + (double)b * b + (double)c * c,
                        __cdp_is_infinite(a) | __cdp_is_infinite(b) | __cdp_is_infinite(c));
}
CDP_BOTH_INLINE float norm4df(float a, float b, float c, float d)
{
    return __cdp_length((double)a * a + (double)b * b + (double)c * c + (double)d * d,
                        __cdp_is_infinite(a) | __cdp_is_infinite(b) | __cdp_is_infinite(c) |
                            __cdp_is_infinite(d));
}
CDP_BOTH_INLINE float normf(int n, const float *p)
{
    double squares = 0.0;
    int is_infinite = 0;
    for (int i = 0; i < n; i++) {
        squares += (double)p[i] * p[i];
        is_infinite |= __cdp_is_infinite(p[i]);
    }
    return __cdp_length(squares, is_infinite);
}
CDP_BOTH_INLINE float rnormf(int n, const float *p)
{
    return 1.0f / normf(n, p);
}
CDP_BOTH_INLINE float rhypotf(float x, float y)
{
    return 1.0f / __builtin_hypotf(x, y);
}
CDP_BOTH_INLINE float rnorm3df(float a, float b, float c)
{
    return 1.0f / norm3df(a, b, c);
}
CDP_BOTH_INLINE float rnorm4df(float a, float b, float c, float d)
{
    return 1.0f / norm4df(a, b, c, d);
}

/* ---- The error function's family ---- */

/* exp(x*x) with the square's rounding error taken into account. */
CDP_BOTH_INLINE double __cdp_exp_square(double x)
{
    const double square = x * x;
    return __builtin_exp(square) * (1.0 + __builtin_fma(x, x, -square));
}
/* exp(x*x) * erfc(x). */
CDP_BOTH_INLINE double erfcx(double x)
{
    if (x < -27.0) {
        return __builtin_inf();
    }
    if (x < 12.0) {
        return __cdp_exp_square(x) * __builtin_erfc(x);
    }
    /* The asymptotic series; its smallest term is far below an ulp here. */
    const double t = 0.5 / (x * x);
    double sum = 1.0;
    for (int k = 19; k > 0; k -= 2) {
        sum = 1.0 - (double)k * t * sum;
    }
    return CDP_1_OVER_SQRT_PI / x * sum;
}
/* The normal distribution: erfc(-x / sqrt 2) / 2, with the argument's rounding
 * error taken into account, since erfc's slope multiplies it. */
CDP_BOTH_INLINE double normcdf(double x)
{
    if (__builtin_fabs(x) > 40.0) {
        return x > 0.0 ? 1.0 : 0.0;
    }
    const double h = -x * CDP_SQRT_HALF;
    const double low = __builtin_fma(-x, CDP_SQRT_HALF, -h) - x * CDP_SQRT_HALF_LOW;
    return 0.5 * (__builtin_erfc(h) - low * CDP_2_OVER_SQRT_PI * __builtin_exp(-h * h));
}
/* Inverse of erf for |y| <= 1/2: a start and three steps of Halley's method. */
CDP_BOTH_INLINE double __cdp_erfinv_center(double y)
{
    const double y2 = y * y;
    double x = y * (0.886226925 + y2 * (0.232013666 + y2 * 0.127556176));
    for (int i = 0; i < 3; i++) {
        const double error = __builtin_erf(x) - y;
        x -= error / (CDP_2_OVER_SQRT_PI * __builtin_exp(-x * x) + x * error);
    }
    return x;
}
/* Inverse of erfc for 0 < y <= 1/2, likewise; the start is the rational
 * approximation of the normal quantile in Abramowitz and Stegun, 26.2.23. */
CDP_BOTH_INLINE double __cdp_erfcinv_tail(double y)
{
    const double t = __builtin_sqrt(-2.0 * __builtin_log(0.5 * y));
    double x = CDP_SQRT_HALF * (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                                        (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 3; i++) {
        const double error = __builtin_erfc(x) - y;
        x += error / (CDP_2_OVER_SQRT_PI * __builtin_exp(-x * x) - x * error);
    }
    return x;
}
CDP_BOTH_INLINE double erfcinv(double y)
{
    if (!(y > 0.0 && y < 2.0)) {
        return y == 0.0 ? __builtin_inf() : y == 2.0 ? -__builtin_inf() : __builtin_nan("");
    }
    if (y <= 0.5) {
        return __cdp_erfcinv_tail(y);
    }
    return y >= 1.5 ? -__cdp_erfcinv_tail(2.0 - y) : __cdp_erfinv_center(1.0 - y);
}
CDP_BOTH_INLINE double erfinv(double y)
{
    const double magnitude = __builtin_fabs(y);
    if (magnitude <= 0.5) {
        return __cdp_erfinv_center(y);
    }
    return __builtin_copysign(erfcinv(1.0 - magnitude), y);
}
CDP_BOTH_INLINE double normcdfinv(double y)
{
    return 0.0 - 2.0 * CDP_SQRT_HALF * erfcinv(2.0 * y); /* zero is +0 */
}

/* ---- Modified Bessel functions ---- */

/* The power series has only positive terms; from 20 on the asymptotic one is
 * exact to the last bit. */
CDP_BOTH_INLINE double __cdp_bessel_i(int order, double x)
{
    const double magnitude = __builtin_fabs(x);
    double term = 1.0, sum = 1.0, result;
    if (magnitude > 800.0) {
        result = __builtin_inf();
    } else if (magnitude < 20.0) {
        const double quarter = 0.25 * x * x;
        for (int k = 1; term > sum * 1e-18; k++) {
            term *= quarter / ((double)k * (double)(k + order));
            sum += term;
        }
        result = order ? 0.5 * magnitude * sum : sum;
    } else {
        const double mu = 4.0 * order * order;
        for (int k = 1; k < 30 && __builtin_fabs(term) > 1e-18; k++) {
            const double odd = 2.0 * k - 1.0;
            term *= -(mu - odd * odd) / (8.0 * k * magnitude);
            sum += term;
        }
        /* In two factors: the whole exponential overflows before the result. */
        const double root = __builtin_exp(0.5 * magnitude);
        result = root / __builtin_sqrt(2.0 * CDP_PI * magnitude) * sum * root;
    }
    return order ? __builtin_copysign(result, x) : result;
}
CDP_BOTH_INLINE double cyl_bessel_i0(double x)
{
    return __cdp_bessel_i(0, x);
}
CDP_BOTH_INLINE double cyl_bessel_i1(double x)
{
    return __cdp_bessel_i(1, x);
}

/* ---- Forms in float: computed in double, which also makes them accurate ---- */

CDP_BOTH_INLINE float rsqrtf(float x)
{
    return 1.0f / __builtin_sqrtf(x);
}
CDP_BOTH_INLINE float rcbrtf(float x)
{
    return 1.0f / __builtin_cbrtf(x);
}
CDP_BOTH_INLINE float rsqrt(float x)
{
    return rsqrtf(x);
}
CDP_BOTH_INLINE float rcbrt(float x)
{
    return rcbrtf(x);
}
#define CDP_FLOAT_FORM(name)                                                                       \
    CDP_BOTH_INLINE float name##f(float x)                                                         \
    {                                                                                              \
        return (float)name((double)x);                                                             \
    }                                                                                              \
    CDP_BOTH_INLINE float name(float x)                                                            \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
CDP_FLOAT_FORM(sinpi)
CDP_FLOAT_FORM(cospi)
CDP_FLOAT_FORM(erfcx)
CDP_FLOAT_FORM(normcdf)
CDP_FLOAT_FORM(erfinv)
CDP_FLOAT_FORM(erfcinv)
CDP_FLOAT_FORM(normcdfinv)
CDP_FLOAT_FORM(cyl_bessel_i0)
CDP_FLOAT_FORM(cyl_bessel_i1)
#undef CDP_FLOAT_FORM
CDP_BOTH_INLINE void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
CDP_BOTH_INLINE void sincospi(float x, float *s, float *c)
{
    sincospif(x, s, c);
}
CDP_BOTH_INLINE void sincos(float x, float *s, float *c)
{
    sincosf(x, s, c);
}
CDP_BOTH_INLINE float exp10(float x)
{
    return exp10f(x);
}
#define CDP_BESSEL(name)                                                                           \
    CDP_BOTH_INLINE float name(float x)                                                            \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
CDP_BESSEL(j0)
CDP_BESSEL(j1)
CDP_BESSEL(y0)
CDP_BESSEL(y1)
#undef CDP_BESSEL
CDP_BOTH_INLINE float jn(int n, float x)
{
    return jnf(n, x);
}
CDP_BOTH_INLINE float yn(int n, float x)
{
    return ynf(n, x);
}
CDP_BOTH_INLINE float fdividef(float a, float b)
{
    return a / b;
}
CDP_BOTH_INLINE float fdivide(float a, float b)
{
    return a / b;
}
CDP_BOTH_INLINE double fdivide(double a, double b)
{
    return a / b;
}

/* ---- Device only: the fast forms, which here are the ordinary ones ---- */

CDP_DEVICE_INLINE float __fdividef(float a, float b)
{
    return a / b;
}
CDP_DEVICE_INLINE float __saturatef(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; /* NaN gives 0 */
}
CDP_DEVICE_INLINE float saturate(float x)
{
    return __saturatef(x);
}
CDP_DEVICE_INLINE float __sinf(float x)
{
    return __builtin_sinf(x);
}
CDP_DEVICE_INLINE float __cosf(float x)
{
    return __builtin_cosf(x);
}
CDP_DEVICE_INLINE float __tanf(float x)
{
    return __builtin_tanf(x);
}
CDP_DEVICE_INLINE float __tanhf(float x)
{
    return __builtin_tanhf(x);
}
CDP_DEVICE_INLINE void __sincosf(float x, float *s, float *c)
{
    sincosf(x, s, c);
}
CDP_DEVICE_INLINE float __expf(float x)
{
    return __builtin_expf(x);
}
CDP_DEVICE_INLINE float __exp10f(float x)
{
    return exp10f(x);
}
CDP_DEVICE_INLINE float __logf(float x)
{
    return __builtin_logf(x);
}
CDP_DEVICE_INLINE float __log2f(float x)
{
    return __builtin_log2f(x);
}
CDP_DEVICE_INLINE float __log10f(float x)
{
    return __builtin_log10f(x);
}
CDP_DEVICE_INLINE float __powf(float x, float y)
{
    return __builtin_powf(x, y);
}

#undef CDP_SQRT_HALF
#undef CDP_SQRT_HALF_LOW
#undef CDP_2_OVER_SQRT_PI
#undef CDP_1_OVER_SQRT_PI
#undef CDP_PI

#endif
