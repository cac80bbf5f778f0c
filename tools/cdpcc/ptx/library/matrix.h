/* Fragments of matrices, as mma has them in its registers.
 *
 * All fragments of 32-bit registers have one layout, whatever their elements. With g = lane / 4 and
 * t = lane % 4, a register of A belongs to row g or g + 8, and to register t, t + 4, ... of this
 * row; one of B to column g in the same way. A lane holds the sums of rows g and g + 8 in columns
 * 2t and 2t + 1. So it gets its rows from the lanes of its own group, and its columns from two
 * groups.
 *
 * Products of floats are added in the order of k in float, as in cdp/wmma.h; a GPU adds several at
 * a time and rounds otherwise. Sums of integers are exact. */
#ifndef CDPCC_PTX_MATRIX_H
#define CDPCC_PTX_MATRIX_H
#include "ptx/library/library.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

enum : u32 { ALL_LANES = 0xffffffff };

/* The registers of another lane, two by two. */
template <int N> INTERNAL void exchange(u32 (&to)[N], const u32 (&from)[N], u32 lane)
{
    _Pragma("unroll") for (int i = 0; i + 1 < N; i += 2)
    {
        const u64 both = __shfl_sync(ALL_LANES, (u64)from[i + 1] << 32 | from[i], (int)lane);
        to[i] = (u32)both;
        to[i + 1] = (u32)(both >> 32);
    }
    if (N % 2 == 1) {
        to[N - 1] = __shfl_sync(ALL_LANES, from[N - 1], (int)lane);
    }
}
template <int N> INTERNAL void exchange(u64 (&to)[N], const u64 (&from)[N], u32 lane)
{
    _Pragma("unroll") for (int i = 0; i < N; i++)
    {
        to[i] = __shfl_sync(ALL_LANES, from[i], (int)lane);
    }
}

/* The sums of a lane: ROWS rows and two columns. CHUNKS: registers of a row that a lane holds. */
template <class OPERATION, class REGISTER, int ROWS, int CHUNKS, class SUM>
INTERNAL void multiply(SUM (&sums)[ROWS * 2], const REGISTER (&a)[ROWS * CHUNKS],
                       const REGISTER (&b)[CHUNKS], OPERATION operation)
{
    const u32 group = __cdp_laneid() / 4, place = __cdp_laneid() % 4;
    REGISTER row[4][ROWS * CHUNKS], column[2][4][CHUNKS];
    _Pragma("unroll") for (u32 j = 0; j < 4; j++)
    {
        exchange(row[j], a, group * 4 + j);
        exchange(column[0][j], b, place * 8 + j);
        exchange(column[1][j], b, place * 8 + 4 + j);
    }
    _Pragma("unroll") for (int i = 0; i < ROWS * 2; i++)
    {
        SUM sum = sums[i];
        _Pragma("unroll") for (int k = 0; k < CHUNKS * 4; k++)
        {
            const int chunk = k / 4;
            sum = operation.add(sum, row[k % 4][i / 2 + ROWS * chunk], column[i % 2][k % 4][chunk]);
        }
        sums[i] = sum;
    }
}

/* ---- what is in a register ---- */

struct halves {
    u32 type; /* f16, bf16 */
    __device__ __attribute__((__always_inline__)) float value(u32 x) const
    {
        return type == 1 ? __half(__half_raw{(u16)x}).__v() : real(x << 16);
    }
    __device__ __attribute__((__always_inline__)) float add(float sum, u32 a, u32 b) const
    {
        sum += value(a) * value(b);
        return sum + value(a >> 16) * value(b >> 16);
    }
};
struct tf32s {
    __device__ __attribute__((__always_inline__)) float add(float sum, u32 a, u32 b) const
    {
        return sum + real(a & 0xffffe000) * real(b & 0xffffe000);
    }
};
struct fp8s {
    u32 type_a, type_b; /* e4m3, e5m2 */
    __device__ __attribute__((__always_inline__)) static float value(u32 x, u32 type)
    {
        return type == 1 ? __cdp_e4m3_value(x & 0xff) : __cdp_e5m2_value(x & 0xff);
    }
    __device__ __attribute__((__always_inline__)) float add(float sum, u32 a, u32 b) const
    {
        _Pragma("unroll") for (int i = 0; i < 32; i += 8)
        {
            sum += value(a >> i, type_a) * value(b >> i, type_b);
        }
        return sum;
    }
};
struct doubles {
    u32 rounding; /* as in ROUNDING; 0 is to the nearest, too */
    __device__ __attribute__((__always_inline__)) double add(double sum, u64 a, u64 b) const
    {
        return rounding <= NEAREST ? __builtin_fma(real(a), real(b), sum)
                                   : __cdp_fma(real(a), real(b), sum, direction(rounding));
    }
};
/* Elements of BITS bits: unsigned, signed. */
template <int BITS> struct integers {
    u32 type_a, type_b;
    __device__ __attribute__((__always_inline__)) static s32 value(u32 x, int at, u32 type)
    {
        const u32 top = x << (32 - BITS - at);
        return type == 2 ? (s32)top >> (32 - BITS) : (s32)(top >> (32 - BITS));
    }
    __device__ __attribute__((__always_inline__)) s32 add(s32 sum, u32 a, u32 b) const
    {
        _Pragma("unroll") for (int i = 0; i < 32; i += BITS)
        {
            sum += value(a, i, type_a) * value(b, i, type_b);
        }
        return sum;
    }
};
struct single_bits {
    u32 operation; /* xor, and */
    __device__ __attribute__((__always_inline__)) s32 add(s32 sum, u32 a, u32 b) const
    {
        return sum + __popc(operation == 1 ? a ^ b : a & b);
    }
};

INTERNAL float half_at(u32 x, int i)
{
    return __half(__half_raw{(u16)(x >> 16 * i)}).__v();
}
INTERNAL u32 halves_of(float low, float high)
{
    return __half(low).__x | (u32)__half(high).__x << 16;
}

/* The sum of the products is exact; c is added last, and may saturate. */
INTERNAL u32 integer_sum(s32 sum, u32 c, u32 saturates)
{
    const s64 exact = (s64)sum + (s32)c;
    return saturates == 0          ? (u32)exact
           : exact > 0x7fffffff    ? 0x7fffffff
           : exact < -0x80000000ll ? 0x80000000
                                   : (u32)exact;
}

/* ---- instructions ---- */

/* Results and operands of 32-bit registers. COUNT is that of the results. */
#define D2 u32 *d0, u32 *d1
#define D4 D2, u32 *d2, u32 *d3
#define C2 u32 c0, u32 c1
#define C4 C2, u32 c2, u32 c3
#define A1 u32 a0
#define A2 A1, u32 a1
#define A4 A2, u32 a2, u32 a3
#define B1 u32 b0
#define B2 B1, u32 b1
#define B4 B2, u32 b2, u32 b3
#define LIST_A1 a0
#define LIST_A2 a0, a1
#define LIST_A4 a0, a1, a2, a3
#define LIST_B1 b0
#define LIST_B2 b0, b1
#define LIST_B4 b0, b1, b2, b3
#define LIST_C2 c0, c1
#define LIST_C4 c0, c1, c2, c3
#define STORE2(X)                                                                                  \
    *d0 = X(0);                                                                                    \
    *d1 = X(1);
#define STORE4(X)                                                                                  \
    STORE2(X)                                                                                      \
    *d2 = X(2);                                                                                    \
    *d3 = X(3);
#define FLOAT_BITS(i) bits(sums[i])

#endif
