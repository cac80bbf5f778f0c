/* The operations of nvcuda::wmma. A part of mma.h.
 *
 * How the lanes hold a tile is unspecified in CUDA. Here a lane of an accumulator holds a part of
 * one column, a lane of matrix_b a part of one column, and a lane of matrix_a a part of one row.
 * So neighbouring lanes work on neighbouring columns, and mma_sync's sum is over the lane's own
 * column of B and rows of A that the lanes pass to each other by shuffles. Shared memory would need
 * fewer calls, but it would count against the program's 48 KiB. */
#ifndef __CDP_WMMA_H
#define __CDP_WMMA_H

namespace nvcuda
{
namespace wmma
{

namespace __details
{
enum : unsigned int { __all_lanes = 0xffffffff };

/* The position of a lane's first element: in which row or column, and where in it.
 * Neighbouring lanes hold neighbouring lines; those that remain hold the next parts. */
template <unsigned int __lines, unsigned int __length, unsigned int __count> struct __position {
    enum : unsigned int { __parts = __length / __count };
    unsigned int __line = __cdp_laneid() % __lines;
    unsigned int __first = __cdp_laneid() / __lines % __parts * __count;
    __device__ __CDP_PART __position()
    {
    }
};

/* Shuffles and loads move words of 8 bytes, or all elements of a lane if they are fewer. */
template <unsigned int __bytes> struct __word {
    typedef unsigned long long __type;
};
template <> struct __word<4> {
    typedef unsigned int __type;
};

/* Between memory and elements that are `step` apart. */
template <class __T, int __count>
__device__ __CDP_PART inline void __load(__T (&__x)[__count], const __T *__p, size_t __step)
{
    __syncwarp();
    _Pragma("unroll") for (int __i = 0; __i < __count; __i++)
    {
        __x[__i] = __p[(size_t)__i * __step];
    }
}

/* A lane's elements that are neighbours in memory. CUDA requires that they are aligned. */
template <class __T, int __count>
__device__ __CDP_PART inline void __load_words(__T (&__x)[__count], const __T *__p, size_t)
{
    typedef typename __word<sizeof(__x)>::__type __word;
    constexpr int __per_word = sizeof(__word) / sizeof(__T);
    __syncwarp();
    _Pragma("unroll") for (int __i = 0; __i < __count; __i += __per_word)
    {
        __word __w;
        __builtin_memcpy(&__w, (const void *)(__p + __i), sizeof(__w));
        __builtin_memcpy((void *)&__x[__i], &__w, sizeof(__w));
    }
}

/* Row or column `line` of a fragment's tile, into `to`. `own`: it is the one that the lane holds.
 */
template <unsigned int __lines, unsigned int __length, class __T, int __count>
__device__ __CDP_PART inline void __line(typename __operand<__T>::__sum (&__to)[__length],
                                         const __frag_base<__T, __count> &__f, unsigned int __line,
                                         bool __own)
{
    typedef typename __frag_base<__T, __count>::storage_element_type __element;
    typedef typename __word<sizeof(__f.x)>::__type __word;
    constexpr unsigned int __per_word = sizeof(__word) / sizeof(__element);
    _Pragma("unroll") for (unsigned int __i = 0; __i < __length; __i += __per_word)
    {
        __word __w;
        __element __elements[__per_word];
        __builtin_memcpy(&__w, (const void *)&__f.x[__i % __count], sizeof(__w));
        if (!__own || __length != __count) {
            __w =
                __cdp_shfl(__all_lanes, __w, __line + __i / __count * __lines, 32, __cdp_shfl_idx);
        }
        __builtin_memcpy((void *)__elements, &__w, sizeof(__w));
        _Pragma("unroll") for (unsigned int __e = 0; __e < __per_word; __e++)
        {
            __to[__i + __e] = __operand<__T>::__of(__elements[__e]);
        }
    }
}

template <int __m, int __n, int __k, class __T, class __D, class __C, int __na, int __nb>
__device__ __CDP_PART inline void
__mma(__frag_base<__D, __m * __n / 32> &__d, const __frag_base<__T, __na> &__a,
      const __frag_base<__T, __nb> &__b, const __frag_base<__C, __m * __n / 32> &__c, bool __satf)
{
    typedef typename __operand<__T>::__sum __sum;
    constexpr int __count = __m * __n / 32;
    const __position<__n, __m, __count> __at;
    __sum __column[__k];
    __line<__n, __k>(__column, __b, __at.__line, true);
    _Pragma("nounroll") for (int __i = 0; __i < __count; __i++)
    {
        __sum __row[__k];
        __line<__m, __k>(__row, __a, __at.__first + (unsigned int)__i, false);
        __sum __s = __start((__sum)__c.x[__i]);
        _Pragma("unroll") for (int __j = 0; __j < __k; __j++)
        {
            __s = __add_product(__s, __row[__j], __column[__j]);
        }
        __d.x[__i] = __finish<__D>(__s, __c.x[__i], __satf);
    }
}
} // namespace __details

template <class __T, int __count>
__device__ __CDP_PART inline void fill_fragment(__frag_base<__T, __count> &__f,
                                                typename helper_traits<__T>::fill_argument_type __v)
{
    _Pragma("unroll") for (int __i = 0; __i < __count; __i++)
    {
        __f.x[__i] = __v;
    }
}

#define __CDP_WMMA_LOAD(Use, lines, Layout, line_step, step, load)                                 \
    template <int __m, int __n, int __k, class __T>                                                \
    __device__ __CDP_PART inline void load_matrix_sync(                                            \
        fragment<Use, __m, __n, __k, __T, Layout> &__f,                                            \
        const typename helper_traits<__T>::__element_in_memory *__p, unsigned int __ldm)           \
    {                                                                                              \
        const __details::__position<lines, __k,                                                    \
                                    fragment<Use, __m, __n, __k, __T, Layout>::num_elements>       \
            __at;                                                                                  \
        __details::load(                                                                           \
            __f.x, __p + (size_t)__at.__line * (line_step) + (size_t)__at.__first * (step), step); \
    }
__CDP_WMMA_LOAD(matrix_a, __m, row_major, __ldm, 1, __load_words)
__CDP_WMMA_LOAD(matrix_a, __m, col_major, 1, __ldm, __load)
__CDP_WMMA_LOAD(matrix_b, __n, row_major, 1, __ldm, __load)
__CDP_WMMA_LOAD(matrix_b, __n, col_major, __ldm, 1, __load_words)
#undef __CDP_WMMA_LOAD

template <int __m, int __n, int __k, class __T>
__device__ __CDP_PART inline void load_matrix_sync(fragment<accumulator, __m, __n, __k, __T> &__f,
                                                   const __T *__p, unsigned int __ldm,
                                                   layout_t __layout)
{
    const __details::__position<__n, __m, __m * __n / 32> __at;
    const size_t __column = __layout == mem_row_major ? 1 : __ldm;
    const size_t __row = __layout == mem_row_major ? __ldm : 1;
    __details::__load(__f.x, __p + __at.__line * __column + __at.__first * __row, __row);
}
template <int __m, int __n, int __k, class __T>
__device__ __CDP_PART inline void
store_matrix_sync(__T *__p, const fragment<accumulator, __m, __n, __k, __T> &__f,
                  unsigned int __ldm, layout_t __layout)
{
    const __details::__position<__n, __m, __m * __n / 32> __at;
    const size_t __column = __layout == mem_row_major ? 1 : __ldm;
    const size_t __row = __layout == mem_row_major ? __ldm : 1;
    __T *const __to = __p + __at.__line * __column + __at.__first * __row;
    __syncwarp();
    _Pragma("unroll") for (int __i = 0; __i < __m * __n / 32; __i++)
    {
        __to[(size_t)__i * __row] = __f.x[__i];
    }
}

template <int __m, int __n, int __k, class __T, class __LA, class __LB, class __D, class __C>
__device__ __CDP_PART inline typename __details::__sums<__T, __D, __C>::__result
mma_sync(fragment<accumulator, __m, __n, __k, __D> &__d,
         const fragment<matrix_a, __m, __n, __k, __T, __LA> &__a,
         const fragment<matrix_b, __m, __n, __k, __T, __LB> &__b,
         const fragment<accumulator, __m, __n, __k, __C> &__c)
{
    __details::__mma<__m, __n, __k, __T>(__d, __a, __b, __c, false);
}
template <int __m, int __n, int __k, class __T, class __LA, class __LB>
__device__ __CDP_PART inline typename __details::__int_sums<__T>::__result
mma_sync(fragment<accumulator, __m, __n, __k, int> &__d,
         const fragment<matrix_a, __m, __n, __k, __T, __LA> &__a,
         const fragment<matrix_b, __m, __n, __k, __T, __LB> &__b,
         const fragment<accumulator, __m, __n, __k, int> &__c, bool __satf = false)
{
    __details::__mma<__m, __n, __k, __T>(__d, __a, __b, __c, __satf);
}

} // namespace wmma
} // namespace nvcuda

#endif
