/* Functions of float.
 *
 * There are two methods. exp, log, sine and cosine are computed in float, with the parts that
 * cancel as sums of two floats. The other functions are computed in double, where the rounding
 * errors are small in comparison with float's, and rounded once at the end. The comments of the
 * helpers in double state their relative errors.
 *
 * Special arguments are selected at the end, as in double.c. */
#include "math/math.h"

#define INF __builtin_inff()
#define NOT_A_NUMBER __builtin_nanf("")

/* ---- Exponentials ---- */

/* x * 2^n for x near 1, where n is the bits of a sum with ROUNDER_F. n starts at -150, and the
 * result is not above the largest number. Uses integers, because an operation with a subnormal
 * result takes hundreds of cycles on some processors. */
static inline float scale(float x, uint32_t n)
{
    int32_t bits = (int32_t)(bits_of(x) + (n << 23));
    /* In units of the least number. A sum with 2^23 is a whole number of these. */
    float units = float_of(bits_of(x) + ((n + 149) << 23)) + 0x1p23f;
    bool is_normal = bits >= 0x00800000;
    return float_of(is_normal ? (uint32_t)bits : bits_of(units) - bits_of(0x1p23f));
}

/* x = n log(2) + r; a polynomial of degree 6 for e^r. Above the limit x + infinity is infinity,
 * and a NaN stays a NaN. */
float cdp_expf(float x) CDP_MATH(expf);
float cdp_expf(float x)
{
    float near = x < -104.0f ? -104.0f : x; /* rounds to zero */
    float turns = fma_f(near, 0x1.715476p+0f, ROUNDER_F), n = turns - ROUNDER_F;
    float high = fma_f(n, -0x1.62e43p-1f, near), low = n * 0x1.05c61p-29f; /* high is exact */
    float r = high + low;
    float p = 0x1.6d542p-10f;
    p = fma_f(p, r, 0x1.123ffcp-7f);
    p = fma_f(p, r, 0x1.5554e2p-5f);
    p = fma_f(p, r, 0x1.555488p-3f);
    p = fma_f(p, r, 0.5f);
    float result = scale(1.0f + (high + fma_f(p, r * r, low)), bits_of(turns));
    return x <= 0x1.62e42ep+6f ? result : x + INF; /* not NaN either */
}

/* ---- Logarithms ---- */

/* e log(2) + log(1 + f); a polynomial of degree 10 in f. The sum of the two largest terms keeps
 * its rounding error. */
float cdp_logf(float x) CDP_MATH(logf);
float cdp_logf(float x)
{
    bool is_small = x < 0x1p-126f;
    uint32_t bits = bits_of(is_small ? x * 0x1p23f : x);
    /* x = m * 2^e, with m from sqrt(1/2) to sqrt(2). */
    uint32_t above = bits - 0x3f3504f3;
    float e = (float)((int32_t)above >> 23) - (is_small ? 23.0f : 0.0f);
    float f = float_of((above & 0x7fffff) + 0x3f3504f3) - 1.0f;
    float p = -0x1.325abp-4f;
    p = fma_f(p, f, 0x1.06b52p-3f);
    p = fma_f(p, f, -0x1.0fa384p-3f);
    p = fma_f(p, f, 0x1.22b8bep-3f);
    p = fma_f(p, f, -0x1.5422bp-3f);
    p = fma_f(p, f, 0x1.99a016p-3f);
    p = fma_f(p, f, -0x1.000432p-2f);
    p = fma_f(p, f, 0x1.555558p-2f);
    p = fma_f(p, f, -0x1.fffff8p-2f);
    float low = fma_f(p, f * f, e * 0x1.7f7d1cp-20f);
    float high = e * 0x1.62e4p-1f; /* exact */
    float sum = high + f, lost = f - (sum - high);
    float result = sum + (low + lost);
    result = x == INF ? INF : result;
    result = x == 0.0f ? -INF : result;
    return x < 0.0f || x != x ? NOT_A_NUMBER : result;
}

/* ---- Sine and cosine ---- */

float sinf(float x);
float cosf(float x);

/* The reduction is valid up to here. */
#define MOST_TURNED 71476.0f

/* An angle as a number of quarter turns and the rest. */
struct angle {
    uint32_t quarter; /* modulo 4 in its low bits */
    float r;          /* the rest, |r| <= pi / 4 */
};

/* Reduces by pi / 2 in three parts. The first two steps are exact except for their last
 * rounding. */
static inline struct angle reduce(float x)
{
    float turns = fma_f(x, 0x1.45f306p-1f, ROUNDER_F), n = turns - ROUNDER_F;
    float r = fma_f(n, -0x1.921fb6p+0f, x);
    r = fma_f(n, 0x1.777a5cp-25f, r);
    r = fma_f(n, 0x1.ee59dap-50f, r);
    return (struct angle){bits_of(turns), r};
}

/* On |r| <= pi / 4. */
static inline float sine(float r)
{
    float z = r * r;
    float p = fma_f(fma_f(-0x1.9954a8p-13f, z, 0x1.11077ap-7f), z, -0x1.555546p-3f);
    return fma_f(p * z, r, r);
}

/* On |r| <= pi / 4. */
static inline float cosine(float r)
{
    float z = r * r;
    float p = fma_f(fma_f(0x1.99e9d4p-16f, z, -0x1.6c0c2cp-10f), z, 0x1.55554ap-5f);
    return fma_f(p, z * z, fma_f(z, -0.5f, 1.0f));
}

/* Odd quarters exchange sine and cosine; the upper two negate the result. */
static inline float turned(float s, float c, uint32_t quarter)
{
    float chosen = quarter & 1 ? c : s;
    return float_of(bits_of(chosen) ^ (quarter & 2) << 30);
}

/* The C library computes the sine of larger numbers. -0 stays -0. */
float cdp_sinf(float x) CDP_MATH(sinf);
float cdp_sinf(float x)
{
    if (__builtin_expect(!(__builtin_fabsf(x) <= MOST_TURNED), 0)) {
        return sinf(x);
    }
    struct angle a = reduce(x);
    float result = turned(sine(a.r), cosine(a.r), a.quarter);
    return x == 0.0f ? x : result;
}

float cdp_cosf(float x) CDP_MATH(cosf);
float cdp_cosf(float x)
{
    if (__builtin_expect(!(__builtin_fabsf(x) <= MOST_TURNED), 0)) {
        return cosf(x);
    }
    struct angle a = reduce(x);
    return turned(sine(a.r), cosine(a.r), a.quarter + 1);
}

/* ---- Powers, computed in double ---- */

/* log2(x) for 0 < x, with a relative error of 2^-37; -infinity and infinity at the ends; a NaN
 * stays a NaN. */
static inline double log2_of(float x)
{
    uint64_t bits = bits_of_double((double)x); /* never subnormal */
    uint64_t above = bits - 0x3fe6a09e667f3bcd;
    double e = double_of((above >> 52 ^ 0x800) | bits_of_double(0x1p52)) - 0x1.0000000000800p52;
    double m = double_of((above & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    double p = 0x1.5cef57f453ec9p-2;
    p = fma_d(p, z, 0x1.a58d32b9dc65cp-2);
    p = fma_d(p, z, 0x1.27778084d8d80p-1);
    p = fma_d(p, z, 0x1.ec709d1229c6ep-1);
    p = fma_d(p, z, 0x1.71547652bee4dp+1);
    double result = fma_d(p, s, e);
    result = x < INF ? result : (double)x;
    return x == 0.0f ? (double)-INF : result;
}

/* 2^x to 2^-34 of it; NaN stays. */
static inline double exp2_of(double x)
{
    x = x > 200.0 ? 200.0 : x;
    x = x < -200.0 ? -200.0 : x;
    double turns = x + ROUNDER, f = x - (turns - ROUNDER);
    double p = 0x1.00dd491c8a1cdp-16;
    p = fma_d(p, f, 0x1.4461287b2533bp-13);
    p = fma_d(p, f, 0x1.5d874427bf7b0p-10);
    p = fma_d(p, f, 0x1.3b29ed5703c31p-7);
    p = fma_d(p, f, 0x1.c6b08dd83dd36p-5);
    p = fma_d(p, f, 0x1.ebfbe07f2e7f6p-3);
    p = fma_d(p, f, 0x1.62e42fef844e2p-1);
    p = fma_d(p, f, 1.0);
    return p * double_of((bits_of_double(turns) << 52) + bits_of_double(1.0));
}

/* 2^(y log2 |x|), with the sign and the special cases after it. */
float cdp_powf(float x, float y) CDP_MATH(powf);
float cdp_powf(float x, float y)
{
    double exponent = (double)y * log2_of(__builtin_fabsf(x));
    float result = (float)exp2_of(exponent);
    float whole = __builtin_rintf(y), half = 0.5f * y;
    bool is_odd = whole == y && __builtin_rintf(half) != half;
    result = is_odd ? __builtin_copysignf(result, x) : result;
    bool is_negative = x < 0.0f && x != -INF;
    result = is_negative && whole != y ? NOT_A_NUMBER : result;
    /* With a base of 1 or -1 the exponent may be 0 * infinity. */
    bool is_one = x == 1.0f || y == 0.0f || (x == -1.0f && __builtin_fabsf(y) == INF);
    result = is_one ? 1.0f : result;
    /* Programs square with this call. If y is a known constant, only the product remains. */
    return y == 2.0f ? x * x : result;
}

float cdp_exp2f(float x) CDP_MATH(exp2f);
float cdp_exp2f(float x)
{
    return (float)exp2_of((double)x);
}

/* The constant is log2(10). */
float cdp_exp10f(float x) CDP_MATH(exp10f);
float cdp_exp10f(float x)
{
    return (float)exp2_of((double)x * 0x1.a934f0979a371p+1);
}

/* A NaN for numbers below zero. The logarithm of -0 is -infinity. */
float cdp_log2f(float x) CDP_MATH(log2f);
float cdp_log2f(float x)
{
    float result = (float)log2_of(__builtin_fabsf(x));
    return x < 0.0f ? NOT_A_NUMBER : result;
}

/* The constant is log10(2). */
float cdp_log10f(float x) CDP_MATH(log10f);
float cdp_log10f(float x)
{
    float result = (float)(log2_of(__builtin_fabsf(x)) * 0x1.34413509f79ffp-2);
    return x < 0.0f ? NOT_A_NUMBER : result;
}

float cdp_tanhf(float x) CDP_MATH(tanhf);
float cdp_tanhf(float x)
{
    /* Uses e^2x if that is not near 1, else the first terms of the series. */
    double e = exp2_of((double)x * 0x1.71547652b82fep+1);
    double z = (double)x * (double)x;
    double p = fma_d(fma_d(-17.0 / 315.0, z, 2.0 / 15.0), z, -1.0 / 3.0);
    double near = fma_d(p * z, (double)x, (double)x);
    float result = (float)(__builtin_fabsf(x) < 0x1p-5f ? near : (e - 1.0) / (e + 1.0));
    return x == 0.0f ? x : result;
}

/* From 3.92 on the result rounds to 1. */
float cdp_erff(float x) CDP_MATH(erff);
float cdp_erff(float x)
{
    /* erf(x) / x in powers of x^2, around the middle of the range where it is not yet 1. */
    double u = fma_d((double)x, (double)x, -7.75);
    u = u > 7.75 ? 7.75 : u;
    double p = 0x1.b0d480078637bp-68;
    p = fma_d(p, u, -0x1.32e13e8f6fe3fp-63);
    p = fma_d(p, u, 0x1.24281bfa44fb1p-60);
    p = fma_d(p, u, -0x1.f09bb8bf4ef18p-57);
    p = fma_d(p, u, 0x1.b30de855f9227p-52);
    p = fma_d(p, u, -0x1.cd72c2f0c38aep-48);
    p = fma_d(p, u, 0x1.8a698d178d847p-44);
    p = fma_d(p, u, -0x1.56686972e1af9p-40);
    p = fma_d(p, u, 0x1.20f4ab29901d5p-36);
    p = fma_d(p, u, -0x1.c2efaa911ade3p-33);
    p = fma_d(p, u, 0x1.48319f968fb99p-29);
    p = fma_d(p, u, -0x1.c16c6c432320fp-26);
    p = fma_d(p, u, 0x1.223f9590633e8p-22);
    p = fma_d(p, u, -0x1.642c22d9841afp-19);
    p = fma_d(p, u, 0x1.a5200f0344bd4p-16);
    p = fma_d(p, u, -0x1.ea8392b2b7f94p-13);
    p = fma_d(p, u, 0x1.237b68702b625p-9);
    p = fma_d(p, u, -0x1.7b26f0b733d24p-6);
    p = fma_d(p, u, 0x1.6fcd22aff0c32p-2);
    float result = (float)(p * (double)x);
    result = __builtin_fabsf(x) >= 3.92f ? __builtin_copysignf(1.0f, x) : result;
    return x == 0.0f ? x : result;
}

/* ---- Angles and hyperbolas, computed in double ---- */

float tanf(float x);

#define PI 0x1.921fb54442d18p+1

/* tan(r) for |r| <= pi / 4, to 2^-34 of it. */
static inline double tangent(double r)
{
    double z = r * r;
    double p = 0x1.0d7af6861c1cep-9;
    p = fma_d(p, z, -0x1.4d0e723e5103bp-11);
    p = fma_d(p, z, 0x1.4a08b717ffe55p-8);
    p = fma_d(p, z, 0x1.102e3613a26f9p-7);
    p = fma_d(p, z, 0x1.6855355215337p-6);
    p = fma_d(p, z, 0x1.b9fbcddf33453p-5);
    p = fma_d(p, z, 0x1.11118d546b8bcp-3);
    p = fma_d(p, z, 0x1.555553e26d496p-2);
    p = fma_d(p, z, 0x1.000000005a8bap+0);
    return p * r;
}

/* tan(r), or -1 / tan(r) in odd quarters. */
float cdp_tanf(float x) CDP_MATH(tanf);
float cdp_tanf(float x)
{
    if (__builtin_expect(!(__builtin_fabsf(x) <= MOST_TURNED), 0)) {
        return tanf(x);
    }
    double turns = fma_d((double)x, 0x1.45f306dc9c883p-1, ROUNDER), n = turns - ROUNDER;
    double r = fma_d(n, -0x1.921fb54442d18p+0, (double)x);
    double t = tangent(fma_d(n, -0x1.1a62633145c07p-54, r));
    float result = (float)(bits_of_double(turns) & 1 ? -1.0 / t : t);
    return x == 0.0f ? x : result;
}

/* atan(t) for 0 <= t <= 1, to 2^-33 of it. */
static inline double arc_of_tangent(double t)
{
    double z = t * t;
    double p = -0x1.5bcf6e5741041p-11;
    p = fma_d(p, z, 0x1.3625e8d6eefb9p-8);
    p = fma_d(p, z, -0x1.0354cc23b8650p-6);
    p = fma_d(p, z, 0x1.151ab904c9279p-5);
    p = fma_d(p, z, -0x1.ba035c4e8d652p-5);
    p = fma_d(p, z, 0x1.2811fdeff7003p-4);
    p = fma_d(p, z, -0x1.6f95036b2d2f5p-4);
    p = fma_d(p, z, 0x1.c6533dfc9a77bp-4);
    p = fma_d(p, z, -0x1.2488519fa5a60p-3);
    p = fma_d(p, z, 0x1.999914dc909cfp-3);
    p = fma_d(p, z, -0x1.555553f671b9ap-2);
    p = fma_d(p, z, 0x1.ffffffff64898p-1);
    return p * t;
}

/* For |x| > 1: pi / 2 - atan(1 / |x|). */
float cdp_atanf(float x) CDP_MATH(atanf);
float cdp_atanf(float x)
{
    double t = (double)__builtin_fabsf(x);
    bool is_steep = t > 1.0;
    double arc = arc_of_tangent(is_steep ? 1.0 / t : t);
    return __builtin_copysignf((float)(is_steep ? PI / 2 - arc : arc), x);
}

/* The arc of the smaller side over the larger one, mirrored to its octant. */
float cdp_atan2f(float y, float x) CDP_MATH(atan2f);
float cdp_atan2f(float y, float x)
{
    double up = (double)__builtin_fabsf(y), along = (double)__builtin_fabsf(x);
    bool is_steep = up > along;
    double less = is_steep ? along : up, more = is_steep ? up : along;
    /* For two zeros, and for two infinities. */
    double t = less == more ? (more == 0.0 ? 0.0 : 1.0) : less / more;
    double arc = arc_of_tangent(t);
    arc = is_steep ? PI / 2 - arc : arc;
    arc = bits_of(x) >> 31 != 0 ? PI - arc : arc;
    float result = __builtin_copysignf((float)arc, y);
    return x != x || y != y ? NOT_A_NUMBER : result;
}

/* asin(s) for 0 <= s <= 1 / 2, and from there to 1 half of acos(s), with a relative error of
 * 2^-35. */
static inline double arc_of_sine(double s)
{
    double z = s <= 0.5 ? s * s : 0.5 - 0.5 * s, part = s <= 0.5 ? s : __builtin_sqrt(z);
    double p = 0x1.1ca8ba846c6cbp-5;
    p = fma_d(p, z, 0x1.e5084c0c9e239p-8);
    p = fma_d(p, z, 0x1.93e1363c82c76p-6);
    p = fma_d(p, z, 0x1.ed3310aa58a51p-6);
    p = fma_d(p, z, 0x1.6ddd3297735ebp-5);
    p = fma_d(p, z, 0x1.3332974333413p-4);
    p = fma_d(p, z, 0x1.55555644ffd27p-3);
    p = fma_d(p, z, 0x1.ffffffffe1fddp-1);
    return part * p;
}

/* Above 1 / 2: pi / 2 - acos(|x|), because the sine is flat there. */
float cdp_asinf(float x) CDP_MATH(asinf);
float cdp_asinf(float x)
{
    double s = (double)__builtin_fabsf(x), arc = arc_of_sine(s);
    return __builtin_copysignf((float)(s <= 0.5 ? arc : PI / 2 - 2.0 * arc), x);
}

float cdp_acosf(float x) CDP_MATH(acosf);
float cdp_acosf(float x)
{
    double s = (double)__builtin_fabsf(x), arc = arc_of_sine(s);
    arc = s <= 0.5 ? PI / 2 - arc : 2.0 * arc;
    return (float)(x < 0.0f ? PI - arc : arc);
}

/* e^x, limited to 2^200 and 2^-200.
 *
 * Within these limits 1 / e^x is a finite number, too. */
static inline double exp_of(float x)
{
    return exp2_of((double)x * 0x1.71547652b82fep+0);
}

/* No terms cancel, so one formula is enough. */
float cdp_coshf(float x) CDP_MATH(coshf);
float cdp_coshf(float x)
{
    double e = exp_of(x);
    return (float)(0.5 * e + 0.5 / e);
}

float cdp_sinhf(float x) CDP_MATH(sinhf);
float cdp_sinhf(float x)
{
    /* Uses e^x if that is not near 1, else the first terms of the series. */
    double e = exp_of(x), z = (double)x * (double)x;
    double p = fma_d(z, 1.0 / 362880.0, 1.0 / 5040.0);
    p = fma_d(fma_d(p, z, 1.0 / 120.0), z, 1.0 / 6.0);
    double near = fma_d(p * z, (double)x, (double)x);
    float result = (float)(__builtin_fabsf(x) < 0.5f ? near : 0.5 * e - 0.5 / e);
    return x == 0.0f ? x : result;
}

/* 2^(log2 |x| / 3) with the sign of x. */
float cdp_cbrtf(float x) CDP_MATH(cbrtf);
float cdp_cbrtf(float x)
{
    double root = exp2_of(log2_of(__builtin_fabsf(x)) * (1.0 / 3.0));
    return __builtin_copysignf((float)root, x);
}

/* Squares of floats neither overflow nor underflow in double. Infinity wins against a NaN. */
float cdp_hypotf(float x, float y) CDP_MATH(hypotf);
float cdp_hypotf(float x, float y)
{
    double sum = fma_d((double)x, (double)x, (double)y * (double)y);
    float result = (float)__builtin_sqrt(sum);
    bool is_far = __builtin_fabsf(x) == INF || __builtin_fabsf(y) == INF;
    return is_far ? INF : result;
}
