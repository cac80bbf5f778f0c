/* The arithmetic of nvcuda::wmma, and which types may be multiplied and added. A part of mma.h. */
#ifndef __CDP_WMMA_TYPES_H
#define __CDP_WMMA_TYPES_H

namespace nvcuda
{
namespace wmma
{

/* As in cvt.rna.tf32.f32: to nearest, ties away from zero. */
__CDP_PART_INLINE float __float_to_tf32(float __v)
{
    const unsigned int __bits = __builtin_bit_cast(unsigned int, __v);
    const bool __is_finite = (__bits & 0x7f800000) != 0x7f800000;
    const unsigned int __rounded = __is_finite ? (__bits + 0x1000) & 0xffffe000 : __bits;
    return __builtin_bit_cast(float, __v != __v ? 0x7fffffff : __rounded);
}

namespace __details
{
/* What a product is computed in, and its operands. An int holds all products of a tile. */
template <class __T> struct __operand {
    typedef int __sum;
    __device__ __CDP_PART static int __of(__T __v)
    {
        return __v;
    }
};
template <> struct __operand<double> {
    typedef double __sum;
    __device__ __CDP_PART static double __of(double __v)
    {
        return __v;
    }
};
template <> struct __operand<__half> {
    typedef float __sum;
    __device__ __CDP_PART static float __of(__half __v)
    {
        return (float)__v;
    }
};
template <> struct __operand<__nv_bfloat16> {
    typedef float __sum;
    __device__ __CDP_PART static float __of(__nv_bfloat16 __v)
    {
        return (float)__v;
    }
};
/* A program may leave out the conversion. The hardware does not see the lower bits. */
template <> struct __operand<precision::tf32> {
    typedef float __sum;
    __device__ __CDP_PART static float __of(float __v)
    {
        return __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, __v) & 0xffffe000);
    }
};

/* Which types of accumulators a product of T may have. */
template <class __T, class __D, class __C> struct __sums {
};
struct __allowed {
    typedef void __result;
};
template <> struct __sums<__half, __half, __half> : __allowed {
};
template <> struct __sums<__half, float, __half> : __allowed {
};
template <> struct __sums<__half, __half, float> : __allowed {
};
template <> struct __sums<__half, float, float> : __allowed {
};
template <> struct __sums<__nv_bfloat16, float, float> : __allowed {
};
template <> struct __sums<precision::tf32, float, float> : __allowed {
};
template <> struct __sums<double, double, double> : __allowed {
};
template <class __T> struct __int_sums {
};
template <> struct __int_sums<signed char> : __allowed {
};
template <> struct __int_sums<unsigned char> : __allowed {
};

__CDP_PART_INLINE float __add_product(float __sum, float __a, float __b)
{
    return __sum + __a * __b;
}
__CDP_PART_INLINE double __add_product(double __sum, double __a, double __b)
{
    return __builtin_fma(__a, __b, __sum);
}
__CDP_PART_INLINE int __add_product(int __sum, int __a, int __b)
{
    return __sum + __a * __b;
}
/* The products of floats are exact. Their sum begins with c and is rounded to half at its end. */
template <class __Sum> __device__ __CDP_PART inline __Sum __start(__Sum __c)
{
    return __c;
}
/* Those of integers begin with 0, so that the last addition sees whether the result fits. */
__CDP_PART_INLINE int __start(int)
{
    return 0;
}
template <class __D, class __Sum, class __C>
__device__ __CDP_PART inline __D __finish(__Sum __sum, __C, bool)
{
    return (__D)__sum;
}
template <class __D>
__device__ __CDP_PART inline int __finish(int __sum, int __c, bool __saturates)
{
    const int __wrapped = (int)((unsigned int)__sum + (unsigned int)__c);
    const bool __overflows = ((__sum ^ __wrapped) & (__c ^ __wrapped)) < 0;
    return __saturates && __overflows ? (__c < 0 ? -0x7fffffff - 1 : 0x7fffffff) : __wrapped;
}
} // namespace __details

} // namespace wmma
} // namespace nvcuda

#endif
