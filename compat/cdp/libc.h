/* The C and C++ library, with attributes that let device code call libm, <string.h>, std:: math,
 * printf, assert, malloc and new. The order matters: device overloads must exist before the first
 * C++ header, so that its using-declarations include both sides. */
#ifndef __CDP_LIBC_H
#define __CDP_LIBC_H

/* Only the C headers first: libstdc++'s wrappers would include all of <cmath> while everything is
 * host and device. */
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
/* glibc declares __sinf and the like; on the device these names belong to CUDA. */
#define __sinf __glibc_sinf
#define __cosf __glibc_cosf
#define __tanf __glibc_tanf
#define __tanhf __glibc_tanhf
#define __sincosf __glibc_sincosf
#define __expf __glibc_expf
#define __exp10f __glibc_exp10f
#define __logf __glibc_logf
#define __log2f __glibc_log2f
#define __log10f __glibc_log10f
#define __powf __glibc_powf
/* C23's functions of these names, in glibc since 2.41 and 2.42: CUDA's are in cdp/math.h. With
 * parameters, so that only the declared name changes, and not those that glibc makes of it. */
#define sinpi(x) __glibc_sinpi(x)
#define sinpif(x) __glibc_sinpif(x)
#define cospi(x) __glibc_cospi(x)
#define cospif(x) __glibc_cospif(x)
#define rsqrt(x) __glibc_rsqrt(x)
#define rsqrtf(x) __glibc_rsqrtf(x)
#pragma clang force_cuda_host_device begin
#include <math.h>
#include <string.h>
#include <strings.h>
#pragma clang force_cuda_host_device end
#undef __sinf
#undef __cosf
#undef __tanf
#undef __tanhf
#undef __sincosf
#undef __expf
#undef __exp10f
#undef __logf
#undef __log2f
#undef __log10f
#undef __powf
#undef sinpi
#undef sinpif
#undef cospi
#undef cospif
#undef rsqrt
#undef rsqrtf
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
#include <time.h>
#include <assert.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

/* Device overloads of host functions: the same symbol, which cdpcc redirects. */
extern "C" {
__device__ int printf(const char *__format, ...) __attribute__((__format__(printf, 1, 2)));
__device__ int vprintf(const char *__format, __builtin_va_list __args);
__device__ int puts(const char *__text);
__device__ int putchar(int __c);
__device__ void *malloc(size_t __size) noexcept;
__device__ void *calloc(size_t __count, size_t __size) noexcept;
__device__ void free(void *__ptr) noexcept;
__device__ void *__nv_aligned_device_malloc(size_t __size, size_t __align) noexcept;
__device__ void __assert_fail(const char *__text, const char *__file, unsigned int __line,
                              const char *__function) noexcept __attribute__((__noreturn__));
__device__ void abort(void) noexcept __attribute__((__noreturn__));
__device__ clock_t clock(void) noexcept;
__device__ long long clock64(void) noexcept;
__device__ inline int abs(int x) noexcept
{
    return __builtin_abs(x);
}
__device__ inline long labs(long x) noexcept
{
    return __builtin_labs(x);
}
__device__ inline long long llabs(long long x) noexcept
{
    return __builtin_llabs(x);
}
}

/* std::swap is constexpr, and so usable on the device, only since C++20. c++config.h is included
 * outside, because std::terminate would conflict. */
#include <bits/c++config.h>
#include <bits/concept_check.h>
#pragma clang force_cuda_host_device begin
#include <type_traits>
#include <bits/move.h>
#pragma clang force_cuda_host_device end

/* The special functions of C++17 (std::beta and the like) would take a quarter of the time of every
 * compilation, and few programs use them. They are included only if the program includes <cmath>
 * itself, see there. The headers that they include are included here nevertheless, because programs
 * may rely on them. */
#if _GLIBCXX_USE_STD_SPEC_FUNCS
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define __CDP_HAS_SPEC_FUNCS
#endif
#include <cmath>
#ifdef __CDP_HAS_SPEC_FUNCS
#include <bits/stl_algobase.h>
#include <limits>
#endif
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
/* The C++ wrapper of math.h: using std::abs, std::isnan and so on. */
#include <math.h>
#ifdef __CDP_HAS_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 1
#endif

#endif
