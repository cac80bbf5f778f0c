/* Functions of libm as device code has them: straight code without tables or branches but
 * into rare paths, which block entries make vectors of as of any other code.
 *
 * This is compiled to bitcode, not to code: cdpcc carries it, and puts what a program calls
 * into its module (lower/math.c).  Both entries run the same operations in the same order,
 * so results are the same bits.  Nothing here may be fused or reordered, and nothing may be
 * undefined for any argument: conversions to integers go by way of the numbers' bits.
 *
 * Polynomials are least squares at Chebyshev's points, weighted by the relative error, each
 * coefficient rounded before the next ones are found. */
#ifndef CDPCC_MATH_MATH_H
#define CDPCC_MATH_MATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The name that lower/math.c looks for: of a function that takes the place of the C library's, or
 * of one that calls it but for arguments of which CUDA says something else.  The second kind needs
 * no fused multiply-add. */
#define CDP_MATH(name) __asm__("cdp.math." #name)
#define CDP_GUARD(name) __asm__("cdp.guard." #name)

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Added to a number that is small beside them, these leave the next integer in the low
 * bits of the sum. */
#define ROUNDER_F 0x1.8p23f
#define ROUNDER 0x1.8p52

static inline float fma_f(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

static inline double fma_d(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

#endif
