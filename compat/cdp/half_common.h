/* What cuda_fp16.h and cuda_bf16.h share: a class over two bytes that computes in
 * the compiler's own type, its pair, and the functions on both.
 *
 * All arithmetic is in float, whose 24 bits are enough for one rounding to 16-bit
 * types to be the right one.  Before CDP_HALF_CLASS(H, ...) the including file
 * defines __cdp_bits_H(float), round to nearest even, and __cdp_value_H(bits).
 *
 * H: the class; RAW, RAW2: the plain structs of its bits. */
#ifndef CDP_HALF_COMMON_H
#define CDP_HALF_COMMON_H

#include "../cuda_runtime.h"

#ifndef __CUDA__
#error "cuda_fp16.h and cuda_bf16.h need a CUDA compilation"
#endif

/* Rounds to odd: rounding the result once more is as if it had been done at once.
 * (One expression each, since C++11 allows no more in a constexpr function.) */
CDP_BOTH_INLINE constexpr float __cdp_odd_neighbour(float nearest, bool beyond)
{
    return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned int, nearest) - beyond) | 1);
}
CDP_BOTH_INLINE constexpr float __cdp_to_odd(double x)
{
    return (double)(float)x == x || x != x || (float)x - (float)x != 0.0f
               ? (float)x
               : __cdp_odd_neighbour((float)x, ((double)(float)x > x) == (x > 0.0));
}

/* a * b + c, rounded to odd in double, where the product is exact. */
CDP_BOTH_INLINE double __cdp_fma_to_odd(double a, double b, double c)
{
    _Pragma("clang fp contract(off) reassociate(off)") const double product = a * b,
                                                                    sum = product + c,
                                                                    shadow = sum - product;
    const double error = (product - (sum - shadow)) + (c - shadow);
    if (!(error < 0.0 || error > 0.0)) {
        return sum; /* exact, or not a number */
    }
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
    return __builtin_bit_cast(double, (bits - ((error < 0.0) == (sum > 0.0))) | 1);
}

/* An integer in the narrowest type that rounds it to a 16-bit type as if at once: 64 bits are
 * rounded to odd in double, what is narrower is exact. */
CDP_BOTH_INLINE constexpr double __cdp_exactly(unsigned long long v)
{
    return v >> 53 == 0 ? (double)v
                        : (double)(v >> 11 << 11 | (unsigned long long)((v & 0x7ff) != 0) << 11);
}
CDP_BOTH_INLINE constexpr double __cdp_exactly(long long v)
{
    return v < 0 ? -__cdp_exactly(0 - (unsigned long long)v) : __cdp_exactly((unsigned long long)v);
}
CDP_BOTH_INLINE constexpr double __cdp_exactly(unsigned long v)
{
    return __cdp_exactly((unsigned long long)v);
}
CDP_BOTH_INLINE constexpr double __cdp_exactly(long v)
{
    return __cdp_exactly((long long)v);
}
CDP_BOTH_INLINE constexpr double __cdp_exactly(unsigned int v)
{
    return (double)v;
}
CDP_BOTH_INLINE constexpr double __cdp_exactly(int v)
{
    return (double)v;
}
CDP_BOTH_INLINE constexpr float __cdp_exactly(unsigned short v)
{
    return (float)v;
}
CDP_BOTH_INLINE constexpr float __cdp_exactly(short v)
{
    return (float)v;
}

/* To an integer of any width, towards zero.  Out of range saturates; NaN gives 0, or the top bit
 * alone in 64 bits. */
template <class I> CDP_BOTH_INLINE constexpr I __cdp_half_bound(bool is_upper)
{
    return (I)-1 > (I)0 ? (I)(is_upper ? -1 : 0)
           : is_upper   ? (I)((1ull << (sizeof(I) * 8 - 1)) - 1)
                        : (I)(1ull << (sizeof(I) * 8 - 1));
}
template <class I> CDP_BOTH_INLINE constexpr I __cdp_half_to(float x)
{
    return x != x                                   ? (I)(sizeof(I) == 8 ? 1ull << 63 : 0)
           : x >= (float)__cdp_half_bound<I>(true)  ? __cdp_half_bound<I>(true)
           : x <= (float)__cdp_half_bound<I>(false) ? __cdp_half_bound<I>(false)
                                                    : (I)x;
}

/* A call would be made lane by lane in block entries. */
#define CDP_HALF_MEMBER __host__ __device__ __attribute__((always_inline))

/* CCCL derives from the class and names the member __x. */
#define CDP_HALF_FROM(H, T)                                                                        \
    CDP_HALF_MEMBER constexpr H(T v) : __x(__cdp_bits_##H(__cdp_exactly(v)))                       \
    {                                                                                              \
    }
#define CDP_HALF_TO(T)                                                                             \
    CDP_HALF_MEMBER constexpr operator T() const                                                   \
    {                                                                                              \
        return __cdp_half_to<T>(v());                                                              \
    }
#define CDP_HALF_ASSIGN(H, T)                                                                      \
    CDP_HALF_MEMBER H &operator=(T v)                                                              \
    {                                                                                              \
        return *this = H(v);                                                                       \
    }
#define CDP_HALF_CLASS(H, RAW, RAW2)                                                               \
    struct RAW {                                                                                   \
        unsigned short x;                                                                          \
    };                                                                                             \
    struct RAW2 {                                                                                  \
        unsigned short x, y;                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(2))) H {                                                         \
        unsigned short __x;                                                                        \
        enum { __cdp_half_kind };                                                                  \
        H() = default;                                                                             \
        CDP_HALF_MEMBER constexpr float v() const                                                  \
        {                                                                                          \
            return __cdp_value_##H(__x);                                                           \
        }                                                                                          \
        /* The two 16-bit types convert to each other when asked to. */                            \
        template <class O, class = decltype(O::__cdp_half_kind)>                                   \
        CDP_HALF_MEMBER explicit constexpr H(const O &o) : __x(__cdp_bits_##H(o.v()))              \
        {                                                                                          \
        }                                                                                          \
        CDP_HALF_MEMBER constexpr H(RAW r) : __x(r.x)                                              \
        {                                                                                          \
        }                                                                                          \
        CDP_HALF_MEMBER constexpr H(float v) : __x(__cdp_bits_##H(v))                              \
        {                                                                                          \
        }                                                                                          \
        CDP_HALF_MEMBER constexpr H(double v) : __x(__cdp_bits_##H(v))                             \
        {                                                                                          \
        }                                                                                          \
        CDP_HALF_FROM(H, int)                                                                      \
        CDP_HALF_FROM(H, unsigned int)                                                             \
        CDP_HALF_FROM(H, short)                                                                    \
        CDP_HALF_FROM(H, unsigned short)                                                           \
        CDP_HALF_FROM(H, long)                                                                     \
        CDP_HALF_FROM(H, unsigned long)                                                            \
        CDP_HALF_FROM(H, long long)                                                                \
        CDP_HALF_FROM(H, unsigned long long)                                                       \
        CDP_HALF_ASSIGN(H, float)                                                                  \
        CDP_HALF_ASSIGN(H, double)                                                                 \
        CDP_HALF_ASSIGN(H, int)                                                                    \
        CDP_HALF_ASSIGN(H, unsigned int)                                                           \
        CDP_HALF_ASSIGN(H, short)                                                                  \
        CDP_HALF_ASSIGN(H, unsigned short)                                                         \
        CDP_HALF_ASSIGN(H, long long)                                                              \
        CDP_HALF_ASSIGN(H, unsigned long long)                                                     \
        CDP_HALF_MEMBER constexpr operator float() const                                           \
        {                                                                                          \
            return v();                                                                            \
        }                                                                                          \
        CDP_HALF_MEMBER constexpr operator bool() const                                            \
        {                                                                                          \
            return v() != 0.0f;                                                                    \
        }                                                                                          \
        CDP_HALF_MEMBER constexpr operator RAW() const                                             \
        {                                                                                          \
            return RAW{__x};                                                                       \
        }                                                                                          \
        CDP_HALF_TO(char)                                                                          \
        CDP_HALF_TO(signed char)                                                                   \
        CDP_HALF_TO(unsigned char)                                                                 \
        CDP_HALF_TO(short)                                                                         \
        CDP_HALF_TO(unsigned short)                                                                \
        CDP_HALF_TO(int)                                                                           \
        CDP_HALF_TO(unsigned int)                                                                  \
        CDP_HALF_TO(long)                                                                          \
        CDP_HALF_TO(unsigned long)                                                                 \
        CDP_HALF_TO(long long)                                                                     \
        CDP_HALF_TO(unsigned long long)                                                            \
    };                                                                                             \
    struct __attribute__((aligned(4))) H##2                                                        \
    {                                                                                              \
        H x, y;                                                                                    \
        H##2() = default;                                                                          \
        CDP_HALF_MEMBER constexpr H##2(const H &a, const H &b) : x(a), y(b)                        \
        {                                                                                          \
        }                                                                                          \
        CDP_HALF_MEMBER constexpr H##2(RAW2 r) : x(RAW{r.x}), y(RAW{r.y})                          \
        {                                                                                          \
        }                                                                                          \
        CDP_HALF_MEMBER constexpr operator RAW2() const                                            \
        {                                                                                          \
            return RAW2{x.__x, y.__x};                                                             \
        }                                                                                          \
    };

/* ---- Operators and their function forms ---- */

#define CDP_HALF_BINARY(H, op, name)                                                               \
    CDP_BOTH_INLINE H operator op(const H &a, const H &b)                                          \
    {                                                                                              \
        return H(a.v() op b.v());                                                                  \
    }                                                                                              \
    CDP_BOTH_INLINE H &operator op##=(H &a, const H &b)                                            \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 operator op(const H##2 & a, const H##2 & b)                               \
    {                                                                                              \
        return H##2(a.x op b.x, a.y op b.y);                                                       \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 &operator op##=(H##2 & a, const H##2 & b)                                 \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    CDP_BOTH_INLINE H name(H a, H b)                                                               \
    {                                                                                              \
        return a op b;                                                                             \
    }
#define CDP_HALF_PAIRED(H, op, name)                                                               \
    CDP_HALF_BINARY(H, op, name)                                                                   \
    CDP_BOTH_INLINE H name##_rn(H a, H b)                                                          \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    CDP_BOTH_INLINE H name##_sat(H a, H b)                                                         \
    {                                                                                              \
        return __cdp_half_saturate(a op b);                                                        \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 name##2(H##2 a, H##2 b)                                                   \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 name##2_rn(H##2 a, H##2 b)                                                \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 name##2_sat(H##2 a, H##2 b)                                               \
    {                                                                                              \
        return H##2(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                   \
    }
/* Lane by lane: 1 or 0, all bits or none. */
#define CDP_HALF_COMPARE_LANES(H, name, name2)                                                     \
    CDP_BOTH_INLINE H##2 __h##name2(H##2 a, H##2 b)                                                \
    {                                                                                              \
        return H##2(H(__h##name(a.x, b.x) ? 1.0f : 0.0f), H(__h##name(a.y, b.y) ? 1.0f : 0.0f));   \
    }                                                                                              \
    CDP_BOTH_INLINE unsigned int __h##name2##_mask(H##2 a, H##2 b)                                 \
    {                                                                                              \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);      \
    }
/* Comparison: with a NaN the plain forms (also ne) are false, the u forms true; the
 * b forms need both lanes. */
#define CDP_HALF_COMPARE(H, op, name)                                                              \
    CDP_BOTH_INLINE bool operator op(const H &a, const H &b)                                       \
    {                                                                                              \
        return a.v() op b.v();                                                                     \
    }                                                                                              \
    CDP_BOTH_INLINE bool operator op(const H##2 & a, const H##2 & b)                               \
    {                                                                                              \
        return a.x op b.x && a.y op b.y;                                                           \
    }                                                                                              \
    CDP_BOTH_INLINE bool __h##name(H a, H b)                                                       \
    {                                                                                              \
        return !__builtin_isunordered(a.v(), b.v()) && a op b;                                     \
    }                                                                                              \
    CDP_BOTH_INLINE bool __h##name##u(H a, H b)                                                    \
    {                                                                                              \
        return __builtin_isunordered(a.v(), b.v()) || a op b;                                      \
    }                                                                                              \
    CDP_BOTH_INLINE bool __hb##name##2(H##2 a, H##2 b)                                             \
    {                                                                                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }                                                                                              \
    CDP_BOTH_INLINE bool __hb##name##u2(H##2 a, H##2 b)                                            \
    {                                                                                              \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                   \
    }                                                                                              \
    CDP_HALF_COMPARE_LANES(H, name, name##2)                                                       \
    CDP_HALF_COMPARE_LANES(H, name##u, name##u2)

/* ---- Mathematics, by way of float ---- */

#define CDP_HALF_MATH(H, name, expression)                                                         \
    CDP_BOTH_INLINE H h##name(H a)                                                                 \
    {                                                                                              \
        const float x = (float)a;                                                                  \
        return H((float)(expression));                                                             \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 h2##name(H##2 a)                                                          \
    {                                                                                              \
        return H##2(h##name(a.x), h##name(a.y));                                                   \
    }
#define CDP_HALF_MATHS(H)                                                                          \
    CDP_HALF_MATH(H, sqrt, __builtin_sqrtf(x))                                                     \
    CDP_HALF_MATH(H, rsqrt, 1.0f / __builtin_sqrtf(x))                                             \
    CDP_HALF_MATH(H, rcp, 1.0f / x)                                                                \
    CDP_HALF_MATH(H, exp, __builtin_expf(x))                                                       \
    CDP_HALF_MATH(H, exp2, __builtin_exp2f(x))                                                     \
    CDP_HALF_MATH(H, exp10, exp10f(x))                                                             \
    CDP_HALF_MATH(H, log, __builtin_logf(x))                                                       \
    CDP_HALF_MATH(H, log2, __builtin_log2f(x))                                                     \
    CDP_HALF_MATH(H, log10, __builtin_log10f(x))                                                   \
    CDP_HALF_MATH(H, sin, __builtin_sinf(x))                                                       \
    CDP_HALF_MATH(H, cos, __builtin_cosf(x))                                                       \
    CDP_HALF_MATH(H, tanh, __builtin_tanhf(x))                                                     \
    CDP_HALF_MATH(H, tanh_approx, __builtin_tanhf(x))                                              \
    CDP_HALF_MATH(H, ceil, __builtin_ceilf(x))                                                     \
    CDP_HALF_MATH(H, floor, __builtin_floorf(x))                                                   \
    CDP_HALF_MATH(H, rint, __builtin_rintf(x))                                                     \
    CDP_HALF_MATH(H, trunc, __builtin_truncf(x))

/* Lane by lane: the pair's form of a scalar function. */
#define CDP_HALF_LANES1(H, name2, name)                                                            \
    CDP_BOTH_INLINE H##2 name2(H##2 a)                                                             \
    {                                                                                              \
        return H##2(name(a.x), name(a.y));                                                         \
    }
#define CDP_HALF_LANES2(H, name2, name)                                                            \
    CDP_BOTH_INLINE H##2 name2(H##2 a, H##2 b)                                                     \
    {                                                                                              \
        return H##2(name(a.x, b.x), name(a.y, b.y));                                               \
    }
#define CDP_HALF_LANES3(H, name2, name)                                                            \
    CDP_BOTH_INLINE H##2 name2(H##2 a, H##2 b, H##2 c)                                             \
    {                                                                                              \
        return H##2(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                     \
    }
#define CDP_HALF_STEPS(T, one)                                                                     \
    CDP_BOTH_INLINE T &operator++(T &a)                                                            \
    {                                                                                              \
        return a += one;                                                                           \
    }                                                                                              \
    CDP_BOTH_INLINE T &operator--(T &a)                                                            \
    {                                                                                              \
        return a -= one;                                                                           \
    }                                                                                              \
    CDP_BOTH_INLINE T operator++(T &a, int)                                                        \
    {                                                                                              \
        const T old = a;                                                                           \
        a += one;                                                                                  \
        return old;                                                                                \
    }                                                                                              \
    CDP_BOTH_INLINE T operator--(T &a, int)                                                        \
    {                                                                                              \
        const T old = a;                                                                           \
        a -= one;                                                                                  \
        return old;                                                                                \
    }
#define CDP_HALF_FUNCTIONS(H)                                                                      \
    CDP_BOTH_INLINE H operator-(const H &a)                                                        \
    {                                                                                              \
        return H(-a.v());                                                                          \
    }                                                                                              \
    CDP_BOTH_INLINE H operator+(const H &a)                                                        \
    {                                                                                              \
        return a;                                                                                  \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 operator-(const H##2 & a)                                                 \
    {                                                                                              \
        return H##2(-a.x, -a.y);                                                                   \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 operator+(const H##2 & a)                                                 \
    {                                                                                              \
        return a;                                                                                  \
    }                                                                                              \
    CDP_HALF_STEPS(H, H(1.0f))                                                                     \
    CDP_HALF_STEPS(H##2, H##2(H(1.0f), H(1.0f)))                                                   \
    CDP_BOTH_INLINE H __hneg(H a)                                                                  \
    {                                                                                              \
        return -a;                                                                                 \
    }                                                                                              \
    CDP_BOTH_INLINE H __habs(H a)                                                                  \
    {                                                                                              \
        return H(__builtin_fabsf((float)a));                                                       \
    }                                                                                              \
    CDP_BOTH_INLINE bool __hisnan(H a)                                                             \
    {                                                                                              \
        return a.v() != a.v();                                                                     \
    }                                                                                              \
    CDP_BOTH_INLINE int __hisinf(H a)                                                              \
    {                                                                                              \
        return __builtin_isinf((float)a) ? (float)a > 0.0f ? 1 : -1 : 0;                           \
    }                                                                                              \
    CDP_BOTH_INLINE H __hfma(H a, H b, H c)                                                        \
    {                                                                                              \
        return H(__cdp_fma_to_odd(a.v(), b.v(), c.v()));                                           \
    }                                                                                              \
    CDP_BOTH_INLINE H __hfma_relu(H a, H b, H c)                                                   \
    {                                                                                              \
        const H r = __hfma(a, b, c);                                                               \
        return (float)r > 0.0f || __hisnan(r) ? r : H(0.0f);                                       \
    }                                                                                              \
    CDP_BOTH_INLINE H __hfma_sat(H a, H b, H c)                                                    \
    {                                                                                              \
        return __cdp_half_saturate(__hfma(a, b, c));                                               \
    }                                                                                              \
    CDP_BOTH_INLINE H __hmax(H a, H b)                                                             \
    {                                                                                              \
        return H(__builtin_elementwise_maximumnum((float)a, (float)b));                            \
    }                                                                                              \
    CDP_BOTH_INLINE H __hmin(H a, H b)                                                             \
    {                                                                                              \
        return H(__builtin_elementwise_minimumnum((float)a, (float)b));                            \
    }                                                                                              \
    CDP_BOTH_INLINE H __hmax_nan(H a, H b)                                                         \
    {                                                                                              \
        return __hisnan(a) || __hisnan(b) ? H(__builtin_nanf("")) : __hmax(a, b);                  \
    }                                                                                              \
    CDP_BOTH_INLINE H __hmin_nan(H a, H b)                                                         \
    {                                                                                              \
        return __hisnan(a) || __hisnan(b) ? H(__builtin_nanf("")) : __hmin(a, b);                  \
    }                                                                                              \
    CDP_HALF_LANES1(H, __hneg2, __hneg)                                                            \
    CDP_HALF_LANES1(H, __habs2, __habs)                                                            \
    CDP_HALF_LANES2(H, __h2div, __hdiv)                                                            \
    CDP_HALF_LANES2(H, __hmax2, __hmax)                                                            \
    CDP_HALF_LANES2(H, __hmin2, __hmin)                                                            \
    CDP_HALF_LANES2(H, __hmax2_nan, __hmax_nan)                                                    \
    CDP_HALF_LANES2(H, __hmin2_nan, __hmin_nan)                                                    \
    CDP_HALF_LANES3(H, __hfma2, __hfma)                                                            \
    CDP_HALF_LANES3(H, __hfma2_relu, __hfma_relu)                                                  \
    CDP_HALF_LANES3(H, __hfma2_sat, __hfma_sat)                                                    \
    /* Of complex numbers: a * b + c. */                                                           \
    CDP_BOTH_INLINE H##2 __hcmadd(H##2 a, H##2 b, H##2 c)                                          \
    {                                                                                              \
        return H##2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)),                                      \
                    __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                                      \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __hisnan2(H##2 a)                                                         \
    {                                                                                              \
        return H##2(H(__hisnan(a.x) ? 1.0f : 0.0f), H(__hisnan(a.y) ? 1.0f : 0.0f));               \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 make_##H##2(H x, H y)                                                     \
    {                                                                                              \
        return H##2(x, y);                                                                         \
    }

/* A pair is two atomic accesses, as the programming guide allows. */
#define CDP_HALF_ATOMIC(H)                                                                         \
    CDP_DEVICE_INLINE H atomicAdd(H *p, H v)                                                       \
    {                                                                                              \
        unsigned short *const bits = &p->__x;                                                      \
        unsigned short old = __atomic_load_n(bits, __ATOMIC_RELAXED);                              \
        H before, after;                                                                           \
        do {                                                                                       \
            before.__x = old;                                                                      \
            after = before + v;                                                                    \
        } while (!__atomic_compare_exchange_n(bits, &old, after.__x, true, __ATOMIC_RELAXED,       \
                                              __ATOMIC_RELAXED));                                  \
        return before;                                                                             \
    }                                                                                              \
    CDP_DEVICE_INLINE H##2 atomicAdd(H##2 * p, H##2 v)                                             \
    {                                                                                              \
        return H##2(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y));                                 \
    }

#define CDP_HALF_ALL(H)                                                                            \
    CDP_BOTH_INLINE H __cdp_half_saturate(H a)                                                     \
    {                                                                                              \
        const float x = (float)a;                                                                  \
        return H(x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f);                                           \
    }                                                                                              \
    CDP_HALF_PAIRED(H, +, __hadd)                                                                  \
    CDP_HALF_PAIRED(H, -, __hsub)                                                                  \
    CDP_HALF_PAIRED(H, *, __hmul)                                                                  \
    CDP_HALF_BINARY(H, /, __hdiv)                                                                  \
    CDP_HALF_COMPARE(H, ==, eq)                                                                    \
    CDP_HALF_COMPARE(H, !=, ne)                                                                    \
    CDP_HALF_COMPARE(H, <, lt)                                                                     \
    CDP_HALF_COMPARE(H, >, gt)                                                                     \
    CDP_HALF_COMPARE(H, <=, le)                                                                    \
    CDP_HALF_COMPARE(H, >=, ge)                                                                    \
    CDP_HALF_FUNCTIONS(H)                                                                          \
    CDP_HALF_MATHS(H)                                                                              \
    CDP_HALF_ATOMIC(H)                                                                             \
    CDP_SHFL(H)                                                                                    \
    CDP_SHFL(H##2)                                                                                 \
    CDP_LOAD(H)                                                                                    \
    CDP_LOAD(H##2)

/* ---- Conversions, named after the type: half or bfloat16 ---- */

/* Towards zero, up or down: one step from the nearest where that is beyond.  F: a type that has
 * both exactly. */
template <class H, class F> CDP_BOTH_INLINE H __cdp_half_directed(F x, int mode)
{
    H h(x);
    const F nearest = (F)h.v();
    const bool is_above = nearest > x, is_below = nearest < x;
    const bool is_beyond = mode == __cdp_rd   ? is_above
                           : mode == __cdp_ru ? is_below
                                              : (x < 0 ? is_below : is_above);
    if (is_beyond) {
        const bool grow = is_below == (nearest > 0);
        h.__x = nearest == 0 ? (unsigned short)(x < 0 ? 0x8001 : 0x0001)
                             : (unsigned short)(h.__x + (grow ? 1 : -1));
    }
    return h;
}
#define CDP_HALF_DIRECTED(H, name, suffix)                                                         \
    CDP_BOTH_INLINE H __float2##name##_##suffix(float x)                                           \
    {                                                                                              \
        return __cdp_half_directed<H>(x, __cdp_##suffix);                                          \
    }
#define CDP_HALF_INTEGER_DIRECTED(H, name, I, i, suffix, round)                                    \
    CDP_BOTH_INLINE H __##i##2##name##_##suffix(I x)                                               \
    {                                                                                              \
        return __cdp_half_directed<H>(__cdp_exactly(x), __cdp_##suffix);                           \
    }                                                                                              \
    CDP_BOTH_INLINE I __##name##2##i##_##suffix(H h)                                               \
    {                                                                                              \
        return __cdp_half_to<I>(round((float)h));                                                  \
    }
#define CDP_HALF_INTEGER(H, name, I, i)                                                            \
    CDP_BOTH_INLINE H __##i##2##name##_rn(I x)                                                     \
    {                                                                                              \
        return H(x);                                                                               \
    }                                                                                              \
    CDP_BOTH_INLINE I __##name##2##i##_rn(H h)                                                     \
    {                                                                                              \
        return __cdp_half_to<I>(__builtin_rintf((float)h));                                        \
    }                                                                                              \
    CDP_HALF_INTEGER_DIRECTED(H, name, I, i, rz, __builtin_truncf)                                 \
    CDP_HALF_INTEGER_DIRECTED(H, name, I, i, ru, __builtin_ceilf)                                  \
    CDP_HALF_INTEGER_DIRECTED(H, name, I, i, rd, __builtin_floorf)
#define CDP_HALF_CONVERSIONS(H, name)                                                              \
    CDP_BOTH_INLINE H __float2##name(float x)                                                      \
    {                                                                                              \
        return H(x);                                                                               \
    }                                                                                              \
    CDP_BOTH_INLINE H __float2##name##_rn(float x)                                                 \
    {                                                                                              \
        return H(x);                                                                               \
    }                                                                                              \
    CDP_HALF_DIRECTED(H, name, rz)                                                                 \
    CDP_HALF_DIRECTED(H, name, ru)                                                                 \
    CDP_HALF_DIRECTED(H, name, rd)                                                                 \
    CDP_BOTH_INLINE H __double2##name(double x)                                                    \
    {                                                                                              \
        return H(x);                                                                               \
    }                                                                                              \
    CDP_BOTH_INLINE float __##name##2float(H h)                                                    \
    {                                                                                              \
        return (float)h;                                                                           \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __float2##name##2_rn(float x)                                             \
    {                                                                                              \
        return H##2(H(x), H(x));                                                                   \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __floats2##name##2_rn(float x, float y)                                   \
    {                                                                                              \
        return H##2(H(x), H(y));                                                                   \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __float22##name##2_rn(float2 a)                                           \
    {                                                                                              \
        return H##2(H(a.x), H(a.y));                                                               \
    }                                                                                              \
    CDP_BOTH_INLINE float2 __##name##22float2(H##2 h)                                              \
    {                                                                                              \
        return float2{(float)h.x, (float)h.y};                                                     \
    }                                                                                              \
    CDP_BOTH_INLINE float __low2float(H##2 h)                                                      \
    {                                                                                              \
        return (float)h.x;                                                                         \
    }                                                                                              \
    CDP_BOTH_INLINE float __high2float(H##2 h)                                                     \
    {                                                                                              \
        return (float)h.y;                                                                         \
    }                                                                                              \
    CDP_BOTH_INLINE H __low2##name(H##2 h)                                                         \
    {                                                                                              \
        return h.x;                                                                                \
    }                                                                                              \
    CDP_BOTH_INLINE H __high2##name(H##2 h)                                                        \
    {                                                                                              \
        return h.y;                                                                                \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __low2##name##2(H##2 h)                                                   \
    {                                                                                              \
        return H##2(h.x, h.x);                                                                     \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __high2##name##2(H##2 h)                                                  \
    {                                                                                              \
        return H##2(h.y, h.y);                                                                     \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __lows2##name##2(H##2 a, H##2 b)                                          \
    {                                                                                              \
        return H##2(a.x, b.x);                                                                     \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __highs2##name##2(H##2 a, H##2 b)                                         \
    {                                                                                              \
        return H##2(a.y, b.y);                                                                     \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __lowhigh2highlow(H##2 h)                                                 \
    {                                                                                              \
        return H##2(h.y, h.x);                                                                     \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __##name##2##name##2(H h)                                                 \
    {                                                                                              \
        return H##2(h, h);                                                                         \
    }                                                                                              \
    CDP_BOTH_INLINE H##2 __halves2##name##2(H x, H y)                                              \
    {                                                                                              \
        return H##2(x, y);                                                                         \
    }                                                                                              \
    CDP_BOTH_INLINE short __##name##_as_short(H h)                                                 \
    {                                                                                              \
        return (short)h.__x;                                                                       \
    }                                                                                              \
    CDP_BOTH_INLINE unsigned short __##name##_as_ushort(H h)                                       \
    {                                                                                              \
        return h.__x;                                                                              \
    }                                                                                              \
    CDP_BOTH_INLINE H __ushort_as_##name(unsigned short bits)                                      \
    {                                                                                              \
        H h;                                                                                       \
        h.__x = bits;                                                                              \
        return h;                                                                                  \
    }                                                                                              \
    CDP_BOTH_INLINE H __short_as_##name(short bits)                                                \
    {                                                                                              \
        return __ushort_as_##name((unsigned short)bits);                                           \
    }                                                                                              \
    CDP_BOTH_INLINE signed char __##name##2char_rz(H h)                                            \
    {                                                                                              \
        return __cdp_half_to<signed char>((float)h);                                               \
    }                                                                                              \
    CDP_BOTH_INLINE unsigned char __##name##2uchar_rz(H h)                                         \
    {                                                                                              \
        return __cdp_half_to<unsigned char>((float)h);                                             \
    }                                                                                              \
    CDP_HALF_INTEGER(H, name, short, short)                                                        \
    CDP_HALF_INTEGER(H, name, unsigned short, ushort)                                              \
    CDP_HALF_INTEGER(H, name, int, int)                                                            \
    CDP_HALF_INTEGER(H, name, unsigned int, uint)                                                  \
    CDP_HALF_INTEGER(H, name, long long, ll)                                                       \
    CDP_HALF_INTEGER(H, name, unsigned long long, ull)

#endif
