/* Matrix instructions of inline PTX: mma, ldmatrix, stmatrix, movmatrix. */
#include "matrix.h"

/* Sums in float. */
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
#define HALF_SUMS(NAME, A, B)                                                                      \
    PTX(void, NAME, D2, A, B, C2)                                                                  \
    {                                                                                              \
        const u32 a[] = {LIST_##A}, b[] = {LIST_##B};                                              \
        float sums[4] = {half_at(c0, 0), half_at(c0, 1), half_at(c1, 0), half_at(c1, 1)};          \
        multiply<halves, u32, 2, sizeof b / 4>(sums, a, b, halves{1});                             \
        *d0 = halves_of(sums[0], sums[1]);                                                         \
        *d1 = halves_of(sums[2], sums[3]);                                                         \
    }
HALF_SUMS(mma_to_half_1, A2, B1)
HALF_SUMS(mma_to_half_2, A4, B2)

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
PTX(void, mma_double_8, u64 *d0, u64 *d1, u64 a0, u64 b0, u64 c0, u64 c1,
    u32 rounding)
{
    const u64 a[] = {a0}, b[] = {b0};
    double sums[2] = {real(c0), real(c1)};
    multiply<doubles, u64, 1, 1>(sums, a, b, doubles{rounding});
    STORE2(FLOAT_BITS)
}
#define DOUBLE_SUMS(NAME, LIST, CHUNKS, ...)                                                       \
    PTX(void, NAME, u64 *d0, u64 *d1, u64 *d2, u64 *d3, __VA_ARGS__, u64 c0, u64 c1, u64 c2,       \
        u64 c3, u32 rounding)                                                                                    \
    {                                                                                              \
        LIST double sums[4] = {real(c0), real(c1), real(c2), real(c3)};                            \
        multiply<doubles, u64, 2, CHUNKS>(sums, a, b, doubles{rounding});                                  \
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
