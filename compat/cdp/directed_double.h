/* Directed double arithmetic, for rounding.h, by error-free transformations. */
#ifndef __CDP_DIRECTED_DOUBLE_H
#define __CDP_DIRECTED_DOUBLE_H

__CDP_DEVICE_INLINE double __cdp_add(double __a, double __b, int __mode)
{
    __CDP_EXACT
    const double __s = __a + __b;
    const bool __finite = __builtin_isfinite(__a) && __builtin_isfinite(__b);
    return __cdp_direct(__cdp_zero_sum(__a, __b, __s, __mode),
                        __cdp_overflow(__s, __finite, __cdp_sum_error(__a, __b, __s)), __mode);
}
/* Below this the error of a result may underflow. Scaling a number below it is exact. */
#define __CDP_SMALL 0x1p-900
#define __CDP_SCALE 0x1p300
/* The sign of an exact product as a number; 0 if it is 0. */
__CDP_DEVICE_INLINE double __cdp_product_sign(double __a, double __b)
{
    const double __sign = __builtin_signbit(__a) != __builtin_signbit(__b) ? -1.0 : 1.0;
    return __a == 0.0 || __b == 0.0 ? 0.0 : __sign;
}
/* Rounding error of p = a * b, exact; for small p multiplied by the scale. */
__CDP_DEVICE_INLINE double __cdp_product_error(double __a, double __b, double __p)
{
    __CDP_EXACT
    if (!(__builtin_fabs(__p) < __CDP_SMALL)) {
        return __builtin_fma(__a, __b, -__p);
    }
    if (__p == 0.0) {
        return __cdp_product_sign(__a, __b);
    }
    const bool __first = __builtin_fabs(__a) < __builtin_fabs(__b);
    const double __less = __first ? __a : __b, __more = __first ? __b : __a;
    return __builtin_fma(__less * __CDP_SCALE, __more, -(__p * __CDP_SCALE));
}
__CDP_DEVICE_INLINE double __cdp_mul(double __a, double __b, int __mode)
{
    __CDP_EXACT
    const double __p = __a * __b;
    const bool __finite = __builtin_isfinite(__a) && __builtin_isfinite(__b);
    return __cdp_direct(__p, __cdp_overflow(__p, __finite, __cdp_product_error(__a, __b, __p)),
                        __mode);
}
/* Boldo and Muller's exact error of r = fma(a, b, c). */
__CDP_DEVICE_INLINE double __cdp_fma_error(double __a, double __b, double __c, double __r)
{
    __CDP_EXACT
    const double __p = __a * __b, __p_error = __builtin_fma(__a, __b, -__p);
    const double __low = __c + __p_error, __low_error = __cdp_sum_error(__c, __p_error, __low);
    const double __high = __p + __low, __high_error = __cdp_sum_error(__p, __low, __high);
    return ((__high - __r) + __high_error) + __low_error;
}
/* The same where a * b is small and not 0. */
__CDP_DEVICE_INLINE double __cdp_small_fma_error(double __a, double __b, double __c, double __r)
{
    __CDP_EXACT
    const bool __first = __builtin_fabs(__a) < __builtin_fabs(__b);
    const double __less = (__first ? __a : __b) * __CDP_SCALE, __more = __first ? __b : __a;
    /* The product is less than half an ulp of c: only its sign counts. */
    if (__builtin_fabs(__c) >= 0x1p-700 || __builtin_fabs(__less * __more) < 0x1p-960) {
        return __cdp_product_sign(__a, __b);
    }
    return __cdp_fma_error(__less, __more, __c * __CDP_SCALE, __r * __CDP_SCALE);
}
__CDP_DEVICE_INLINE double __cdp_fma(double __a, double __b, double __c, int __mode)
{
    __CDP_EXACT
    const double __r = __builtin_fma(__a, __b, __c), __p = __a * __b;
    const bool __finite =
        __builtin_isfinite(__a) && __builtin_isfinite(__b) && __builtin_isfinite(__c);
    const bool __small =
        __finite && __builtin_fabs(__p) < __CDP_SMALL && __a != 0.0 && __b != 0.0;
    const double __error = __small ? __cdp_small_fma_error(__a, __b, __c, __r)
                                   : __cdp_fma_error(__a, __b, __c, __r);
    return __cdp_direct(__error == 0.0 ? __cdp_zero_sum(__p, __c, __r, __mode) : __r,
                        __cdp_overflow(__r, __finite, __error), __mode);
}
__CDP_DEVICE_INLINE double __cdp_div(double __a, double __b, int __mode)
{
    __CDP_EXACT
    const double __q = __a / __b;
    const double __scale = __builtin_fabs(__a) < __CDP_SMALL ? __CDP_SCALE : 1.0;
    const double __rest = __builtin_fma(-(__q * __scale), __b, __a * __scale);
    return __cdp_direct(__q,
                        __cdp_overflow(__q, __builtin_isfinite(__a) && __b != 0.0,
                                       __builtin_signbit(__b) ? -__rest : __rest),
                        __mode);
}
__CDP_DEVICE_INLINE double __cdp_sqrt(double __a, int __mode)
{
    __CDP_EXACT
    const double __r = __builtin_sqrt(__a);
    const bool __small = __a < __CDP_SMALL;
    const double __scaled = __small ? __r * 0x1p150 : __r;
    const double __rest = __builtin_fma(-__scaled, __scaled, __small ? __a * __CDP_SCALE : __a);
    return __cdp_direct(__r, __rest, __mode);
}
#undef __CDP_SMALL
#undef __CDP_SCALE

#endif
