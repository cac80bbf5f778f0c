/* Fragments of 4-bit and 1-bit elements. A part of mma.h.
 *
 * A lane holds a register of row lane / 4 of A, or of column lane / 4 of B, which has four. The
 * accumulators are distributed as those of other types: a part of a column. */
#ifndef __CDP_WMMA_BITS_H
#define __CDP_WMMA_BITS_H

namespace nvcuda
{
namespace wmma
{

namespace experimental
{
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

#define __CDP_WMMA_BITS(T, STORAGE, k, count)                                                      \
    template <> struct helper_traits<experimental::precision::T> {                                 \
        typedef experimental::precision::T element_type;                                           \
        typedef STORAGE storage_element_type;                                                      \
        typedef STORAGE fill_argument_type;                                                        \
    };                                                                                             \
    template <>                                                                                    \
    class fragment<matrix_a, 8, 8, k, experimental::precision::T, row_major>                       \
        : public __frag_base<experimental::precision::T, count, 1>                                 \
    {                                                                                              \
    };                                                                                             \
    template <>                                                                                    \
    class fragment<matrix_b, 8, 8, k, experimental::precision::T, col_major>                       \
        : public __frag_base<experimental::precision::T, count, 1>                                 \
    {                                                                                              \
    };
__CDP_WMMA_BITS(s4, int, 32, 8)
__CDP_WMMA_BITS(u4, unsigned int, 32, 8)
__CDP_WMMA_BITS(b1, unsigned int, 128, 32)
#undef __CDP_WMMA_BITS
template <> class fragment<accumulator, 8, 8, 32, int> : public __frag_base<int, 2>
{
};
template <> class fragment<accumulator, 8, 8, 128, int> : public __frag_base<int, 2>
{
};

namespace __details
{
/* The types of elements below a byte. */
template <class __T> struct __bits_type {
};
template <> struct __bits_type<experimental::precision::s4> : __allowed {
};
template <> struct __bits_type<experimental::precision::u4> : __allowed {
};
template <> struct __bits_type<experimental::precision::b1> : __allowed {
};

/* The sum of the products of the elements in two registers. */
template <class __T> struct __bits_of;
template <> struct __bits_of<experimental::precision::s4> {
    __device__ __CDP_PART static int __product(unsigned int __a, unsigned int __b)
    {
        int __sum = 0;
        _Pragma("unroll") for (int __i = 0; __i < 32; __i += 4)
        {
            __sum += ((int)(__a << __i) >> 28) * ((int)(__b << __i) >> 28);
        }
        return __sum;
    }
};
template <> struct __bits_of<experimental::precision::u4> {
    __device__ __CDP_PART static int __product(unsigned int __a, unsigned int __b)
    {
        int __sum = 0;
        _Pragma("unroll") for (int __i = 0; __i < 32; __i += 4)
        {
            __sum += (int)((__a >> __i & 15) * (__b >> __i & 15));
        }
        return __sum;
    }
};
struct __xor_of_bits {
    __device__ __CDP_PART static int __product(unsigned int __a, unsigned int __b)
    {
        return __builtin_popcount(__a ^ __b);
    }
};
struct __and_of_bits {
    __device__ __CDP_PART static int __product(unsigned int __a, unsigned int __b)
    {
        return __builtin_popcount(__a & __b);
    }
};

template <class __Product, class __A, class __B>
__device__ __CDP_PART inline void __mma_of_bits(int (&__d)[2], const __A &__a, const __B &__b,
                                                const int (&__c)[2], bool __satf)
{
    const __position<8, 8, 2> __at;
    int __sum[2] = {0, 0};
    _Pragma("unroll") for (unsigned int __i = 0; __i < 4; __i++)
    {
        const unsigned int __column = __cdp_shfl(__all_lanes, (unsigned int)__b.x[0],
                                                 __at.__line * 4 + __i, 32, __cdp_shfl_idx);
        _Pragma("unroll") for (unsigned int __r = 0; __r < 2; __r++)
        {
            const unsigned int __row =
                __cdp_shfl(__all_lanes, (unsigned int)__a.x[0], (__at.__first + __r) * 4 + __i, 32,
                           __cdp_shfl_idx);
            __sum[__r] += __Product::__product(__row, __column);
        }
    }
    __d[0] = __finish<int>(__sum[0], __c[0], __satf);
    __d[1] = __finish<int>(__sum[1], __c[1], __satf);
}
template <class __F>
__device__ __CDP_PART inline void __load_bits(__F &__f, const void *__p, unsigned int __line_bytes)
{
    const unsigned int __lane = __cdp_laneid();
    __syncwarp();
    __builtin_memcpy((void *)__f.x,
                     (const char *)__p + (size_t)(__lane / 4) * __line_bytes + __lane % 4 * 4,
                     sizeof(__f.x));
}
} // namespace __details

/* ldm counts elements. */
template <int __k, class __T>
__device__ __CDP_PART inline typename __details::__bits_type<__T>::__result
load_matrix_sync(fragment<matrix_a, 8, 8, __k, __T, row_major> &__f, const void *__p,
                 unsigned int __ldm)
{
    __details::__load_bits(__f, __p, __ldm / (__k / 16));
}
template <int __k, class __T>
__device__ __CDP_PART inline typename __details::__bits_type<__T>::__result
load_matrix_sync(fragment<matrix_b, 8, 8, __k, __T, col_major> &__f, const void *__p,
                 unsigned int __ldm)
{
    __details::__load_bits(__f, __p, __ldm / (__k / 16));
}
template <class __T, int __count>
__device__ __CDP_PART inline typename __details::__bits_type<__T>::__result
fill_fragment(__frag_base<__T, __count, 1> &__f,
              const typename helper_traits<__T>::fill_argument_type &__v)
{
    __f.x[0] = __v;
}

template <class __T>
__device__ __CDP_PART inline typename __details::__bits_type<__T>::__result
mma_sync(fragment<accumulator, 8, 8, 32, int> &__d,
         const fragment<matrix_a, 8, 8, 32, __T, row_major> &__a,
         const fragment<matrix_b, 8, 8, 32, __T, col_major> &__b,
         const fragment<accumulator, 8, 8, 32, int> &__c, bool __satf = false)
{
    __details::__mma_of_bits<__details::__bits_of<__T>>(__d.x, __a, __b, __c.x, __satf);
}
__CDP_PART_INLINE void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &__d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &__a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &__b,
          const fragment<accumulator, 8, 8, 128, int> &__c,
          experimental::bmmaBitOp __op = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    if (__op == experimental::bmmaBitOpAND) {
        __details::__mma_of_bits<__details::__and_of_bits>(__d.x, __a, __b, __c.x, false);
    } else {
        __details::__mma_of_bits<__details::__xor_of_bits>(__d.x, __a, __b, __c.x, false);
    }
}

} // namespace wmma
} // namespace nvcuda

#endif
