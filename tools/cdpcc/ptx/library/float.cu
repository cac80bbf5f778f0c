/* Instructions of inline PTX on float and double. To the nearest, ptx/float.c has add, sub, mul,
 * div, fma and sqrt. */
#include "library.h"

/* A GPU's float operations have one NaN. */
INTERNAL u32 result(float x)
{
    return x != x ? 0x7fffffff : bits(x);
}

template <class F> INTERNAL F arithmetic(F a, F b, u32 operation, u32 rounding)
{
    const int mode = direction(rounding);
    return operation == 1   ? __cdp_add(a, b, mode)
           : operation == 2 ? __cdp_add(a, -b, mode)
           : operation == 3 ? __cdp_mul(a, b, mode)
                            : __cdp_div(a, b, mode);
}
/* add, sub, mul, div */
PTX(u32, arithmetic32, u32 a, u32 b, u32 operation, u32 rounding, u32 flushes, u32 saturates)
{
    const float x = flushed(real(a), flushes), y = flushed(real(b), flushes);
    const float z = flushed(arithmetic(x, y, operation, rounding), flushes);
    return result(saturates != 0 ? clamped(z) : z);
}
PTX(u64, arithmetic64, u64 a, u64 b, u32 operation, u32 rounding)
{
    return bits(arithmetic(real(a), real(b), operation, rounding));
}
PTX(u32, fma32, u32 a, u32 b, u32 c, u32 rounding, u32 flushes, u32 saturates)
{
    const float x = flushed(real(a), flushes), y = flushed(real(b), flushes),
                s = flushed(real(c), flushes);
    const float z = flushed(__cdp_fma(x, y, s, direction(rounding)), flushes);
    return result(saturates != 0 ? clamped(z) : z);
}
PTX(u64, fma64, u64 a, u64 b, u64 c, u32 rounding)
{
    return bits(__cdp_fma(real(a), real(b), real(c), direction(rounding)));
}
PTX(u32, div_approx, u32 a, u32 b, u32 flushes)
{
    return result(flushed(__fdividef(flushed(real(a), flushes), flushed(real(b), flushes)), flushes));
}
/* In the whole range. */
PTX(u32, div_full, u32 a, u32 b, u32 flushes)
{
    return result(flushed(flushed(real(a), flushes) / flushed(real(b), flushes), flushes));
}

/* Clang's code generator drops a select that replaces the NaN of a root by another NaN, so the
 * operand is replaced. */
INTERNAL float with_root(float x)
{
    return x >= 0.0f ? x : real(0x7fffffffu);
}
/* rcp, sqrt, rsqrt */
PTX(u32, root_approx, u32 a, u32 operation, u32 flushes)
{
    const float x = flushed(real(a), flushes), s = __builtin_sqrtf(with_root(x));
    return result(flushed(operation == 1 ? 1.0f / x : operation == 2 ? s : 1.0f / s, flushes));
}
/* The upper half of a double; zero of the same sign instead of a subnormal one. */
INTERNAL u64 upper(u64 x)
{
    const u64 sign = 1ull << 63, exponent = 0x7ffull << 52;
    return (x & exponent) == 0 ? x & sign : x & ~0xffffffffull;
}
/* rcp, rsqrt: only of upper halves */
PTX(u64, root_approx64, u64 a, u32 operation)
{
    const double x = real(upper(a));
    const double z = operation == 1 ? 1.0 / x : 1.0 / __builtin_sqrt(x);
    return z != z ? 0x7fffffffull << 32 : upper(bits(z));
}
/* rcp, sqrt */
PTX(u32, root32, u32 a, u32 operation, u32 rounding, u32 flushes)
{
    const float x = flushed(real(a), flushes);
    const int mode = direction(rounding);
    const float z = operation == 1
                        ? (rounding == NEAREST ? 1.0f / x : __cdp_div(1.0f, x, mode))
                        : (rounding == NEAREST ? __builtin_sqrtf(x) : __cdp_sqrt(x, mode));
    return result(flushed(z, flushes));
}
PTX(u64, root64, u64 a, u32 operation, u32 rounding)
{
    const double x = real(a);
    const int mode = direction(rounding);
    return bits(operation == 1 ? (rounding == NEAREST ? 1.0 / x : __cdp_div(1.0, x, mode))
                               : (rounding == NEAREST ? __builtin_sqrt(x) : __cdp_sqrt(x, mode)));
}
/* sin, cos, ex2, lg2, tanh */
PTX(u32, approximate, u32 a, u32 operation, u32 flushes)
{
    const float x = flushed(real(a), flushes);
    const float z = operation == 1   ? __builtin_sinf(x)
                    : operation == 2 ? __builtin_cosf(x)
                    : operation == 3 ? __builtin_exp2f(x)
                    : operation == 4 ? __builtin_log2f(x)
                                     : __builtin_tanhf(x);
    return result(flushed(z, flushes));
}
/* The sign of a, the rest of b. */
PTX(u32, copysign32, u32 a, u32 b)
{
    return (a & 0x80000000) | (b & 0x7fffffff);
}
PTX(u64, copysign64, u64 a, u64 b)
{
    return (a & 1ull << 63) | (b & ~0ull >> 1);
}

INTERNAL float extreme(float a, float b, bool is_min, bool keeps_nan)
{
    if (keeps_nan && (a != a || b != b)) {
        return real(0x7fffffffu);
    }
    return is_min ? __builtin_fminf(a, b) : __builtin_fmaxf(a, b);
}
/* min, max */
PTX(u32, extreme32, u32 a, u32 b, u32 operation, u32 flushes, u32 keeps_nan, u32 xorsign,
    u32 absolute)
{
    const u32 mask = absolute != 0 ? 0x7fffffff : ~0u;
    const float x = flushed(real(a & mask), flushes), y = flushed(real(b & mask), flushes);
    const u32 z = result(extreme(x, y, operation == 1, keeps_nan != 0));
    return xorsign != 0 && (z & 0x7fffffff) <= 0x7f800000 ? z | ((a ^ b) & 0x80000000) : z;
}

/* finite, infinite, number, notanumber, normal, subnormal. Zero counts as normal. */
template <class F, class B> INTERNAL u32 has_property(B x, u32 property, B infinity, B least_normal)
{
    const B magnitude = x & (B)(~(B)0 >> 1);
    switch (property) {
    case 1:
        return magnitude < infinity;
    case 2:
        return magnitude == infinity;
    case 3:
        return magnitude <= infinity;
    case 4:
        return magnitude > infinity;
    case 5:
        return magnitude == 0 || (magnitude >= least_normal && magnitude < infinity);
    default:
        return magnitude != 0 && magnitude < least_normal;
    }
}
PTX(u32, testp32, u32 a, u32 property)
{
    return has_property<float>(a, property, 0x7f800000u, 0x00800000u);
}
PTX(u32, testp64, u64 a, u32 property)
{
    return has_property<double>(a, property, 0x7ffull << 52, 1ull << 52);
}

/* Integers to float and double, with a directed rounding: exactly in an __int128. */
template <class F, class B> INTERNAL B of_integer(u64 x, bool is_signed, u32 rounding)
{
    const bool is_negative = is_signed && (s64)x < 0;
    const u64 magnitude = is_negative ? 0 - x : x;
    const F nearest = (F)magnitude;
    /* Beyond 2^64 the difference is exact in 128 bits. */
    const bool is_above = (unsigned __int128)nearest > magnitude;
    const bool is_below = (unsigned __int128)nearest < magnitude;
    const bool grows = (rounding == UP && !is_negative) || (rounding == DOWN && is_negative);
    B result = bits(nearest);
    result += rounding != NEAREST && grows && is_below;
    result -= rounding != NEAREST && !grows && is_above;
    return result | (B)is_negative << (sizeof(B) * 8 - 1);
}
PTX(u32, float_of_integer, u64 x, u32 is_signed, u32 rounding, u32)
{
    return of_integer<float, u32>(x, is_signed != 0, rounding);
}
PTX(u64, double_of_integer, u64 x, u32 is_signed, u32 rounding, u32)
{
    return of_integer<double, u64>(x, is_signed != 0, rounding);
}
PTX(u32, float_of_double, u64 x, u32 rounding, u32, u32)
{
    return bits(__cdp_double2float(real(x), direction(rounding)));
}
