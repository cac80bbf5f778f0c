/* Fused additions, minima and maxima (CUDA's DPX functions), of words and of two halfwords. They
 * are for host and device code. Additions wrap; relu means a result of at least 0. */
#ifndef __CDP_DPX_H
#define __CDP_DPX_H

#include "../vector_types.h"

/* ---- Of numbers of any type ---- */

template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_max(__T __a, __T __b)
{
    return __a > __b ? __a : __b;
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_min(__T __a, __T __b)
{
    return __a < __b ? __a : __b;
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_relu(__T __v)
{
    return __v > 0 ? __v : (__T)0;
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_add(__T __a, __T __b)
{
    return (__T)((unsigned int)__a + (unsigned int)__b);
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_max3(__T __a, __T __b, __T __c)
{
    return __cdp_dpx_max(__cdp_dpx_max(__a, __b), __c);
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_min3(__T __a, __T __b, __T __c)
{
    return __cdp_dpx_min(__cdp_dpx_min(__a, __b), __c);
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_addmax(__T __a, __T __b, __T __c)
{
    return __cdp_dpx_max(__cdp_dpx_add(__a, __b), __c);
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_addmin(__T __a, __T __b, __T __c)
{
    return __cdp_dpx_min(__cdp_dpx_add(__a, __b), __c);
}
/* *__is_first: the result is __a. */
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_bmax(__T __a, __T __b, bool *__is_first)
{
    *__is_first = __a >= __b;
    return __cdp_dpx_max(__a, __b);
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_bmin(__T __a, __T __b, bool *__is_first)
{
    *__is_first = __a <= __b;
    return __cdp_dpx_min(__a, __b);
}

/* The upper and the lower halfword of a word, and a word of two halfwords. */
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_high(unsigned int __v)
{
    return (__T)(__v >> 16);
}
template <class __T> __CDP_BOTH_INLINE __T __cdp_dpx_low(unsigned int __v)
{
    return (__T)(__v & 65535);
}
template <class __T> __CDP_BOTH_INLINE unsigned int __cdp_dpx_pack(__T __high, __T __low)
{
    return (unsigned int)__high << 16 | ((unsigned int)__low & 65535);
}

/* ---- Of words ---- */

#define __CDP_DPX2(name, T, expression)                                                            \
    __CDP_BOTH_INLINE T name(T __a, T __b)                                                         \
    {                                                                                              \
        return expression;                                                                         \
    }
#define __CDP_DPX3(name, T, expression)                                                            \
    __CDP_BOTH_INLINE T name(T __a, T __b, T __c)                                                  \
    {                                                                                              \
        return expression;                                                                         \
    }
#define __CDP_DPX_B(name, T, of)                                                                   \
    __CDP_BOTH_INLINE T name(T __a, T __b, bool *__pred)                                           \
    {                                                                                              \
        return of(__a, __b, __pred);                                                               \
    }
__CDP_DPX2(__vimax_s32_relu, int, __cdp_dpx_relu(__cdp_dpx_max(__a, __b)))
__CDP_DPX2(__vimin_s32_relu, int, __cdp_dpx_relu(__cdp_dpx_min(__a, __b)))
__CDP_DPX3(__vimax3_s32, int, __cdp_dpx_max3(__a, __b, __c))
__CDP_DPX3(__vimin3_s32, int, __cdp_dpx_min3(__a, __b, __c))
__CDP_DPX3(__vimax3_u32, unsigned int, __cdp_dpx_max3(__a, __b, __c))
__CDP_DPX3(__vimin3_u32, unsigned int, __cdp_dpx_min3(__a, __b, __c))
__CDP_DPX3(__vimax3_s32_relu, int, __cdp_dpx_relu(__cdp_dpx_max3(__a, __b, __c)))
__CDP_DPX3(__vimin3_s32_relu, int, __cdp_dpx_relu(__cdp_dpx_min3(__a, __b, __c)))
__CDP_DPX3(__viaddmax_s32, int, __cdp_dpx_addmax(__a, __b, __c))
__CDP_DPX3(__viaddmin_s32, int, __cdp_dpx_addmin(__a, __b, __c))
__CDP_DPX3(__viaddmax_u32, unsigned int, __cdp_dpx_addmax(__a, __b, __c))
__CDP_DPX3(__viaddmin_u32, unsigned int, __cdp_dpx_addmin(__a, __b, __c))
__CDP_DPX3(__viaddmax_s32_relu, int, __cdp_dpx_relu(__cdp_dpx_addmax(__a, __b, __c)))
__CDP_DPX3(__viaddmin_s32_relu, int, __cdp_dpx_relu(__cdp_dpx_addmin(__a, __b, __c)))
__CDP_DPX_B(__vibmax_s32, int, __cdp_dpx_bmax)
__CDP_DPX_B(__vibmin_s32, int, __cdp_dpx_bmin)
__CDP_DPX_B(__vibmax_u32, unsigned int, __cdp_dpx_bmax)
__CDP_DPX_B(__vibmin_u32, unsigned int, __cdp_dpx_bmin)
#undef __CDP_DPX2
#undef __CDP_DPX3
#undef __CDP_DPX_B

/* ---- Of two halfwords: at least 0 if T is signed and `relu` is its name ---- */

#define __CDP_DPX_SAME(value) (value)
#define __CDP_DPX2(name, T, relu, of)                                                              \
    __CDP_BOTH_INLINE unsigned int name(unsigned int __a, unsigned int __b)                        \
    {                                                                                              \
        return __cdp_dpx_pack<T>(relu(of(__cdp_dpx_high<T>(__a), __cdp_dpx_high<T>(__b))),         \
                                 relu(of(__cdp_dpx_low<T>(__a), __cdp_dpx_low<T>(__b))));          \
    }
#define __CDP_DPX3(name, T, relu, of)                                                              \
    __CDP_BOTH_INLINE unsigned int name(unsigned int __a, unsigned int __b, unsigned int __c)      \
    {                                                                                              \
        return __cdp_dpx_pack<T>(                                                                  \
            relu(of(__cdp_dpx_high<T>(__a), __cdp_dpx_high<T>(__b), __cdp_dpx_high<T>(__c))),      \
            relu(of(__cdp_dpx_low<T>(__a), __cdp_dpx_low<T>(__b), __cdp_dpx_low<T>(__c))));        \
    }
#define __CDP_DPX_B(name, T, of)                                                                   \
    __CDP_BOTH_INLINE unsigned int name(unsigned int __a, unsigned int __b, bool *__pred_hi,       \
                                        bool *__pred_lo)                                           \
    {                                                                                              \
        return __cdp_dpx_pack<T>(                                                                  \
            of(__cdp_dpx_high<T>(__a), __cdp_dpx_high<T>(__b), __pred_hi),                         \
            of(__cdp_dpx_low<T>(__a), __cdp_dpx_low<T>(__b), __pred_lo));                          \
    }
__CDP_DPX2(__vimax_s16x2_relu, short, __cdp_dpx_relu, __cdp_dpx_max)
__CDP_DPX2(__vimin_s16x2_relu, short, __cdp_dpx_relu, __cdp_dpx_min)
__CDP_DPX3(__vimax3_s16x2, short, __CDP_DPX_SAME, __cdp_dpx_max3)
__CDP_DPX3(__vimin3_s16x2, short, __CDP_DPX_SAME, __cdp_dpx_min3)
__CDP_DPX3(__vimax3_u16x2, unsigned short, __CDP_DPX_SAME, __cdp_dpx_max3)
__CDP_DPX3(__vimin3_u16x2, unsigned short, __CDP_DPX_SAME, __cdp_dpx_min3)
__CDP_DPX3(__vimax3_s16x2_relu, short, __cdp_dpx_relu, __cdp_dpx_max3)
__CDP_DPX3(__vimin3_s16x2_relu, short, __cdp_dpx_relu, __cdp_dpx_min3)
__CDP_DPX3(__viaddmax_s16x2, short, __CDP_DPX_SAME, __cdp_dpx_addmax)
__CDP_DPX3(__viaddmin_s16x2, short, __CDP_DPX_SAME, __cdp_dpx_addmin)
__CDP_DPX3(__viaddmax_u16x2, unsigned short, __CDP_DPX_SAME, __cdp_dpx_addmax)
__CDP_DPX3(__viaddmin_u16x2, unsigned short, __CDP_DPX_SAME, __cdp_dpx_addmin)
__CDP_DPX3(__viaddmax_s16x2_relu, short, __cdp_dpx_relu, __cdp_dpx_addmax)
__CDP_DPX3(__viaddmin_s16x2_relu, short, __cdp_dpx_relu, __cdp_dpx_addmin)
__CDP_DPX_B(__vibmax_s16x2, short, __cdp_dpx_bmax)
__CDP_DPX_B(__vibmin_s16x2, short, __cdp_dpx_bmin)
__CDP_DPX_B(__vibmax_u16x2, unsigned short, __cdp_dpx_bmax)
__CDP_DPX_B(__vibmin_u16x2, unsigned short, __cdp_dpx_bmin)
#undef __CDP_DPX_SAME
#undef __CDP_DPX2
#undef __CDP_DPX3
#undef __CDP_DPX_B

#endif
