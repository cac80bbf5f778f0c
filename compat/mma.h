/* nvcuda::wmma: products of tiles by a warp. Types and shapes are here, the arithmetic in
 * cdp/wmma_types.h, the operations in cdp/wmma.h, those of elements below a byte in
 * cdp/wmma_bits.h. */
#ifndef __CDP_MMA_H
#define __CDP_MMA_H

#include "cdp/hide.h"

#define __CUDA_MMA_H__

#include "cuda_runtime.h"

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision
{
struct tf32;
}
namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision
} // namespace experimental

enum layout_t { mem_row_major, mem_col_major };

template <class __T> struct helper_traits {
    typedef __T element_type;
    typedef __T storage_element_type;
    typedef __T fill_argument_type;
    typedef __T __element_in_memory; /* elements below a byte have none */
};
template <> struct helper_traits<precision::tf32> {
    typedef precision::tf32 element_type;
    typedef float storage_element_type;
    typedef float fill_argument_type;
    typedef float __element_in_memory;
};

/* The elements that one lane holds. Those below a byte share words. */
template <class __T, int __n, int __words = __n> struct __align__(8) __frag_base {
    enum { num_elements = __n };
    enum { num_storage_elements = __words };
    typedef __T element_type;
    typedef typename helper_traits<__T>::storage_element_type storage_element_type;
    storage_element_type x[__words];
};

/* A fragment without a definition below is one that CUDA does not have either. */
template <class __Use, int __m, int __n, int __k, class __T, class __Layout = void> class fragment;

/* a and b are the numbers of a lane's elements, as many as on a GPU. All of half have 16: where
 * the tile is smaller, several lanes hold the same elements. */
#define __CDP_WMMA_INPUT(Use, m, n, k, T, count)                                                   \
    template <> class fragment<Use, m, n, k, T, row_major> : public __frag_base<T, count>          \
    {                                                                                              \
    };                                                                                             \
    template <> class fragment<Use, m, n, k, T, col_major> : public __frag_base<T, count>          \
    {                                                                                              \
    };
#define __CDP_WMMA_INPUTS(m, n, k, T, a, b)                                                        \
    __CDP_WMMA_INPUT(matrix_a, m, n, k, T, a)                                                      \
    __CDP_WMMA_INPUT(matrix_b, m, n, k, T, b)
#define __CDP_WMMA_SUM(m, n, k, T)                                                                 \
    template <> class fragment<accumulator, m, n, k, T> : public __frag_base<T, (m) * (n) / 32>    \
    {                                                                                              \
    };
#define __CDP_WMMA_SHAPE(m, n, k, a, b)                                                            \
    __CDP_WMMA_INPUTS(m, n, k, __half, 16, 16)                                                     \
    __CDP_WMMA_INPUTS(m, n, k, __nv_bfloat16, a, b)                                                \
    __CDP_WMMA_INPUTS(m, n, k, signed char, a, b)                                                  \
    __CDP_WMMA_INPUTS(m, n, k, unsigned char, a, b)                                                \
    __CDP_WMMA_SUM(m, n, k, __half)                                                                \
    __CDP_WMMA_SUM(m, n, k, float)                                                                 \
    __CDP_WMMA_SUM(m, n, k, int)
__CDP_WMMA_SHAPE(16, 16, 16, 8, 8)
__CDP_WMMA_SHAPE(32, 8, 16, 16, 4)
__CDP_WMMA_SHAPE(8, 32, 16, 4, 16)
__CDP_WMMA_INPUTS(16, 16, 8, precision::tf32, 4, 4)
__CDP_WMMA_SUM(16, 16, 8, float)
__CDP_WMMA_INPUTS(8, 8, 4, double, 1, 1)
__CDP_WMMA_SUM(8, 8, 4, double)
#undef __CDP_WMMA_SHAPE
#undef __CDP_WMMA_SUM
#undef __CDP_WMMA_INPUTS
#undef __CDP_WMMA_INPUT

} // namespace wmma
} // namespace nvcuda

#include "cdp/wmma_types.h"

#include "cdp/wmma.h"

#include "cdp/wmma_bits.h"

#include "cdp/show.h"

#endif
