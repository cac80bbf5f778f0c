/* What NVRTC has without any #include, in place of cdp/libc.h: run-time compilation sees none of the
 * host's headers, and names such as uint32_t and std::min belong to the program. */
#ifndef __CDP_RTC_H
#define __CDP_RTC_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;
typedef __builtin_va_list va_list;

#ifndef NULL
#define NULL __null
#endif
#define va_start(ap, last) __builtin_va_start(ap, last)
#define va_arg(ap, type) __builtin_va_arg(ap, type)
#define va_end(ap) __builtin_va_end(ap)
#define va_copy(to, from) __builtin_va_copy(to, from)

#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

/* ---- C's mathematical functions: double, float, and float by overload ---- */

#define __CDP_RTC_1(name)                                                                          \
    extern "C" __host__ __device__ double name(double) noexcept;                                   \
    extern "C" __host__ __device__ float name##f(float) noexcept;                                  \
    __CDP_BOTH_INLINE float name(float x)                                                          \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
#define __CDP_RTC_2(name)                                                                          \
    extern "C" __host__ __device__ double name(double, double) noexcept;                           \
    extern "C" __host__ __device__ float name##f(float, float) noexcept;                           \
    __CDP_BOTH_INLINE float name(float x, float y)                                                 \
    {                                                                                              \
        return name##f(x, y);                                                                      \
    }
/* The second parameter, or the result, has another type. */
#define __CDP_RTC_WITH(name, type)                                                                 \
    extern "C" __host__ __device__ double name(double, type) noexcept;                             \
    extern "C" __host__ __device__ float name##f(float, type) noexcept;                            \
    __CDP_BOTH_INLINE float name(float x, type __with)                                             \
    {                                                                                              \
        return name##f(x, __with);                                                                 \
    }
#define __CDP_RTC_TO(type, name)                                                                   \
    extern "C" __host__ __device__ type name(double) noexcept;                                     \
    extern "C" __host__ __device__ type name##f(float) noexcept;                                   \
    __CDP_BOTH_INLINE type name(float x)                                                           \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
#define __CDP_RTC_TEST(name, builtin)                                                              \
    __CDP_BOTH_INLINE bool name(double x)                                                          \
    {                                                                                              \
        return builtin(x);                                                                         \
    }                                                                                              \
    __CDP_BOTH_INLINE bool name(float x)                                                           \
    {                                                                                              \
        return builtin(x);                                                                         \
    }

__CDP_RTC_1(acos)
__CDP_RTC_1(acosh)
__CDP_RTC_1(asin)
__CDP_RTC_1(asinh)
__CDP_RTC_1(atan)
__CDP_RTC_1(atanh)
__CDP_RTC_1(cbrt)
__CDP_RTC_1(ceil)
__CDP_RTC_1(cos)
__CDP_RTC_1(cosh)
__CDP_RTC_1(erf)
__CDP_RTC_1(erfc)
__CDP_RTC_1(exp)
__CDP_RTC_1(exp2)
__CDP_RTC_1(expm1)
__CDP_RTC_1(fabs)
__CDP_RTC_1(floor)
__CDP_RTC_1(lgamma)
__CDP_RTC_1(log)
__CDP_RTC_1(log10)
__CDP_RTC_1(log1p)
__CDP_RTC_1(log2)
__CDP_RTC_1(logb)
__CDP_RTC_1(nearbyint)
__CDP_RTC_1(rint)
__CDP_RTC_1(round)
__CDP_RTC_1(sin)
__CDP_RTC_1(sinh)
__CDP_RTC_1(sqrt)
__CDP_RTC_1(tan)
__CDP_RTC_1(tanh)
__CDP_RTC_1(tgamma)
__CDP_RTC_1(trunc)
__CDP_RTC_2(atan2)
__CDP_RTC_2(copysign)
__CDP_RTC_2(fdim)
__CDP_RTC_2(fmax)
__CDP_RTC_2(fmin)
__CDP_RTC_2(fmod)
__CDP_RTC_2(hypot)
__CDP_RTC_2(nextafter)
__CDP_RTC_2(pow)
__CDP_RTC_2(remainder)
__CDP_RTC_WITH(frexp, int *)
__CDP_RTC_WITH(ldexp, int)
__CDP_RTC_WITH(scalbln, long)
__CDP_RTC_WITH(scalbn, int)
__CDP_RTC_TO(int, ilogb)
__CDP_RTC_TO(long, lrint)
__CDP_RTC_TO(long, lround)
__CDP_RTC_TO(long long, llrint)
__CDP_RTC_TO(long long, llround)
__CDP_RTC_TEST(isfinite, __builtin_isfinite)
__CDP_RTC_TEST(isinf, __builtin_isinf)
__CDP_RTC_TEST(isnan, __builtin_isnan)
__CDP_RTC_TEST(signbit, __builtin_signbit)

extern "C" {
__host__ __device__ double fma(double, double, double) noexcept;
__host__ __device__ float fmaf(float, float, float) noexcept;
__host__ __device__ double modf(double, double *) noexcept;
__host__ __device__ float modff(float, float *) noexcept;
__host__ __device__ double remquo(double, double, int *) noexcept;
__host__ __device__ float remquof(float, float, int *) noexcept;
__host__ __device__ void sincos(double, double *, double *) noexcept;
__host__ __device__ void sincosf(float, float *, float *) noexcept;
__host__ __device__ double exp10(double) noexcept;
__host__ __device__ float exp10f(float) noexcept;
__host__ __device__ double nan(const char *) noexcept;
__host__ __device__ float nanf(const char *) noexcept;
__host__ __device__ double j0(double) noexcept;
__host__ __device__ double j1(double) noexcept;
__host__ __device__ double jn(int, double) noexcept;
__host__ __device__ double y0(double) noexcept;
__host__ __device__ double y1(double) noexcept;
__host__ __device__ double yn(int, double) noexcept;
__host__ __device__ float j0f(float) noexcept;
__host__ __device__ float j1f(float) noexcept;
__host__ __device__ float jnf(int, float) noexcept;
__host__ __device__ float y0f(float) noexcept;
__host__ __device__ float y1f(float) noexcept;
__host__ __device__ float ynf(int, float) noexcept;

/* ---- Memory, output, time ---- */
__host__ __device__ void *memcpy(void *__to, const void *__from, size_t __size) noexcept;
__host__ __device__ void *memmove(void *__to, const void *__from, size_t __size) noexcept;
__host__ __device__ void *memset(void *__to, int __value, size_t __size) noexcept;
__device__ int printf(const char *__format, ...) __attribute__((__format__(printf, 1, 2)));
__device__ int vprintf(const char *__format, __builtin_va_list __args);
__device__ void *malloc(size_t __size) noexcept;
__device__ void free(void *__ptr) noexcept;
__device__ void *__nv_aligned_device_malloc(size_t __size, size_t __align) noexcept;
__device__ void __assert_fail(const char *__text, const char *__file, unsigned int __line,
                              const char *__function) noexcept __attribute__((__noreturn__));
__device__ clock_t clock(void) noexcept;
__device__ long long clock64(void) noexcept;
}

__CDP_BOTH_INLINE float fma(float x, float y, float z)
{
    return fmaf(x, y, z);
}
__CDP_BOTH_INLINE float modf(float x, float *__whole)
{
    return modff(x, __whole);
}
__CDP_BOTH_INLINE float remquo(float x, float y, int *__quotient)
{
    return remquof(x, y, __quotient);
}
/* pow with another pair of types, as overload resolution in C++ expects. */
__CDP_BOTH_INLINE double pow(float x, int y)
{
    return pow((double)x, (double)y);
}
__CDP_BOTH_INLINE double pow(double x, int y)
{
    return pow(x, (double)y);
}
__CDP_BOTH_INLINE int abs(int x)
{
    return __builtin_abs(x);
}
__CDP_BOTH_INLINE long abs(long x)
{
    return __builtin_labs(x);
}
__CDP_BOTH_INLINE long long abs(long long x)
{
    return __builtin_llabs(x);
}
__CDP_BOTH_INLINE float abs(float x)
{
    return __builtin_fabsf(x);
}
__CDP_BOTH_INLINE double abs(double x)
{
    return __builtin_fabs(x);
}
__CDP_BOTH_INLINE long labs(long x)
{
    return __builtin_labs(x);
}
__CDP_BOTH_INLINE long long llabs(long long x)
{
    return __builtin_llabs(x);
}

#undef __CDP_RTC_1
#undef __CDP_RTC_2
#undef __CDP_RTC_WITH
#undef __CDP_RTC_TO
#undef __CDP_RTC_TEST

#endif
