/* The common parts of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: floating-point numbers of 8 bits and
 * less. A format is the number of bits of its fraction, the bias of its exponent, and its greatest
 * finite number. Beyond this one, e5m2 has an infinity and NaNs, e4m3 a NaN, the others nothing.
 *
 * All conversions round once, from the exact value of the source. */
#ifndef __CDP_SMALL_FLOATS_H
#define __CDP_SMALL_FLOATS_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#define __CDP_SMALL __CDP_BOTH_INLINE constexpr

/* The magnitude of x rounded to nearest, ties to even, as the bits of a format without a greatest
 * number. x is no NaN. */
__CDP_SMALL unsigned int __cdp_small_magnitude(double x, int __fraction, int __bias)
{
    const unsigned long long __bits = __builtin_bit_cast(unsigned long long, x) & ~0ull >> 1;
    const int __exponent = (int)(__bits >> 52) - 1023 + __bias;
    if (__exponent > 64) {
        return 0xffff;
    }
    const int __shift = 52 - __fraction + (__exponent < 1 ? 1 - __exponent : 0);
    if (__shift > 54) {
        return 0;
    }
    const unsigned long long __number = (__bits & ~0ull >> 12) | 1ull << 52;
    const unsigned long long __half = (1ull << (__shift - 1)) - 1 + (__number >> __shift & 1);
    const unsigned int __result = (unsigned int)((__number + __half) >> __shift);
    return __exponent < 1 ? __result : __result + ((unsigned int)(__exponent - 1) << __fraction);
}
/* With its sign, which the format has above its other bits. Where x is too large, the result is
 * most or, if it does not saturate, beyond. */
__CDP_SMALL unsigned int __cdp_small_bits(double x, int __fraction, int __bias, unsigned int __most,
                                          unsigned int __sign, bool __saturates,
                                          unsigned int __beyond)
{
    const unsigned int __magnitude = __cdp_small_magnitude(x, __fraction, __bias);
    return (__magnitude <= __most ? __magnitude
            : __saturates         ? __most
                                  : __beyond) |
           (__builtin_bit_cast(unsigned long long, x) >> 63 ? __sign : 0);
}
/* The value of a finite number, which a float always has. */
__CDP_SMALL float __cdp_small_value(unsigned int __bits, int __fraction, int __bias,
                                    unsigned int __sign)
{
    const unsigned int __magnitude = (__bits & (__sign - 1)) << (23 - __fraction);
    const float __scale = __builtin_bit_cast(float, (unsigned int)(127 + 127 - __bias) << 23);
    const float x = __builtin_bit_cast(float, __magnitude) * __scale;
    return __bits & __sign ? -x : x;
}

__CDP_BOTH_INLINE double __cdp_small_from(__half_raw x)
{
    return (double)__half(x).__v();
}
__CDP_BOTH_INLINE double __cdp_small_from(__nv_bfloat16_raw x)
{
    return (double)__nv_bfloat16(x).__v();
}
__CDP_BOTH_INLINE double __cdp_small_from(double x)
{
    return x;
}
__CDP_BOTH_INLINE __half_raw __cdp_small_half(float x)
{
    return __half(x);
}

/* ---- The conversion functions of one header ----
 *
 * BITS(x, ...): the encoding of a number that is no double, as a double. PARAMETERS and ARGUMENTS:
 * those behind the number. */
#define __CDP_SMALL_TO(name, STORAGE, BITS, BITS_OF_DOUBLE, PARAMETERS, ARGUMENTS)                 \
    __CDP_BOTH_INLINE STORAGE __nv_cvt_double_to_##name(const double x, PARAMETERS)                \
    {                                                                                              \
        return (STORAGE)BITS_OF_DOUBLE(x, ARGUMENTS);                                              \
    }                                                                                              \
    __CDP_BOTH_INLINE STORAGE __nv_cvt_float_to_##name(const float x, PARAMETERS)                  \
    {                                                                                              \
        return (STORAGE)BITS((double)x, ARGUMENTS);                                                \
    }                                                                                              \
    __CDP_BOTH_INLINE STORAGE __nv_cvt_bfloat16raw_to_##name(const __nv_bfloat16_raw x,            \
                                                             PARAMETERS)                           \
    {                                                                                              \
        return (STORAGE)BITS(__cdp_small_from(x), ARGUMENTS);                                      \
    }

/* Two at once: the first becomes the lower N bits. */
#define __CDP_SMALL_PAIR(to, N, STORAGE, SOURCE, from, PARAMETERS, ARGUMENTS, X, Y)                \
    __CDP_BOTH_INLINE STORAGE to(const SOURCE x, PARAMETERS)                                       \
    {                                                                                              \
        return (STORAGE)(from(X, ARGUMENTS) | from(Y, ARGUMENTS) << N);                            \
    }

/* ---- Classes ---- */

#define __CDP_SMALL_FROM(CLASS, SOURCE, VALUE)                                                     \
    __CDP_HALF_MEMBER explicit CLASS(const SOURCE x) : __x(VALUE)                                  \
    {                                                                                              \
    }
#define __CDP_SMALL_AS(T)                                                                          \
    __CDP_HALF_MEMBER explicit operator T() const                                                  \
    {                                                                                              \
        return __cdp_half_to<T>((float)*this);                                                     \
    }
#define __CDP_SMALL_AS_NUMBERS(IS_TRUE)                                                            \
    __CDP_HALF_MEMBER explicit operator __half() const                                             \
    {                                                                                              \
        return __half((float)*this);                                                               \
    }                                                                                              \
    __CDP_HALF_MEMBER explicit operator __nv_bfloat16() const                                      \
    {                                                                                              \
        return __nv_bfloat16((float)*this);                                                        \
    }                                                                                              \
    __CDP_HALF_MEMBER explicit operator double() const                                             \
    {                                                                                              \
        return (double)(float)*this;                                                               \
    }                                                                                              \
    __CDP_HALF_MEMBER explicit operator bool() const                                               \
    {                                                                                              \
        return IS_TRUE;                                                                            \
    }                                                                                              \
    __CDP_SMALL_AS(char)                                                                           \
    __CDP_SMALL_AS(signed char)                                                                    \
    __CDP_SMALL_AS(unsigned char)                                                                  \
    __CDP_SMALL_AS(short)                                                                          \
    __CDP_SMALL_AS(unsigned short)                                                                 \
    __CDP_SMALL_AS(int)                                                                            \
    __CDP_SMALL_AS(unsigned int)                                                                   \
    __CDP_SMALL_AS(long)                                                                           \
    __CDP_SMALL_AS(unsigned long)                                                                  \
    __CDP_SMALL_AS(long long)                                                                      \
    __CDP_SMALL_AS(unsigned long long)

/* ENCODE(x): the storage of a double. VALUE: the float of __x. Integers become floats first, as in
 * CUDA. */
#define __CDP_SMALL_CLASS(CLASS, STORAGE, ENCODE, ENCODE_DOUBLE, VALUE, IS_TRUE)                   \
    struct __attribute__((__aligned__(1))) CLASS {                                                 \
        STORAGE __x;                                                                               \
        CLASS() = default;                                                                         \
        __CDP_SMALL_FROM(CLASS, __half, ENCODE((double)x.__v()))                                   \
        __CDP_SMALL_FROM(CLASS, __nv_bfloat16, ENCODE((double)x.__v()))                            \
        __CDP_SMALL_FROM(CLASS, float, ENCODE((double)x))                                          \
        __CDP_SMALL_FROM(CLASS, double, ENCODE_DOUBLE(x))                                          \
        __CDP_SMALL_FROM(CLASS, short, ENCODE((double)x))                                          \
        __CDP_SMALL_FROM(CLASS, unsigned short, ENCODE((double)x))                                 \
        __CDP_SMALL_FROM(CLASS, int, ENCODE((double)(float)x))                                     \
        __CDP_SMALL_FROM(CLASS, unsigned int, ENCODE((double)(float)x))                            \
        __CDP_SMALL_FROM(CLASS, long, ENCODE((double)(float)x))                                    \
        __CDP_SMALL_FROM(CLASS, unsigned long, ENCODE((double)(float)x))                           \
        __CDP_SMALL_FROM(CLASS, long long, ENCODE((double)(float)x))                               \
        __CDP_SMALL_FROM(CLASS, unsigned long long, ENCODE((double)(float)x))                      \
        __CDP_HALF_MEMBER explicit operator float() const                                          \
        {                                                                                          \
            return VALUE;                                                                          \
        }                                                                                          \
        __CDP_SMALL_AS_NUMBERS(IS_TRUE)                                                            \
    };

/* Two and four elements of N bits. VALUE(bits): the float of one. */
#define __CDP_SMALL_TWO(N, x, y, ENCODE)                                                           \
    (ENCODE((double)(x)) | (unsigned int)ENCODE((double)(y)) << N)
#define __CDP_SMALL_CLASS2(CLASS, STORAGE, N, ENCODE, VALUE)                                       \
    struct __attribute__((__aligned__(sizeof(STORAGE)))) CLASS {                                   \
        STORAGE __x;                                                                               \
        CLASS() = default;                                                                         \
        __CDP_SMALL_FROM(CLASS, __half2,                                                           \
                         (STORAGE)__CDP_SMALL_TWO(N, x.x.__v(), x.y.__v(), ENCODE))                \
        __CDP_SMALL_FROM(CLASS, __nv_bfloat162,                                                    \
                         (STORAGE)__CDP_SMALL_TWO(N, x.x.__v(), x.y.__v(), ENCODE))                \
        __CDP_SMALL_FROM(CLASS, float2, (STORAGE)__CDP_SMALL_TWO(N, x.x, x.y, ENCODE))             \
        __CDP_SMALL_FROM(CLASS, double2, (STORAGE)__CDP_SMALL_TWO(N, x.x, x.y, ENCODE))            \
        __CDP_HALF_MEMBER explicit operator float2() const                                         \
        {                                                                                          \
            return float2{VALUE(__x & ((1u << N) - 1)), VALUE(__x >> N)};                          \
        }                                                                                          \
        __CDP_HALF_MEMBER explicit operator __half2() const                                        \
        {                                                                                          \
            const float2 __v = (float2) * this;                                                    \
            return __half2(__half(__v.x), __half(__v.y));                                          \
        }                                                                                          \
        __CDP_HALF_MEMBER explicit operator __nv_bfloat162() const                                 \
        {                                                                                          \
            const float2 __v = (float2) * this;                                                    \
            return __nv_bfloat162(__nv_bfloat16(__v.x), __nv_bfloat16(__v.y));                     \
        }                                                                                          \
    };
#define __CDP_SMALL_FOUR(N, a, b, c, d, ENCODE)                                                    \
    (__CDP_SMALL_TWO(N, a, b, ENCODE) | (unsigned int)__CDP_SMALL_TWO(N, c, d, ENCODE) << 2 * N)
#define __CDP_SMALL_CLASS4(CLASS, STORAGE, N, ENCODE, VALUE)                                       \
    struct __attribute__((__aligned__(sizeof(STORAGE)))) CLASS {                                   \
        STORAGE __x;                                                                               \
        CLASS() = default;                                                                         \
        __CDP_HALF_MEMBER explicit CLASS(const __half2 __a, const __half2 __b)                     \
            : __x((STORAGE)__CDP_SMALL_FOUR(N, __a.x.__v(), __a.y.__v(), __b.x.__v(), __b.y.__v(), \
                                            ENCODE))                                               \
        {                                                                                          \
        }                                                                                          \
        __CDP_HALF_MEMBER explicit CLASS(const __nv_bfloat162 __a, const __nv_bfloat162 __b)       \
            : __x((STORAGE)__CDP_SMALL_FOUR(N, __a.x.__v(), __a.y.__v(), __b.x.__v(), __b.y.__v(), \
                                            ENCODE))                                               \
        {                                                                                          \
        }                                                                                          \
        __CDP_SMALL_FROM(CLASS, float4, (STORAGE)__CDP_SMALL_FOUR(N, x.x, x.y, x.z, x.w, ENCODE))  \
        __CDP_SMALL_FROM(CLASS, double4, (STORAGE)__CDP_SMALL_FOUR(N, x.x, x.y, x.z, x.w, ENCODE)) \
        __CDP_HALF_MEMBER explicit operator float4() const                                         \
        {                                                                                          \
            const unsigned int __mask = (1u << N) - 1;                                             \
            return float4{VALUE(__x & __mask), VALUE(__x >> N & __mask),                           \
                          VALUE(__x >> 2 * N & __mask), VALUE(__x >> 3 * N & __mask)};             \
        }                                                                                          \
    };

#endif
