/* mma.sp: of each group of elements of A, only half is there, and the metadata says which.
 *
 * The groups are four units of 16 bits (two of them are there), or four units of 8 bits; a tf32 is
 * two units, and two 4-bit integers are one. A's registers have the layout of a matrix with half as
 * many columns (matrix.h). A register of A meets two registers of B, of which the metadata selects
 * the units that belong to A's. What it does not select has no effect, be it infinite. */
#include "matrix.h"

enum : u32 { HALF_UNITS = 16, BYTE_UNITS = 8 };

/* Two bits select each of two units. */
template <class WORD> INTERNAL u32 pick(WORD x, u32 pattern, u32 width)
{
    const u32 mask = (1u << width) - 1;
    return ((u32)(x >> (pattern & 3) * width) & mask) |
           ((u32)(x >> (pattern >> 2 & 3) * width) & mask) << width;
}
INTERNAL u32 picked(u32 low, u32 high, u32 pattern, u32 width)
{
    return width == HALF_UNITS ? pick((u64)high << 32 | low, pattern, width)
                               : pick(low, pattern, width) | pick(high, pattern >> 4, width) << 16;
}

/* The metadata of rows g and g + 8, from COUNT lanes of the group. For units of 16 bits, each lane
 * has 16 bits for both rows; for bytes, 32 bits for one of them in turn. */
template <int COUNT>
INTERNAL void read_patterns(u64 (&patterns)[2], u32 metadata, u32 selector, u32 width)
{
    const u32 first = (__cdp_laneid() & ~3u) + selector * COUNT % 4;
    _Pragma("unroll") for (u32 i = 0; i < COUNT; i++)
    {
        const u32 part = __shfl_sync(ALL_LANES, metadata, (int)(first + i));
        if (width == HALF_UNITS) {
            patterns[0] |= (u64)(part & 0xffff) << 16 * i;
            patterns[1] |= (u64)(part >> 16) << 16 * i;
        } else {
            patterns[i % 2] |= (u64)part << 32 * (i / 2);
        }
    }
}

/* CHUNKS: registers of a row of A that a lane holds. A column of B has twice as many. */
template <u32 WIDTH, class OPERATION, int CHUNKS, class SUM>
INTERNAL void multiply_sparse(SUM (&sums)[4], const u32 (&a)[2 * CHUNKS],
                              const u32 (&b)[2 * CHUNKS], u32 metadata, u32 selector,
                              OPERATION operation)
{
    const u32 group = __cdp_laneid() / 4, place = __cdp_laneid() % 4;
    constexpr u32 pattern_bits = WIDTH == HALF_UNITS ? 4 : 8;
    u32 row[4][2 * CHUNKS], column[2][4][2 * CHUNKS];
    u64 patterns[2] = {};
    read_patterns<CHUNKS * (int)pattern_bits / 4>(patterns, metadata, selector, WIDTH);
    _Pragma("unroll") for (u32 j = 0; j < 4; j++)
    {
        exchange(row[j], a, group * 4 + j);
        exchange(column[0][j], b, place * 8 + j);
        exchange(column[1][j], b, place * 8 + 4 + j);
    }
    _Pragma("unroll") for (int i = 0; i < 4; i++)
    {
        _Pragma("unroll") for (int k = 0; k < CHUNKS * 4; k++)
        {
            const u32(&mine)[4][2 * CHUNKS] = column[i % 2];
            const u32 other =
                picked(mine[2 * k % 4][k / 2], mine[2 * k % 4 + 1][k / 2],
                       (u32)(patterns[i / 2] >> (u32)k * pattern_bits), WIDTH);
            sums[i] = operation.add(sums[i], row[k % 4][i / 2 + 2 * (k / 4)], other);
        }
    }
}

#define SELECTION u32 metadata, u32 selector
#define SPARSE_FLOATS(NAME, WIDTH, A, B, OPERATION, ...)                                           \
    PTX(void, NAME, D4, A, B, C4, SELECTION, ##__VA_ARGS__)                                        \
    {                                                                                              \
        const u32 a[] = {LIST_##A}, b[] = {LIST_##B};                                              \
        float sums[4] = {real(c0), real(c1), real(c2), real(c3)};                                  \
        multiply_sparse<WIDTH, decltype(OPERATION), sizeof a / 8>(sums, a, b, metadata, selector,  \
                                                                  OPERATION);                      \
        STORE4(FLOAT_BITS)                                                                         \
    }
SPARSE_FLOATS(mma_sparse_halves_1, HALF_UNITS, A2, B2, halves{type}, u32 type)
SPARSE_FLOATS(mma_sparse_halves_2, HALF_UNITS, A4, B4, halves{type}, u32 type)
SPARSE_FLOATS(mma_sparse_tf32_1, HALF_UNITS, A2, B2, tf32s{})
SPARSE_FLOATS(mma_sparse_tf32_2, HALF_UNITS, A4, B4, tf32s{})
SPARSE_FLOATS(mma_sparse_fp8, BYTE_UNITS, A4, B4, (fp8s{type_a, type_b}), u32 type_a, u32 type_b)

#define SPARSE_TO_HALF(NAME, A, B)                                                                 \
    PTX(void, NAME, D2, A, B, C2, SELECTION)                                                       \
    {                                                                                              \
        const u32 a[] = {LIST_##A}, b[] = {LIST_##B};                                              \
        float sums[4] = {half_at(c0, 0), half_at(c0, 1), half_at(c1, 0), half_at(c1, 1)};          \
        multiply_sparse<HALF_UNITS, halves, sizeof a / 8>(sums, a, b, metadata, selector,          \
                                                          halves{1});                              \
        *d0 = halves_of(sums[0], sums[1]);                                                         \
        *d1 = halves_of(sums[2], sums[3]);                                                         \
    }
SPARSE_TO_HALF(mma_sparse_to_half_1, A2, B2)
SPARSE_TO_HALF(mma_sparse_to_half_2, A4, B4)

#define INTEGER_BITS(i) integer_sum(sums[i], c##i, saturates)
#define SPARSE_INTEGERS(NAME, BITS, A, B)                                                          \
    PTX(void, NAME, D4, A, B, C4, SELECTION, u32 saturates, u32 type_a, u32 type_b)                \
    {                                                                                              \
        const u32 a[] = {LIST_##A}, b[] = {LIST_##B};                                              \
        s32 sums[4] = {};                                                                          \
        multiply_sparse<BYTE_UNITS, integers<BITS>, sizeof a / 8>(                                 \
            sums, a, b, metadata, selector, integers<BITS>{type_a, type_b});                       \
        STORE4(INTEGER_BITS)                                                                       \
    }
SPARSE_INTEGERS(mma_sparse_bytes_1, 8, A2, B2)
SPARSE_INTEGERS(mma_sparse_bytes_2, 8, A4, B4)
SPARSE_INTEGERS(mma_sparse_nibbles_1, 4, A2, B2)
SPARSE_INTEGERS(mma_sparse_nibbles_2, 4, A4, B4)
