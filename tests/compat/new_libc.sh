#!/usr/bin/env bash
# A C library that declares C23's sinpi, cospi and rsqrt, as glibc does since 2.41 and 2.42, in all its
# forms, and through the same kind of macros: programs get CUDA's functions.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/../scripts/common.sh"

mkdir "$work/include"
cat >"$work/include/math.h" <<'HEADER'
#include_next <math.h>
#if !defined(NEW_MATH_H) && !__GLIBC_PREREQ(2, 42)
#define NEW_MATH_H
#define SIMD_OF(name) SIMD_##name
#define SIMD(name) SIMD_OF(name)
#define SIMD_sinpi
#define SIMD_sinpif
#define SIMD_sinpil
#define SIMD_cospi
#define SIMD_cospif
#define SIMD_cospil
#define SIMD_rsqrt
#define SIMD_rsqrtf
#define SIMD_rsqrtl
#define JOIN(name, suffix) name##suffix
#define NAME(name, suffix) JOIN(name, suffix)
#define DECLARE(type, name, suffix, args)                                                          \
    SIMD(NAME(name, suffix)) extern type NAME(name, suffix) args noexcept;                         \
    extern type NAME(__##name, suffix) args noexcept;
#define CALL(type, name, suffix, args) DECLARE(type, name, suffix, args)
extern "C" {
#define ALL(name)                                                                                  \
    CALL(double, name, , (double x)) CALL(float, name, f, (float x)) CALL(long double, name, l, (long double x))
#if !__GLIBC_PREREQ(2, 41)
ALL(sinpi)
ALL(cospi)
#endif
ALL(rsqrt)
}
#endif
HEADER
cat >"$work/program.cu" <<'PROGRAM'
#include <cmath>
#include <cstdio>
#include <math.h>
__global__ void kernel(double x, float y)
{
    printf("%.3f %.3f %.3f\n", sinpi(x), cospi(x), rsqrt(x));
    printf("%.3f %.3f %.3f %.3f\n", sinpif(y), cospif(y), rsqrtf(y), sinpi(y));
}
int main()
{
    kernel<<<1, 1>>>(0.25, 0.25f);
    printf("%.3f %.3f\n", sinpi(0.5), (double)rsqrtf(4.0f));
    return cudaDeviceSynchronize();
}
PROGRAM
prints() {
    "$CDPCC" "$@" "$work/program.cu" -o "$work/program" && "$work/program" >"$work/out" &&
        says "$work/out" '^0.707 0.707 2.000$' '^0.707 0.707 2.000 0.707$' '^1.000 0.500$'
}
check "the C library of this system" prints
check "one that declares these functions" prints -I"$work/include"
standards() { prints -std=c++11 -I"$work/include" && prints -std=c++20 -I"$work/include" && prints -O0 -g -I"$work/include"; }
check "in other standards of C++" standards
finish
