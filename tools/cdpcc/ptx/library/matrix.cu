/* Matrix instructions of inline PTX: mma, ldmatrix, stmatrix, movmatrix.
 *
 * All fragments of 32-bit registers have one layout, whatever their elements. With g = lane / 4 and
 * t = lane % 4, a register of A belongs to row g or g + 8, and to register t, t + 4, ... of this
 * row; one of B to column g in the same way. A lane holds the sums of rows g and g + 8 in columns
 * 2t and 2t + 1. So it gets its rows from the lanes of its own group, and its columns from two
 * groups.
 *
 * Products of floats are added in the order of k in float, as in cdp/wmma.h; a GPU adds several at
 * a time and rounds otherwise. Sums of integers are exact. */
#include "library.h"

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
    __device__ __attribute__((__always_inline__)) double add(double sum, u64 a, u64 b) const
    {
        return __builtin_fma(real(a), real(b), sum);
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
#define LIST_A1 a0
#define LIST_A2 a0, a1
#define LIST_A4 a0, a1, a2, a3
#define LIST_B1 b0
#define LIST_B2 b0, b1
#define LIST_C2 c0, c1
#define LIST_C4 c0, c1, c2, c3
#define STORE2(X)                                                                                  \
    *d0 = X(0);                                                                                    \
    *d1 = X(1);
#define STORE4(X)                                                                                  \
    STORE2(X)                                                                                      \
    *d2 = X(2);                                                                                    \
    *d3 = X(3);

/* Sums in float. */
#define FLOAT_BITS(i) bits(sums[i])
#define FLOAT_SUMS(NAME, A, B, OPERATION, ...)                                                     \
    PTX(void, NAME, D4, A, B, C4, __VA_ARGS__)                                                     \
    {                                                                                              \
        const u32 a[] = {LIST_##A}, b[] = {LIST_##B};                                              \
        float sums[4] = {real(c0), real(c1), real(c2), real(c3)};                                  \
        multiply<decltype(OPERATION), u32, 2, sizeof b / 4>(sums, a, b, OPERATION);                \
        STORE4(FLOAT_BITS)                                                                         \
    }
FLOAT_SUMS(mma_halves_1, A2, B1, halves{type}, u32 type)
FLOAT_SUMS(mma_halves_2, A4, B2, halves{type}, u32 type)
FLOAT_SUMS(mma_tf32_1, A2, B1, tf32s{}, u32)
FLOAT_SUMS(mma_tf32_2, A4, B2, tf32s{}, u32)
FLOAT_SUMS(mma_fp8, A4, B2, (fp8s{type_a, type_b}), u32 type_a, u32 type_b)

/* Sums in float, between accumulators of half. */
INTERNAL float half_at(u32 x, int i)
{
    return __half(__half_raw{(u16)(x >> 16 * i)}).__v();
}
#define HALF_SUMS(NAME, A, B)                                                                      \
    PTX(void, NAME, D2, A, B, C2)                                                                  \
    {                                                                                              \
        const u32 a[] = {LIST_##A}, b[] = {LIST_##B};                                              \
        float sums[4] = {half_at(c0, 0), half_at(c0, 1), half_at(c1, 0), half_at(c1, 1)};          \
        multiply<halves, u32, 2, sizeof b / 4>(sums, a, b, halves{1});                             \
        *d0 = __half(sums[0]).__x | (u32)__half(sums[1]).__x << 16;                                \
        *d1 = __half(sums[2]).__x | (u32)__half(sums[3]).__x << 16;                                \
    }
HALF_SUMS(mma_to_half_1, A2, B1)
HALF_SUMS(mma_to_half_2, A4, B2)

/* The sum of the products is exact; c is added last, and may saturate. */
INTERNAL u32 integer_sum(s32 sum, u32 c, u32 saturates)
{
    const s64 exact = (s64)sum + (s32)c;
    return saturates == 0          ? (u32)exact
           : exact > 0x7fffffff    ? 0x7fffffff
           : exact < -0x80000000ll ? 0x80000000
                                   : (u32)exact;
}
#define INTEGER_BITS(i) integer_sum(sums[i], c##i, saturates)
#define INTEGER_SUMS(NAME, COUNT, A, B, OPERATION, ...)                                            \
    PTX(void, NAME, D##COUNT, A, B, C##COUNT, __VA_ARGS__)                                         \
    {                                                                                              \
        const u32 a[] = {LIST_##A}, b[] = {LIST_##B};                                              \
        s32 sums[COUNT] = {};                                                                      \
        multiply<decltype(OPERATION), u32, COUNT / 2, sizeof b / 4>(sums, a, b, OPERATION);        \
        STORE##COUNT(INTEGER_BITS)                                                                 \
    }
#define MODIFIERS u32 saturates, u32 type_a, u32 type_b
INTEGER_SUMS(mma_bytes_8, 2, A1, B1, (integers<8>{type_a, type_b}), MODIFIERS)
INTEGER_SUMS(mma_bytes_1, 4, A2, B1, (integers<8>{type_a, type_b}), MODIFIERS)
INTEGER_SUMS(mma_bytes_2, 4, A4, B2, (integers<8>{type_a, type_b}), MODIFIERS)
INTEGER_SUMS(mma_nibbles_8, 2, A1, B1, (integers<4>{type_a, type_b}), MODIFIERS)
INTEGER_SUMS(mma_nibbles_1, 4, A2, B1, (integers<4>{type_a, type_b}), MODIFIERS)
INTEGER_SUMS(mma_nibbles_2, 4, A4, B2, (integers<4>{type_a, type_b}), MODIFIERS)
#undef INTEGER_BITS
#define INTEGER_BITS(i) integer_sum(sums[i], c##i, 0)
INTEGER_SUMS(mma_bits_8, 2, A1, B1, single_bits{operation}, u32 operation)
INTEGER_SUMS(mma_bits_1, 4, A2, B1, single_bits{operation}, u32 operation)
INTEGER_SUMS(mma_bits_2, 4, A4, B2, single_bits{operation}, u32 operation)

/* Registers of 64 bits. */
PTX(void, mma_double_8, u64 *d0, u64 *d1, u64 a0, u64 b0, u64 c0, u64 c1)
{
    const u64 a[] = {a0}, b[] = {b0};
    double sums[2] = {real(c0), real(c1)};
    multiply<doubles, u64, 1, 1>(sums, a, b, doubles{});
    STORE2(FLOAT_BITS)
}
#define DOUBLE_SUMS(NAME, LIST, CHUNKS, ...)                                                       \
    PTX(void, NAME, u64 *d0, u64 *d1, u64 *d2, u64 *d3, __VA_ARGS__, u64 c0, u64 c1, u64 c2,       \
        u64 c3)                                                                                    \
    {                                                                                              \
        LIST double sums[4] = {real(c0), real(c1), real(c2), real(c3)};                            \
        multiply<doubles, u64, 2, CHUNKS>(sums, a, b, doubles{});                                  \
        STORE4(FLOAT_BITS)                                                                         \
    }
#define LISTS_1 const u64 a[] = {a0, a1}, b[] = {b0};
#define LISTS_2 const u64 a[] = {a0, a1, a2, a3}, b[] = {b0, b1};
#define LISTS_4 const u64 a[] = {a0, a1, a2, a3, a4, a5, a6, a7}, b[] = {b0, b1, b2, b3};
DOUBLE_SUMS(mma_double_1, LISTS_1, 1, u64 a0, u64 a1, u64 b0)
DOUBLE_SUMS(mma_double_2, LISTS_2, 2, u64 a0, u64 a1, u64 a2, u64 a3, u64 b0, u64 b1)
DOUBLE_SUMS(mma_double_4, LISTS_4, 4, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5, u64 a6,
            u64 a7, u64 b0, u64 b1, u64 b2, u64 b3)

/* ---- matrices of 8 x 8 elements of 16 bits ---- */

/* Where a lane finds a row whose address is in another lane. The exchange also waits for the other
 * lanes' stores. */
INTERNAL u8 *row_of(void *p, u32 lane)
{
    return (u8 *)__shfl_sync(ALL_LANES, (u64)p, (int)lane);
}
INTERNAL u32 load_matrix(void *p, u32 matrix, u32 transposes)
{
    const u32 group = __cdp_laneid() / 4, place = __cdp_laneid() % 4;
    if (transposes == 0) {
        return *(const u32 *)(row_of(p, matrix * 8 + group) + place * 4);
    }
    const u8 *const first = row_of(p, matrix * 8 + place * 2);
    const u8 *const second = row_of(p, matrix * 8 + place * 2 + 1);
    return *(const u16 *)(first + group * 2) | (u32) * (const u16 *)(second + group * 2) << 16;
}
INTERNAL void store_matrix(void *p, u32 matrix, u32 value, u32 transposes)
{
    const u32 group = __cdp_laneid() / 4, place = __cdp_laneid() % 4;
    if (transposes == 0) {
        *(u32 *)(row_of(p, matrix * 8 + group) + place * 4) = value;
        return;
    }
    u8 *const first = row_of(p, matrix * 8 + place * 2);
    u8 *const second = row_of(p, matrix * 8 + place * 2 + 1);
    *(u16 *)(first + group * 2) = (u16)value;
    *(u16 *)(second + group * 2) = (u16)(value >> 16);
}
PTX(u32, ldmatrix1, void *p, u32 transposes)
{
    return load_matrix(p, 0, transposes);
}
PTX(void, ldmatrix2, D2, void *p, u32 transposes)
{
    *d0 = load_matrix(p, 0, transposes);
    *d1 = load_matrix(p, 1, transposes);
}
PTX(void, ldmatrix4, D4, void *p, u32 transposes)
{
    *d0 = load_matrix(p, 0, transposes);
    *d1 = load_matrix(p, 1, transposes);
    *d2 = load_matrix(p, 2, transposes);
    *d3 = load_matrix(p, 3, transposes);
}
PTX(void, stmatrix1, void *p, A1, u32 transposes)
{
    store_matrix(p, 0, a0, transposes);
}
PTX(void, stmatrix2, void *p, A2, u32 transposes)
{
    store_matrix(p, 0, a0, transposes);
    store_matrix(p, 1, a1, transposes);
}
PTX(void, stmatrix4, void *p, A4, u32 transposes)
{
    store_matrix(p, 0, a0, transposes);
    store_matrix(p, 1, a1, transposes);
    store_matrix(p, 2, a2, transposes);
    store_matrix(p, 3, a3, transposes);
}
PTX(u32, movmatrix, u32 x)
{
    const u32 group = __cdp_laneid() / 4, place = __cdp_laneid() % 4;
    const u32 shift = group % 2 * 16;
    const u32 first = __shfl_sync(ALL_LANES, x, (int)(place * 8 + group / 2));
    const u32 second = __shfl_sync(ALL_LANES, x, (int)(place * 8 + 4 + group / 2));
    return (first >> shift & 0xffff) | second >> shift << 16;
}
