/* mma.m8n8k4 of half: four products of matrices of 8 x 4 and 4 x 8 elements.
 *
 * Each is of two groups of four lanes, q and q + 16, which have the numbers 0 to 3 and 4 to 7 here.
 * A row of A that is stored by rows is in the lane of its number. Stored by columns, lane k has
 * column k of the upper rows, lane k + 4 that of the lower ones. Columns of B are like rows of A.
 * Sums of half are rows, too; those of float are spread over the lanes. */
#include "matrix.h"

enum : u32 { ROWS = 1, COLUMNS = 2 };

INTERNAL u64 of_lane(u64 x, u32 number)
{
    const u32 lane = (__cdp_laneid() & 12) | (number & 3) | (number & 4) << 2;
    return __shfl_sync(ALL_LANES, x, (int)lane);
}
INTERNAL float half_of(u64 x, u32 i)
{
    return __half(__half_raw{(u16)(x >> 16 * i)}).__v();
}

/* A row of A, or a column of B. IS_WHOLE: a lane has all of it. */
INTERNAL void read_line(float (&to)[4], u64 x, u32 number, bool is_whole)
{
    const u64 whole = is_whole ? of_lane(x, number) : 0;
    _Pragma("unroll") for (u32 k = 0; k < 4; k++)
    {
        to[k] = is_whole ? half_of(whole, k)
                         : half_of(of_lane(x, (number & 4) + k), number & 3);
    }
}
INTERNAL float sum_of(float sum, const float (&row)[4], const float (&column)[4])
{
    _Pragma("unroll") for (u32 k = 0; k < 4; k++)
    {
        sum += row[k] * column[k];
    }
    return sum;
}

/* One matrix product of four registers of halves, and sums. */
struct quads {
    u64 a, b;
    u32 layout_a, layout_b;

    MEMBER void row(float (&to)[4], u32 number) const
    {
        read_line(to, a, number, layout_a == ROWS);
    }
    MEMBER void column(float (&to)[4], u32 number) const
    {
        read_line(to, b, number, layout_b == COLUMNS);
    }
    /* Sums of float: two rows, and four columns. */
    MEMBER void multiply(float (&sums)[8]) const
    {
        float rows[2][4], columns[4][4];
        const u32 lane = __cdp_laneid();
        _Pragma("unroll") for (u32 i = 0; i < 4; i++)
        {
            column(columns[i], (i & 2) * 2 + (lane & 2) + (i & 1));
        }
        row(rows[0], (lane & 1) + lane / 16 * 4);
        row(rows[1], (lane & 1) + lane / 16 * 4 + 2);
        _Pragma("unroll") for (u32 i = 0; i < 8; i++)
        {
            sums[i] = sum_of(sums[i], rows[i >> 1 & 1], columns[(i >> 1 & 2) + (i & 1)]);
        }
    }
};

#define QUADS u32 a0, u32 a1, u32 b0, u32 b1
#define LAYOUTS u32 layout_a, u32 layout_b
#define THE_QUADS (quads{(u64)a1 << 32 | a0, (u64)b1 << 32 | b0, layout_a, layout_b})
#define D8 D4, u32 *d4, u32 *d5, u32 *d6, u32 *d7
#define STORE8                                                                                     \
    STORE4(FLOAT_BITS)                                                                             \
    *d4 = FLOAT_BITS(4), *d5 = FLOAT_BITS(5), *d6 = FLOAT_BITS(6), *d7 = FLOAT_BITS(7);

PTX(void, mma_quads, D8, QUADS, C4, u32 c4, u32 c5, u32 c6, u32 c7, LAYOUTS)
{
    float sums[8] = {real(c0), real(c1), real(c2), real(c3), real(c4), real(c5), real(c6), real(c7)};
    THE_QUADS.multiply(sums);
    STORE8
}
PTX(void, mma_quads_of_half, D8, QUADS, C4, LAYOUTS)
{
    const u32 lane = __cdp_laneid(), first = (lane & 1) + lane / 16 * 4;
    float sums[8];
    _Pragma("unroll") for (u32 i = 0; i < 8; i += 4)
    {
        const u64 both = i == 0 ? (u64)c1 << 32 | c0 : (u64)c3 << 32 | c2;
        const u64 upper = of_lane(both, first), lower = of_lane(both, first + 2);
        sums[i] = half_of(upper, lane & 2);
        sums[i + 1] = half_of(upper, (lane & 2) + 1);
        sums[i + 2] = half_of(lower, lane & 2);
        sums[i + 3] = half_of(lower, (lane & 2) + 1);
    }
    THE_QUADS.multiply(sums);
    STORE8
}
PTX(void, mma_quads_to_half, D4, QUADS, C4, LAYOUTS)
{
    const struct quads product = THE_QUADS;
    const u32 lane = __cdp_laneid(), c[] = {c0, c1, c2, c3};
    u32 *const d[] = {d0, d1, d2, d3};
    float row[4], column[2][4];
    product.row(row, (lane & 3) + lane / 16 * 4);
    _Pragma("unroll") for (u32 i = 0; i < 4; i++)
    {
        product.column(column[0], 2 * i);
        product.column(column[1], 2 * i + 1);
        *d[i] = halves_of(sum_of(half_at(c[i], 0), row, column[0]),
                          sum_of(half_at(c[i], 1), row, column[1]));
    }
}
