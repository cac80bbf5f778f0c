/* The common parts of cuda_fp16.h and cuda_bf16.h: a class over two bytes that computes in the
 * compiler's own type, its pair, and the functions on both.
 *
 * All arithmetic is in float. Its 24 bits are enough to make one rounding to a 16-bit type correct.
 * Before __CDP_HALF_CLASS(H, ...) the including file defines __cdp_bits_H(float), round to nearest
 * even, and __cdp_value_H(bits).
 *
 * H: the class; RAW, RAW2: the plain structs of its bits. */
#ifndef __CDP_HALF_COMMON_H
#define __CDP_HALF_COMMON_H

#include "../cuda_runtime.h"

#ifndef __CUDA__
#error "cuda_fp16.h and cuda_bf16.h need a CUDA compilation"
#endif

/* Rounds to odd. A second rounding of the result then gives the same as a single one. (One
 * expression each, because C++11 allows no more in a constexpr function.) */
__CDP_BOTH_INLINE constexpr float __cdp_odd_neighbour(float __nearest, bool __beyond)
{
    return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned int, __nearest) - __beyond) | 1);
}
__CDP_BOTH_INLINE constexpr float __cdp_to_odd(double x)
{
    return (double)(float)x == x || x != x || (float)x - (float)x != 0.0f
               ? (float)x
               : __cdp_odd_neighbour((float)x, ((double)(float)x > x) == (x > 0.0));
}

/* a * b + c, rounded to odd in double, if the product is exact. */
__CDP_BOTH_INLINE double __cdp_fma_to_odd(double __a, double __b, double __c)
{
    _Pragma("clang fp contract(off) reassociate(off)") const double __product = __a * __b,
                                                                    __sum = __product + __c,
                                                                    __shadow = __sum - __product;
    const double __error = (__product - (__sum - __shadow)) + (__c - __shadow);
    if (!(__error < 0.0 || __error > 0.0)) {
        return __sum; /* exact, or not a number */
    }
    const unsigned long long __bits = __builtin_bit_cast(unsigned long long, __sum);
    return __builtin_bit_cast(double, (__bits - ((__error < 0.0) == (__sum > 0.0))) | 1);
}

/* An integer in the narrowest type from which a rounding to a 16-bit type is the same as a direct
 * one: 64 bits are rounded to odd in double, narrower integers are exact. */
__CDP_BOTH_INLINE constexpr double __cdp_exactly(unsigned long long __v)
{
    return __v >> 53 == 0
               ? (double)__v
               : (double)(__v >> 11 << 11 | (unsigned long long)((__v & 0x7ff) != 0) << 11);
}
__CDP_BOTH_INLINE constexpr double __cdp_exactly(long long __v)
{
    return __v < 0 ? -__cdp_exactly(0 - (unsigned long long)__v)
                   : __cdp_exactly((unsigned long long)__v);
}
__CDP_BOTH_INLINE constexpr double __cdp_exactly(unsigned long __v)
{
    return __cdp_exactly((unsigned long long)__v);
}
__CDP_BOTH_INLINE constexpr double __cdp_exactly(long __v)
{
    return __cdp_exactly((long long)__v);
}
__CDP_BOTH_INLINE constexpr double __cdp_exactly(unsigned int __v)
{
    return (double)__v;
}
__CDP_BOTH_INLINE constexpr double __cdp_exactly(int __v)
{
    return (double)__v;
}
__CDP_BOTH_INLINE constexpr float __cdp_exactly(unsigned short __v)
{
    return (float)__v;
}
__CDP_BOTH_INLINE constexpr float __cdp_exactly(short __v)
{
    return (float)__v;
}

/* To an integer of any width, towards zero. Values out of range saturate; NaN gives 0, or only the
 * top bit in 64 bits. */
template <class __I> __CDP_BOTH_INLINE constexpr __I __cdp_half_bound(bool __is_upper)
{
    return (__I)-1 > (__I)0 ? (__I)(__is_upper ? -1 : 0)
           : __is_upper     ? (__I)((1ull << (sizeof(__I) * 8 - 1)) - 1)
                            : (__I)(1ull << (sizeof(__I) * 8 - 1));
}
template <class __I> __CDP_BOTH_INLINE constexpr __I __cdp_half_to(float x)
{
    return x != x                                     ? (__I)(sizeof(__I) == 8 ? 1ull << 63 : 0)
           : x >= (float)__cdp_half_bound<__I>(true)  ? __cdp_half_bound<__I>(true)
           : x <= (float)__cdp_half_bound<__I>(false) ? __cdp_half_bound<__I>(false)
                                                      : (__I)x;
}

template <> __CDP_BOTH_INLINE constexpr bool __cdp_half_to<bool>(float x)
{
    return x != 0.0f;
}

/* The integers that one template converts a number to. With a conversion function for each, clang
 * takes 5 ms for an operator, as it tries each function for both operands of several hundred
 * built-in operators. */
template <class __T> struct __cdp_half_integer {
};
#define __CDP_HALF_TO(T)                                                                           \
    template <> struct __cdp_half_integer<T> {                                                     \
        typedef T type;                                                                            \
    };
__CDP_HALF_TO(bool)
__CDP_HALF_TO(char)
__CDP_HALF_TO(signed char)
__CDP_HALF_TO(unsigned char)
__CDP_HALF_TO(short)
__CDP_HALF_TO(unsigned short)
__CDP_HALF_TO(int)
__CDP_HALF_TO(unsigned int)
__CDP_HALF_TO(long)
__CDP_HALF_TO(unsigned long)
__CDP_HALF_TO(long long)
__CDP_HALF_TO(unsigned long long)

/* A call would be executed lane by lane in block entries. */
#define __CDP_HALF_MEMBER __host__ __device__ __attribute__((__always_inline__))

/* CCCL derives from the class and names the member __x. */
#define __CDP_HALF_FROM(H, T)                                                                      \
    __CDP_HALF_MEMBER constexpr H(T __v) : __x(__cdp_bits_##H(__cdp_exactly(__v)))                 \
    {                                                                                              \
    }
#define __CDP_HALF_ASSIGN(H, T)                                                                    \
    __CDP_HALF_MEMBER H &operator=(T __v)                                                          \
    {                                                                                              \
        return *this = H(__v);                                                                     \
    }
/* Volatile numbers, as in shared memory, are copied by way of their bits. */
#define __CDP_HALF_VOLATILE(H, RAW)                                                                \
    __CDP_HALF_MEMBER H &operator=(const RAW &__r)                                                 \
    {                                                                                              \
        __x = __r.x;                                                                               \
        return *this;                                                                              \
    }                                                                                              \
    __CDP_HALF_MEMBER volatile H &operator=(const RAW &__r) volatile                               \
    {                                                                                              \
        __x = __r.x;                                                                               \
        return *this;                                                                              \
    }                                                                                              \
    __CDP_HALF_MEMBER volatile H &operator=(const volatile RAW &__r) volatile                      \
    {                                                                                              \
        __x = __r.x;                                                                               \
        return *this;                                                                              \
    }                                                                                              \
    __CDP_HALF_MEMBER operator RAW() const volatile                                                \
    {                                                                                              \
        return RAW{__x};                                                                           \
    }

#define __CDP_HALF_CLASS(H, RAW, RAW2)                                                             \
    struct RAW {                                                                                   \
        unsigned short x;                                                                          \
    };                                                                                             \
    struct RAW2 {                                                                                  \
        unsigned short x, y;                                                                       \
    };                                                                                             \
    struct __attribute__((__aligned__(2))) H {                                                     \
        unsigned short __x;                                                                        \
        enum { __cdp_half_kind };                                                                  \
        H() = default;                                                                             \
        __CDP_HALF_MEMBER constexpr float __v() const                                              \
        {                                                                                          \
            return __cdp_value_##H(__x);                                                           \
        }                                                                                          \
        /* The two 16-bit types convert to each other explicitly. */                               \
        template <class __O, class = decltype(__O::__cdp_half_kind),                               \
                  class = decltype(((const __O *)0)->__v())>                                       \
        __CDP_HALF_MEMBER explicit constexpr H(const __O &__o) : __x(__cdp_bits_##H(__o.__v()))    \
        {                                                                                          \
        }                                                                                          \
        __CDP_HALF_MEMBER constexpr H(RAW __r) : __x(__r.x)                                        \
        {                                                                                          \
        }                                                                                          \
        __CDP_HALF_MEMBER constexpr H(float __v) : __x(__cdp_bits_##H(__v))                        \
        {                                                                                          \
        }                                                                                          \
        __CDP_HALF_MEMBER constexpr H(double __v) : __x(__cdp_bits_##H(__v))                       \
        {                                                                                          \
        }                                                                                          \
        __CDP_HALF_FROM(H, int)                                                                    \
        __CDP_HALF_FROM(H, unsigned int)                                                           \
        __CDP_HALF_FROM(H, short)                                                                  \
        __CDP_HALF_FROM(H, unsigned short)                                                         \
        __CDP_HALF_FROM(H, long)                                                                   \
        __CDP_HALF_FROM(H, unsigned long)                                                          \
        __CDP_HALF_FROM(H, long long)                                                              \
        __CDP_HALF_FROM(H, unsigned long long)                                                     \
        __CDP_HALF_ASSIGN(H, float)                                                                \
        __CDP_HALF_ASSIGN(H, double)                                                               \
        __CDP_HALF_ASSIGN(H, int)                                                                  \
        __CDP_HALF_ASSIGN(H, unsigned int)                                                         \
        __CDP_HALF_ASSIGN(H, short)                                                                \
        __CDP_HALF_ASSIGN(H, unsigned short)                                                       \
        __CDP_HALF_ASSIGN(H, long long)                                                            \
        __CDP_HALF_ASSIGN(H, unsigned long long)                                                   \
        __CDP_HALF_MEMBER constexpr operator float() const                                         \
        {                                                                                          \
            return __v();                                                                          \
        }                                                                                          \
        __CDP_HALF_MEMBER constexpr operator RAW() const                                           \
        {                                                                                          \
            return RAW{__x};                                                                       \
        }                                                                                          \
        __CDP_HALF_VOLATILE(H, RAW)                                                                \
        /* Makes a conversion to long double ambiguous. For this reason NVIDIA's headers refuse    \
         * fabs(x), which could be that function. */                                               \
        __CDP_HALF_MEMBER constexpr operator _Float16() const                                      \
        {                                                                                          \
            return (_Float16)__v();                                                                \
        }                                                                                          \
        template <class __T, class = typename __cdp_half_integer<__T>::type>                       \
        __CDP_HALF_MEMBER constexpr operator __T() const                                           \
        {                                                                                          \
            return __cdp_half_to<__T>(__v());                                                      \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((__aligned__(4))) H##2                                                    \
    {                                                                                              \
        H x, y;                                                                                    \
        H##2() = default;                                                                          \
        __CDP_HALF_MEMBER constexpr H##2(const H &__a, const H &__b) : x(__a), y(__b)              \
        {                                                                                          \
        }                                                                                          \
        __CDP_HALF_MEMBER constexpr H##2(RAW2 __r) : x(RAW{__r.x}), y(RAW{__r.y})                  \
        {                                                                                          \
        }                                                                                          \
        __CDP_HALF_MEMBER constexpr operator RAW2() const                                          \
        {                                                                                          \
            return RAW2{x.__x, y.__x};                                                             \
        }                                                                                          \
    };

/* ---- Operators and their function forms ---- */

/* These functions compute with floats: an operator on two numbers takes clang much longer to parse, as
 * said above. */

#define __CDP_HALF_BINARY(H, op, name)                                                             \
    __CDP_BOTH_INLINE H name(H __a, H __b)                                                         \
    {                                                                                              \
        return H(__a.__v() op __b.__v());                                                          \
    }                                                                                              \
    __CDP_BOTH_INLINE H operator op(const H &__a, const H &__b)                                    \
    {                                                                                              \
        return H(__a.__v() op __b.__v());                                                          \
    }                                                                                              \
    __CDP_BOTH_INLINE H &operator op## = (H & __a, const H &__b)                                   \
    {                                                                                              \
        __a.__x = name(__a, __b).__x;                                                              \
        return __a;                                                                                \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 operator op(const H##2 & __a, const H##2 & __b)                         \
    {                                                                                              \
        return H##2(name(__a.x, __b.x), name(__a.y, __b.y));                                       \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 &operator op## = (H##2 & __a, const H##2 & __b)                         \
    {                                                                                              \
        __a.x.__x = name(__a.x, __b.x).__x;                                                        \
        __a.y.__x = name(__a.y, __b.y).__x;                                                        \
        return __a;                                                                                \
    }
#define __CDP_HALF_PAIRED(H, op, name)                                                             \
    __CDP_HALF_BINARY(H, op, name)                                                                 \
    __CDP_BOTH_INLINE H name##_rn(H __a, H __b)                                                    \
    {                                                                                              \
        return name(__a, __b);                                                                     \
    }                                                                                              \
    __CDP_BOTH_INLINE H name##_sat(H __a, H __b)                                                   \
    {                                                                                              \
        return __cdp_half_saturate(name(__a, __b));                                                \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 name##2(H##2 __a, H##2 __b)                                             \
    {                                                                                              \
        return H##2(name(__a.x, __b.x), name(__a.y, __b.y));                                       \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 name##2_rn(H##2 __a, H##2 __b)                                          \
    {                                                                                              \
        return name##2(__a, __b);                                                                  \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 name##2_sat(H##2 __a, H##2 __b)                                         \
    {                                                                                              \
        return H##2(name##_sat(__a.x, __b.x), name##_sat(__a.y, __b.y));                           \
    }
/* Lane by lane: 1 or 0, all bits or none. */
#define __CDP_HALF_COMPARE_LANES(H, scalar, lanes)                                                 \
    __CDP_BOTH_INLINE H##2 lanes(H##2 __a, H##2 __b)                                               \
    {                                                                                              \
        return H##2(H(scalar(__a.x, __b.x) ? 1.0f : 0.0f), H(scalar(__a.y, __b.y) ? 1.0f : 0.0f)); \
    }                                                                                              \
    __CDP_BOTH_INLINE unsigned int lanes##_mask(H##2 __a, H##2 __b)                                \
    {                                                                                              \
        return (scalar(__a.x, __b.x) ? 0xffffu : 0) | (scalar(__a.y, __b.y) ? 0xffff0000u : 0);    \
    }
/* Comparison: with a NaN the plain forms (also ne) are false, and the u forms are true; the b forms
 * need both lanes. */
#define __CDP_HALF_COMPARE(H, op, name)                                                            \
    __CDP_BOTH_INLINE bool operator op(const H &__a, const H &__b)                                 \
    {                                                                                              \
        return __a.__v() op __b.__v();                                                             \
    }                                                                                              \
    __CDP_BOTH_INLINE bool operator op(const H##2 & __a, const H##2 & __b)                         \
    {                                                                                              \
        return __a.x.__v() op __b.x.__v() && __a.y.__v() op __b.y.__v();                           \
    }                                                                                              \
    __CDP_BOTH_INLINE bool __h##name(H __a, H __b)                                                 \
    {                                                                                              \
        return !__builtin_isunordered(__a.__v(), __b.__v()) && __a.__v() op __b.__v();             \
    }                                                                                              \
    __CDP_BOTH_INLINE bool __h##name##u(H __a, H __b)                                              \
    {                                                                                              \
        return __builtin_isunordered(__a.__v(), __b.__v()) || __a.__v() op __b.__v();              \
    }                                                                                              \
    __CDP_BOTH_INLINE bool __hb##name##2(H##2 __a, H##2 __b)                                       \
    {                                                                                              \
        return __h##name(__a.x, __b.x) && __h##name(__a.y, __b.y);                                 \
    }                                                                                              \
    __CDP_BOTH_INLINE bool __hb##name##u2(H##2 __a, H##2 __b)                                      \
    {                                                                                              \
        return __h##name##u(__a.x, __b.x) && __h##name##u(__a.y, __b.y);                           \
    }                                                                                              \
    __CDP_HALF_COMPARE_LANES(H, __h##name, __h##name##2)                                           \
    __CDP_HALF_COMPARE_LANES(H, __h##name##u, __h##name##u2)

/* ---- Mathematics, computed in float ---- */

#define __CDP_HALF_MATH(H, name, expression)                                                       \
    __CDP_BOTH_INLINE H h##name(H __a)                                                             \
    {                                                                                              \
        const float x = __a.__v();                                                                 \
        return H((float)(expression));                                                             \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 h2##name(H##2 __a)                                                      \
    {                                                                                              \
        return H##2(h##name(__a.x), h##name(__a.y));                                               \
    }
#define __CDP_HALF_MATHS(H)                                                                        \
    __CDP_HALF_MATH(H, sqrt, __builtin_sqrtf(x))                                                   \
    __CDP_HALF_MATH(H, rsqrt, 1.0f / __builtin_sqrtf(x))                                           \
    __CDP_HALF_MATH(H, rcp, 1.0f / x)                                                              \
    __CDP_HALF_MATH(H, exp, __builtin_expf(x))                                                     \
    __CDP_HALF_MATH(H, exp2, __builtin_exp2f(x))                                                   \
    __CDP_HALF_MATH(H, exp10, exp10f(x))                                                           \
    __CDP_HALF_MATH(H, log, __builtin_logf(x))                                                     \
    __CDP_HALF_MATH(H, log2, __builtin_log2f(x))                                                   \
    __CDP_HALF_MATH(H, log10, __builtin_log10f(x))                                                 \
    __CDP_HALF_MATH(H, sin, __builtin_sinf(x))                                                     \
    __CDP_HALF_MATH(H, cos, __builtin_cosf(x))                                                     \
    __CDP_HALF_MATH(H, tanh, __builtin_tanhf(x))                                                   \
    __CDP_HALF_MATH(H, tanh_approx, __builtin_tanhf(x))                                            \
    __CDP_HALF_MATH(H, ceil, __builtin_ceilf(x))                                                   \
    __CDP_HALF_MATH(H, floor, __builtin_floorf(x))                                                 \
    __CDP_HALF_MATH(H, rint, __builtin_rintf(x))                                                   \
    __CDP_HALF_MATH(H, trunc, __builtin_truncf(x))

/* Lane by lane: the pair's form of a scalar function. */
#define __CDP_HALF_LANES1(H, name2, name)                                                          \
    __CDP_BOTH_INLINE H##2 name2(H##2 __a)                                                         \
    {                                                                                              \
        return H##2(name(__a.x), name(__a.y));                                                     \
    }
#define __CDP_HALF_LANES2(H, name2, name)                                                          \
    __CDP_BOTH_INLINE H##2 name2(H##2 __a, H##2 __b)                                               \
    {                                                                                              \
        return H##2(name(__a.x, __b.x), name(__a.y, __b.y));                                       \
    }
#define __CDP_HALF_LANES3(H, name2, name)                                                          \
    __CDP_BOTH_INLINE H##2 name2(H##2 __a, H##2 __b, H##2 __c)                                     \
    {                                                                                              \
        return H##2(name(__a.x, __b.x, __c.x), name(__a.y, __b.y, __c.y));                         \
    }
#define __CDP_HALF_STEPS(T, add, subtract, one)                                                    \
    __CDP_BOTH_INLINE T &operator++(T &__a)                                                        \
    {                                                                                              \
        return __a = add(__a, one);                                                                \
    }                                                                                              \
    __CDP_BOTH_INLINE T &operator--(T &__a)                                                        \
    {                                                                                              \
        return __a = subtract(__a, one);                                                           \
    }                                                                                              \
    __CDP_BOTH_INLINE T operator++(T &__a, int)                                                    \
    {                                                                                              \
        const T __old = __a;                                                                       \
        __a = add(__a, one);                                                                       \
        return __old;                                                                              \
    }                                                                                              \
    __CDP_BOTH_INLINE T operator--(T &__a, int)                                                    \
    {                                                                                              \
        const T __old = __a;                                                                       \
        __a = subtract(__a, one);                                                                  \
        return __old;                                                                              \
    }
#define __CDP_HALF_FUNCTIONS(H)                                                                    \
    __CDP_BOTH_INLINE H operator-(const H &__a)                                                    \
    {                                                                                              \
        return H(-__a.__v());                                                                      \
    }                                                                                              \
    __CDP_BOTH_INLINE H operator+(const H &__a)                                                    \
    {                                                                                              \
        return __a;                                                                                \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 operator-(const H##2 & __a)                                             \
    {                                                                                              \
        return H##2(H(-__a.x.__v()), H(-__a.y.__v()));                                             \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 operator+(const H##2 & __a)                                             \
    {                                                                                              \
        return __a;                                                                                \
    }                                                                                              \
    __CDP_HALF_STEPS(H, __hadd, __hsub, H(1.0f))                                                   \
    __CDP_HALF_STEPS(H##2, __hadd2, __hsub2, H##2(H(1.0f), H(1.0f)))                               \
    __CDP_BOTH_INLINE H __hneg(H __a)                                                              \
    {                                                                                              \
        return H(-__a.__v());                                                                      \
    }                                                                                              \
    __CDP_BOTH_INLINE H __habs(H __a)                                                              \
    {                                                                                              \
        return H(__builtin_fabsf(__a.__v()));                                                      \
    }                                                                                              \
    __CDP_BOTH_INLINE bool __hisnan(H __a)                                                         \
    {                                                                                              \
        return __a.__v() != __a.__v();                                                             \
    }                                                                                              \
    __CDP_BOTH_INLINE int __hisinf(H __a)                                                          \
    {                                                                                              \
        return __builtin_isinf(__a.__v()) ? __a.__v() > 0.0f ? 1 : -1 : 0;                         \
    }                                                                                              \
    __CDP_BOTH_INLINE H __hfma(H __a, H __b, H __c)                                                \
    {                                                                                              \
        return H(__cdp_fma_to_odd(__a.__v(), __b.__v(), __c.__v()));                               \
    }                                                                                              \
    __CDP_BOTH_INLINE H __hfma_relu(H __a, H __b, H __c)                                           \
    {                                                                                              \
        const H __r = __hfma(__a, __b, __c);                                                       \
        return __r.__v() > 0.0f || __hisnan(__r) ? __r : H(0.0f);                                  \
    }                                                                                              \
    __CDP_BOTH_INLINE H __hfma_sat(H __a, H __b, H __c)                                            \
    {                                                                                              \
        return __cdp_half_saturate(__hfma(__a, __b, __c));                                         \
    }                                                                                              \
    __CDP_BOTH_INLINE H __hmax(H __a, H __b)                                                       \
    {                                                                                              \
        return H(__builtin_elementwise_maximumnum(__a.__v(), __b.__v()));                          \
    }                                                                                              \
    __CDP_BOTH_INLINE H __hmin(H __a, H __b)                                                       \
    {                                                                                              \
        return H(__builtin_elementwise_minimumnum(__a.__v(), __b.__v()));                          \
    }                                                                                              \
    __CDP_BOTH_INLINE H __hmax_nan(H __a, H __b)                                                   \
    {                                                                                              \
        return __hisnan(__a) || __hisnan(__b) ? H(__builtin_nanf("")) : __hmax(__a, __b);          \
    }                                                                                              \
    __CDP_BOTH_INLINE H __hmin_nan(H __a, H __b)                                                   \
    {                                                                                              \
        return __hisnan(__a) || __hisnan(__b) ? H(__builtin_nanf("")) : __hmin(__a, __b);          \
    }                                                                                              \
    __CDP_HALF_LANES1(H, __hneg2, __hneg)                                                          \
    __CDP_HALF_LANES1(H, __habs2, __habs)                                                          \
    __CDP_HALF_LANES2(H, __h2div, __hdiv)                                                          \
    __CDP_HALF_LANES2(H, __hmax2, __hmax)                                                          \
    __CDP_HALF_LANES2(H, __hmin2, __hmin)                                                          \
    __CDP_HALF_LANES2(H, __hmax2_nan, __hmax_nan)                                                  \
    __CDP_HALF_LANES2(H, __hmin2_nan, __hmin_nan)                                                  \
    __CDP_HALF_LANES3(H, __hfma2, __hfma)                                                          \
    __CDP_HALF_LANES3(H, __hfma2_relu, __hfma_relu)                                                \
    __CDP_HALF_LANES3(H, __hfma2_sat, __hfma_sat)                                                  \
    /* For complex numbers: a * b + c. */                                                          \
    __CDP_BOTH_INLINE H##2 __hcmadd(H##2 __a, H##2 __b, H##2 __c)                                  \
    {                                                                                              \
        return H##2(__hfma(__hneg(__a.y), __b.y, __hfma(__a.x, __b.x, __c.x)),                     \
                    __hfma(__a.y, __b.x, __hfma(__a.x, __b.y, __c.y)));                            \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __hisnan2(H##2 __a)                                                     \
    {                                                                                              \
        return H##2(H(__hisnan(__a.x) ? 1.0f : 0.0f), H(__hisnan(__a.y) ? 1.0f : 0.0f));           \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 make_##H##2(H x, H y)                                                   \
    {                                                                                              \
        return H##2(x, y);                                                                         \
    }

/* A pair is two atomic accesses, as the programming guide allows. */
#define __CDP_HALF_ATOMIC(H)                                                                       \
    __CDP_DEVICE_INLINE H atomicAdd(H *__p, H __v)                                                 \
    {                                                                                              \
        unsigned short *const __bits = &__p->__x;                                                  \
        unsigned short __old = __atomic_load_n(__bits, __ATOMIC_RELAXED);                          \
        H __before, __after;                                                                       \
        do {                                                                                       \
            __before.__x = __old;                                                                  \
            __after.__x = __hadd(__before, __v).__x;                                               \
        } while (!__atomic_compare_exchange_n(__bits, &__old, __after.__x, true, __ATOMIC_RELAXED, \
                                              __ATOMIC_RELAXED));                                  \
        return __before;                                                                           \
    }                                                                                              \
    __CDP_DEVICE_INLINE H##2 atomicAdd(H##2 * __p, H##2 __v)                                       \
    {                                                                                              \
        return H##2(atomicAdd(&__p->x, __v.x), atomicAdd(&__p->y, __v.y));                         \
    }

#define __CDP_HALF_ALL(H)                                                                          \
    __CDP_BOTH_INLINE H __cdp_half_saturate(H __a)                                                 \
    {                                                                                              \
        const float x = __a.__v();                                                                 \
        return H(x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f);                                           \
    }                                                                                              \
    __CDP_HALF_PAIRED(H, +, __hadd)                                                                \
    __CDP_HALF_PAIRED(H, -, __hsub)                                                                \
    __CDP_HALF_PAIRED(H, *, __hmul)                                                                \
    __CDP_HALF_BINARY(H, /, __hdiv)                                                                \
    __CDP_HALF_COMPARE(H, ==, eq)                                                                  \
    __CDP_HALF_COMPARE(H, !=, ne)                                                                  \
    __CDP_HALF_COMPARE(H, <, lt)                                                                   \
    __CDP_HALF_COMPARE(H, >, gt)                                                                   \
    __CDP_HALF_COMPARE(H, <=, le)                                                                  \
    __CDP_HALF_COMPARE(H, >=, ge)                                                                  \
    __CDP_HALF_FUNCTIONS(H)                                                                        \
    __CDP_HALF_MATHS(H)                                                                            \
    __CDP_HALF_ATOMIC(H)                                                                           \
    __CDP_SHFL(H)                                                                                  \
    __CDP_SHFL(H##2)                                                                               \
    __CDP_LOAD(H)                                                                                  \
    __CDP_LOAD(H##2)

/* ---- Conversions, named after the type: half or bfloat16 ---- */

/* Towards zero, up or down: one step from the nearest value if that is on the wrong side. F: a type
 * that represents both exactly. */
template <class __H, class __F> __CDP_BOTH_INLINE __H __cdp_half_directed(__F x, int __mode)
{
    __H __h(x);
    const __F __nearest = (__F)__h.__v();
    const bool __is_above = __nearest > x, __is_below = __nearest < x;
    const bool __is_beyond = __mode == __cdp_rd   ? __is_above
                             : __mode == __cdp_ru ? __is_below
                                                  : (x < 0 ? __is_below : __is_above);
    if (__is_beyond) {
        const bool __grow = __is_below == (__nearest > 0);
        __h.__x = __nearest == 0 ? (unsigned short)(x < 0 ? 0x8001 : 0x0001)
                                 : (unsigned short)(__h.__x + (__grow ? 1 : -1));
    }
    return __h;
}
/* Names that are passed to other macros are complete names, because a program could have macros for
 * parts of names: `to` gives a half, `from` reads one. */
#define __CDP_HALF_DIRECTED(H, to, mode)                                                           \
    __CDP_BOTH_INLINE H to(float x)                                                                \
    {                                                                                              \
        return __cdp_half_directed<H>(x, mode);                                                    \
    }
#define __CDP_HALF_INTEGER_DIRECTED(H, I, to, from, mode, round)                                   \
    __CDP_BOTH_INLINE H to(I x)                                                                    \
    {                                                                                              \
        return __cdp_half_directed<H>(__cdp_exactly(x), mode);                                     \
    }                                                                                              \
    __CDP_BOTH_INLINE I from(H __h)                                                                \
    {                                                                                              \
        return __cdp_half_to<I>(round(__h.__v()));                                                 \
    }
#define __CDP_HALF_INTEGER(H, I, to, from)                                                         \
    __CDP_BOTH_INLINE H to##_rn(I x)                                                               \
    {                                                                                              \
        return H(x);                                                                               \
    }                                                                                              \
    __CDP_BOTH_INLINE I from##_rn(H __h)                                                           \
    {                                                                                              \
        return __cdp_half_to<I>(__builtin_rintf(__h.__v()));                                       \
    }                                                                                              \
    __CDP_HALF_INTEGER_DIRECTED(H, I, to##_rz, from##_rz, __cdp_rz, __builtin_truncf)              \
    __CDP_HALF_INTEGER_DIRECTED(H, I, to##_ru, from##_ru, __cdp_ru, __builtin_ceilf)               \
    __CDP_HALF_INTEGER_DIRECTED(H, I, to##_rd, from##_rd, __cdp_rd, __builtin_floorf)
#define __CDP_HALF_CONVERSIONS(H, name)                                                            \
    __CDP_BOTH_INLINE H __float2##name(float x)                                                    \
    {                                                                                              \
        return H(x);                                                                               \
    }                                                                                              \
    __CDP_BOTH_INLINE H __float2##name##_rn(float x)                                               \
    {                                                                                              \
        return H(x);                                                                               \
    }                                                                                              \
    __CDP_HALF_DIRECTED(H, __float2##name##_rz, __cdp_rz)                                          \
    __CDP_HALF_DIRECTED(H, __float2##name##_ru, __cdp_ru)                                          \
    __CDP_HALF_DIRECTED(H, __float2##name##_rd, __cdp_rd)                                          \
    __CDP_BOTH_INLINE H __double2##name(double x)                                                  \
    {                                                                                              \
        return H(x);                                                                               \
    }                                                                                              \
    __CDP_BOTH_INLINE float __##name##2float(H __h)                                                \
    {                                                                                              \
        return __h.__v();                                                                          \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __float2##name##2_rn(float x)                                           \
    {                                                                                              \
        return H##2(H(x), H(x));                                                                   \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __floats2##name##2_rn(float x, float y)                                 \
    {                                                                                              \
        return H##2(H(x), H(y));                                                                   \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __float22##name##2_rn(float2 __a)                                       \
    {                                                                                              \
        return H##2(H(__a.x), H(__a.y));                                                           \
    }                                                                                              \
    __CDP_BOTH_INLINE float2 __##name##22float2(H##2 __h)                                          \
    {                                                                                              \
        return float2{__h.x.__v(), __h.y.__v()};                                                   \
    }                                                                                              \
    __CDP_BOTH_INLINE float __low2float(H##2 __h)                                                  \
    {                                                                                              \
        return __h.x.__v();                                                                        \
    }                                                                                              \
    __CDP_BOTH_INLINE float __high2float(H##2 __h)                                                 \
    {                                                                                              \
        return __h.y.__v();                                                                        \
    }                                                                                              \
    __CDP_BOTH_INLINE H __low2##name(H##2 __h)                                                     \
    {                                                                                              \
        return __h.x;                                                                              \
    }                                                                                              \
    __CDP_BOTH_INLINE H __high2##name(H##2 __h)                                                    \
    {                                                                                              \
        return __h.y;                                                                              \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __low2##name##2(H##2 __h)                                               \
    {                                                                                              \
        return H##2(__h.x, __h.x);                                                                 \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __high2##name##2(H##2 __h)                                              \
    {                                                                                              \
        return H##2(__h.y, __h.y);                                                                 \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __lows2##name##2(H##2 __a, H##2 __b)                                    \
    {                                                                                              \
        return H##2(__a.x, __b.x);                                                                 \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __highs2##name##2(H##2 __a, H##2 __b)                                   \
    {                                                                                              \
        return H##2(__a.y, __b.y);                                                                 \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __lowhigh2highlow(H##2 __h)                                             \
    {                                                                                              \
        return H##2(__h.y, __h.x);                                                                 \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __##name##2##name##2(H __h)                                             \
    {                                                                                              \
        return H##2(__h, __h);                                                                     \
    }                                                                                              \
    __CDP_BOTH_INLINE H##2 __halves2##name##2(H x, H y)                                            \
    {                                                                                              \
        return H##2(x, y);                                                                         \
    }                                                                                              \
    __CDP_BOTH_INLINE short __##name##_as_short(H __h)                                             \
    {                                                                                              \
        return (short)__h.__x;                                                                     \
    }                                                                                              \
    __CDP_BOTH_INLINE unsigned short __##name##_as_ushort(H __h)                                   \
    {                                                                                              \
        return __h.__x;                                                                            \
    }                                                                                              \
    __CDP_BOTH_INLINE H __ushort_as_##name(unsigned short __bits)                                  \
    {                                                                                              \
        H __h;                                                                                     \
        __h.__x = __bits;                                                                          \
        return __h;                                                                                \
    }                                                                                              \
    __CDP_BOTH_INLINE H __short_as_##name(short __bits)                                            \
    {                                                                                              \
        return __ushort_as_##name((unsigned short)__bits);                                         \
    }                                                                                              \
    __CDP_BOTH_INLINE signed char __##name##2char_rz(H __h)                                        \
    {                                                                                              \
        return __cdp_half_to<signed char>(__h.__v());                                              \
    }                                                                                              \
    __CDP_BOTH_INLINE unsigned char __##name##2uchar_rz(H __h)                                     \
    {                                                                                              \
        return __cdp_half_to<unsigned char>(__h.__v());                                            \
    }                                                                                              \
    __CDP_HALF_INTEGER(H, short, __short2##name, __##name##2short)                                 \
    __CDP_HALF_INTEGER(H, unsigned short, __ushort2##name, __##name##2ushort)                      \
    __CDP_HALF_INTEGER(H, int, __int2##name, __##name##2int)                                       \
    __CDP_HALF_INTEGER(H, unsigned int, __uint2##name, __##name##2uint)                            \
    __CDP_HALF_INTEGER(H, long long, __ll2##name, __##name##2ll)                                   \
    __CDP_HALF_INTEGER(H, unsigned long long, __ull2##name, __##name##2ull)

#endif
