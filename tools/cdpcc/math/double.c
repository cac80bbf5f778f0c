/* Functions of double.
 *
 * Each function reduces its argument, evaluates a polynomial by Horner's rule with fused
 * multiply-add, and puts the exponent back with integer operations:
 *
 *     exp     x = n log(2) + r, |r| <= log(2) / 2; e^x = 2^n e^r
 *     log     x = m 2^e, m from sqrt(1/2) to sqrt(2); e log(2) + 2 artanh((m - 1) / (m + 1))
 *     cbrt    x = m 2^(3 q + r); the reciprocal root by a polynomial and a Newton step
 *     sin     x = n pi / 2 + r; the polynomial of sine or cosine by n modulo 4
 *     pow     e^(y log(x)), with the logarithm as a sum of two doubles
 *
 * Constants such as log(2) and pi / 2 are sums of two or three doubles. The product of n and the
 * first part is exact, or its error is known, so no digit is lost where terms cancel. Special
 * results are selected at the end, because a block entry computes all lanes together. Only
 * arguments that are too large for the reduction are branched on. */
#include "math/math.h"

#define INF __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")

/* x * 2^n as in float.c, for n from -1076 on. */
static inline double scale(double x, uint64_t n)
{
    int64_t bits = (int64_t)(bits_of_double(x) + (n << 52));
    double units = double_of(bits_of_double(x) + ((n + 1074) << 52)) + 0x1p52;
    bool is_normal = bits >= 0x0010000000000000;
    return double_of(is_normal ? (uint64_t)bits : bits_of_double(units) - bits_of_double(0x1p52));
}

/* e^(high + low) if that is near 1. */
static inline double exp_near_zero(double high, double low)
{
    double r = high + low, z = r * r;
    double p = 0x1.af6ee586ebd03p-26;
    p = fma_d(p, r, 0x1.28b12fe550e4bp-22);
    p = fma_d(p, r, 0x1.71ddee3ecd7a3p-19);
    p = fma_d(p, r, 0x1.a0199584f4af5p-16);
    p = fma_d(p, r, 0x1.a01a01b455d91p-13);
    p = fma_d(p, r, 0x1.6c16c18616ed7p-10);
    p = fma_d(p, r, 0x1.111111110e9dep-7);
    p = fma_d(p, r, 0x1.555555554fdd8p-5);
    p = fma_d(p, r, 0x1.555555555555cp-3);
    p = fma_d(p, r, 0x1.000000000000cp-1);
    return 1.0 + (high + fma_d(p, z, low));
}

/* Above the limit x + infinity is infinity, and a NaN stays a NaN. */
double cdp_exp(double x) CDP_MATH(exp);
double cdp_exp(double x)
{
    double near = x < -746.0 ? -746.0 : x; /* rounds to zero */
    double turns = fma_d(near, 0x1.71547652b82fep+0, ROUNDER), n = turns - ROUNDER;
    double high = fma_d(n, -0x1.62e42fefa39efp-1, near); /* exact */
    double low = n * -0x1.abc9e3b39803fp-56;
    double result = scale(exp_near_zero(high, low), bits_of_double(turns));
    return x <= 0x1.62e42fefa39efp+9 ? result : x + INF; /* not NaN either */
}

double cdp_log(double x) CDP_MATH(log);
double cdp_log(double x)
{
    bool is_small = x < 0x1p-1022;
    uint64_t bits = bits_of_double(is_small ? x * 0x1p52 : x);
    /* x = m * 2^e, with m from sqrt(1/2) to sqrt(2). */
    uint64_t above = bits - 0x3fe6a09e667f3bcd;
    double biased = double_of((above >> 52 ^ 0x800) | bits_of_double(0x1p52));
    double e = biased - (0x1p52 + 2048.0) - (is_small ? 52.0 : 0.0);
    double f = double_of((above & 0xfffffffffffff) + 0x3fe6a09e667f3bcd) - 1.0;
    /* log(1 + f) = 2 artanh(s), of which 2 s is f - f^2 / 2 + s f^2 / 2. */
    double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double p = 0x1.2f1db1fdd5585p-3;
    p = fma_d(p, z, 0x1.399f4f8679da4p-3);
    p = fma_d(p, z, 0x1.7466572e2af1ap-3);
    p = fma_d(p, z, 0x1.c71c51901068ep-3);
    p = fma_d(p, z, 0x1.249249428d955p-2);
    p = fma_d(p, z, 0x1.999999997f1b0p-2);
    p = fma_d(p, z, 0x1.5555555555595p-1);
    double low = fma_d(s, fma_d(p, z, half), e * 0x1.473de6af278edp-34);
    double result = fma_d(e, 0x1.62e42fefp-1, f - (half - low)); /* the product is exact */
    result = x < INF ? result : x;
    result = x == 0.0 ? -INF : result;
    return x < 0.0 ? NOT_A_NUMBER : result;
}

/* ---- The cube root ---- */

/* A polynomial for the reciprocal root, one Newton step for it, and one Newton step for the root.
 * Its distance from the cube is so exact that little more than the last rounding remains. */
static inline double root_of(double m, double y)
{
    y += y * fma_d(-m * y, y * y, 1.0) * 0x1.5555555555555p-2;
    double step = y * y, root = m * step;
    double square = root * root, lost = fma_d(root, root, -square);
    double rest = fma_d(-lost, root, fma_d(-square, root, m));
    return fma_d(rest, step * 0x1.5555555555555p-2, root);
}

/* Zeros, infinities and NaNs are their own cube roots. */
double cdp_cbrt(double x) CDP_MATH(cbrt);
double cdp_cbrt(double x)
{
    double size = __builtin_fabs(x);
    bool is_small = size < 0x1p-1022;
    uint64_t bits = bits_of_double(is_small ? size * 0x1p54 : size);
    /* |x| = m * 2^e, with m from 1 to 2, and e = 3 q + r. */
    double biased = double_of(bits >> 52 | bits_of_double(0x1p52));
    double e = biased - (0x1p52 + 1023.0) - (is_small ? 54.0 : 0.0);
    double m = double_of((bits & 0xfffffffffffff) | bits_of_double(1.0));
    double thirds = fma_d(e, 0x1.5555555555555p-2, ROUNDER);
    double r = fma_d(thirds - ROUNDER, -3.0, e);
    double y = -0x1.0e87006cbe6bbp-6;
    y = fma_d(y, m, 0x1.37ce9e9ed0a1dp-3);
    y = fma_d(y, m, -0x1.2c4b958d54c08p-1);
    y = fma_d(y, m, 0x1.3a267a3d49ad4p+0);
    y = fma_d(y, m, -0x1.8dd4bd7d34771p+0);
    y = fma_d(y, m, 0x1.c713e2847cbe6p+0);
    y = r < 0.0 ? y * 0x1.428a2f98d728bp+0 : r > 0.0 ? y * 0x1.965fea53d6e3dp-1 : y;
    m = r < 0.0 ? 0.5 * m : r > 0.0 ? 2.0 * m : m;
    double root = double_of(bits_of_double(root_of(m, y)) + (bits_of_double(thirds) << 52));
    return x == 0.0 || !(size < INF) ? x : __builtin_copysign(root, x);
}

/* ---- Sine and cosine ---- */

double sin(double x);
double cos(double x);

/* The reduction is valid up to here. */
#define MOST_TURNED 0x1p20

struct angle {
    uint64_t quarter; /* modulo 4 in its low bits */
    double r, low;    /* the remainder in two parts, |r| <= pi / 4 */
};

/* n is the nearest integer of x / (pi / 2). pi / 2 is the sum of three doubles. */
static inline struct angle reduce(double x)
{
    double turns = fma_d(x, 0x1.45f306dc9c883p-1, ROUNDER), n = turns - ROUNDER;
    double first = fma_d(n, -0x1.921fb54442d18p+0, x); /* exact */
    double r = fma_d(n, -0x1.1a62633145c07p-54, first);
    double lost = fma_d(n, -0x1.1a62633145c07p-54, first - r);
    return (struct angle){bits_of_double(turns), r, fma_d(n, 0x1.f1976b7ed8fbcp-110, lost)};
}

/* The sine of r + low: the low part enters to the first order. */
static inline double sine(struct angle a)
{
    double z = a.r * a.r;
    double p = 0x1.5d8f1f34d7826p-33;
    p = fma_d(p, z, -0x1.ae5e57a5da082p-26);
    p = fma_d(p, z, 0x1.71de3563061f1p-19);
    p = fma_d(p, z, -0x1.a01a019bf64f9p-13);
    p = fma_d(p, z, 0x1.111111110f775p-7);
    p = fma_d(p, z, -0x1.5555555555548p-3);
    return a.r + fma_d(p * z, a.r, fma_d(-0.5 * z, a.low, a.low));
}

/* The terms that 1 - z / 2 loses in rounding are added at the end. */
static inline double cosine(struct angle a)
{
    double z = a.r * a.r, half = 0.5 * z, w = 1.0 - half, lost = (1.0 - w) - half;
    double p = -0x1.8fa9264a4b273p-37;
    p = fma_d(p, z, 0x1.1ee9e0a72e614p-29);
    p = fma_d(p, z, -0x1.27e4f7f80e86ap-22);
    p = fma_d(p, z, 0x1.a01a019c9697fp-16);
    p = fma_d(p, z, -0x1.6c16c16c15046p-10);
    p = fma_d(p, z, 0x1.555555555554bp-5);
    return w + (lost + fma_d(p, z * z, -a.r * a.low));
}

/* Odd quarters exchange sine and cosine; the upper two negate the result. */
static inline double turned(double s, double c, uint64_t quarter)
{
    double chosen = quarter & 1 ? c : s;
    return double_of(bits_of_double(chosen) ^ (quarter & 2) << 62);
}

/* The C library computes the sine of larger numbers. -0 stays -0. */
double cdp_sin(double x) CDP_MATH(sin);
double cdp_sin(double x)
{
    if (__builtin_expect(!(__builtin_fabs(x) <= MOST_TURNED), 0)) {
        return sin(x);
    }
    struct angle a = reduce(x);
    double result = turned(sine(a), cosine(a), a.quarter);
    return x == 0.0 ? x : result;
}

double cdp_cos(double x) CDP_MATH(cos);
double cdp_cos(double x)
{
    if (__builtin_expect(!(__builtin_fabs(x) <= MOST_TURNED), 0)) {
        return cos(x);
    }
    struct angle a = reduce(x);
    return turned(sine(a), cosine(a), a.quarter + 1);
}

/* ---- Powers ---- */

/* A number as the sum of two. The second is not larger than a rounding error of the first. Powers
 * need it: the exponent multiplies the error of the logarithm. */
struct pair {
    double high, low;
};

/* The exact sum of two numbers, |a| >= |b|, or at least with no smaller exponent. */
static inline struct pair sum_of(double a, double b)
{
    double high = a + b;
    return (struct pair){high, b - (high - a)};
}

/* log(x) for 0 < x < infinity to 2^-65 of it. */
static inline struct pair log_of(double x)
{
    bool is_small = x < 0x1p-1022;
    uint64_t bits = bits_of_double(is_small ? x * 0x1p52 : x);
    /* x = m * 2^e, with m from sqrt(1/2) to sqrt(2). */
    uint64_t above = bits - 0x3fe6a09e667f3bcd;
    double biased = double_of((above >> 52 ^ 0x800) | bits_of_double(0x1p52));
    double e = biased - (0x1p52 + 2048.0) - (is_small ? 52.0 : 0.0);
    double m = double_of((above & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
    /* log(m) = 2 artanh(s), s = (m - 1) / (m + 1). */
    struct pair below = sum_of(1.0, m);
    double f = m - 1.0, part = 1.0 / below.high, s = f * part;
    double s_low = (fma_d(-s, below.high, f) - s * below.low) * part;
    double z = s * s, z_low = fma_d(s, s, -z) + 2.0 * s * s_low;
    double p = 0x1.e9fdd77aaec0ep-5;
    p = fma_d(p, z, 0x1.de57a6dffdbf8p-5);
    p = fma_d(p, z, 0x1.111fb912ff63bp-4);
    p = fma_d(p, z, 0x1.3b136a0ee6ef4p-4);
    p = fma_d(p, z, 0x1.745d1813012c0p-4);
    p = fma_d(p, z, 0x1.c71c71c5cc162p-4);
    p = fma_d(p, z, 0x1.2492492492d3fp-3);
    p = fma_d(p, z, 0x1.9999999999997p-3);
    /* artanh(s) / s - 1 = z / 3 + p z^2; the term z / 3 needs both its parts. */
    double third = z * 0x1.5555555555555p-2;
    double third_low = fma_d(z, 0x1.5555555555555p-2, -third) +
                       (z * 0x1.5555555555555p-56 + z_low * 0x1.5555555555555p-2);
    struct pair more = sum_of(third, fma_d(p, z * z, third_low));
    double product = s * more.high;
    double product_low = fma_d(s, more.high, -product) + fma_d(s, more.low, s_low * more.high);
    struct pair half = sum_of(s, product);
    half.low += product_low + s_low;
    /* e log(2) is exact except for its second part. */
    struct pair sum = sum_of(e * 0x1.62e42fefa3800p-1, 2.0 * half.high);
    bool is_near_one = e == 0.0;
    sum.high = is_near_one ? 2.0 * half.high : sum.high;
    sum.low = is_near_one ? 0.0 : sum.low;
    return sum_of(sum.high, sum.low + fma_d(e, 0x1.ef35793c76730p-45, 2.0 * half.low));
}

/* e^(x.high + x.low); infinity and zero at the ends; a NaN stays a NaN. */
static inline double exp_of(struct pair x)
{
    double near = x.high < -746.0 ? -746.0 : x.high;
    near = near > 710.0 ? 710.0 : near;
    double turns = fma_d(near, 0x1.71547652b82fep+0, ROUNDER), n = turns - ROUNDER;
    double high = fma_d(n, -0x1.62e42fefa39efp-1, near); /* exact */
    double low = fma_d(n, -0x1.abc9e3b39803fp-56, near == x.high ? x.low : 0.0);
    /* Computes half of the result if the result might be too large. */
    uint64_t above = n > 0.0;
    double result = scale(exp_near_zero(high, low), bits_of_double(turns) - above);
    return n > 0.0 ? 2.0 * result : result;
}

/* e^(y log |x|), with the sign and the special cases after it. */
double cdp_pow(double x, double y) CDP_MATH(pow);
double cdp_pow(double x, double y)
{
    double size = __builtin_fabs(x);
    struct pair log = log_of(size);
    double product = y * log.high;
    struct pair exponent = {product, fma_d(y, log.high, -product) + y * log.low};
    double result = exp_of(exponent);
    result = size == 0.0 || size == INF ? ((y < 0.0) == (size == 0.0) ? INF : 0.0) : result;
    double whole = __builtin_rint(y), half = 0.5 * y;
    bool is_odd = whole == y && __builtin_rint(half) != half;
    result = is_odd ? __builtin_copysign(result, x) : result;
    bool is_negative = x < 0.0 && x != -INF;
    result = is_negative && whole != y ? NOT_A_NUMBER : result;
    result = x != x || y != y ? x + y : result;
    /* With a base of 1 or -1 the exponent may be 0 * infinity. */
    bool is_one = x == 1.0 || y == 0.0 || (x == -1.0 && __builtin_fabs(y) == INF);
    result = is_one ? 1.0 : result;
    /* Programs square with this call. If y is a known constant, only the product remains. */
    return y == 2.0 ? x * x : result;
}
