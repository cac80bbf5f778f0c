/* Functions of libm for device code. They are straight-line code without tables, and branch only to
 * rare paths. Block entries vectorize them like any other code.
 *
 * They are compiled to bitcode. cdpcc contains the bitcode, and adds the functions that a program
 * calls to its module (lower/math.c). Both entries execute the same operations in the same order,
 * so results have the same bits. Nothing here may be fused or reordered, and nothing may be
 * undefined for any argument: conversions to integers use the bits of the numbers.
 *
 * Polynomials are least-squares fits at Chebyshev points, weighted by the relative error. Each
 * coefficient is rounded before the next ones are computed. */
#ifndef CDPCC_MATH_MATH_H
#define CDPCC_MATH_MATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The name that lower/math.c finds. The function either replaces the C library's function, or calls
 * it except for arguments for which CUDA defines another result. The second kind needs no fused
 * multiply-add. */
#define CDP_MATH(name) __asm__("cdp.math." #name)
#define CDP_GUARD(name) __asm__("cdp.guard." #name)

/* The bits of a number, and the number with these bits; the same for double. */
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

/* If these are added to a number that is small in comparison, the low bits of the sum are the
 * nearest integer. */
#define ROUNDER_F 0x1.8p23f
#define ROUNDER 0x1.8p52

/* a * b + c with one rounding. Nothing else is fused. */
static inline float fma_f(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

static inline double fma_d(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

#endif
