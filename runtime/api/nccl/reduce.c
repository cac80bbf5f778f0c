/* Reductions, tile by tile: a tile of the result is computed in a buffer that stays in the first
 * cache, and is then stored at all targets. So a target may be an operand.
 *
 * Loops over the elements of a tile have no branches, so that the compiler makes vectors of them.
 */
#include "api/nccl/reduce.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "mem/copy.h"

enum { TILE = 2048 }; /* elements */

size_t cdp_nccl_type_size(ncclDataType_t type)
{
    switch (type) {
    case ncclInt8:
    case ncclUint8:
    case ncclFloat8e4m3:
    case ncclFloat8e5m2:
        return 1;
    case ncclFloat16:
    case ncclBfloat16:
        return 2;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
        return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
        return 8;
    case ncclNumTypes:
        break;
    }
    return 0;
}

const char *cdp_nccl_type_name(ncclDataType_t type)
{
    static const char *const names[] = {"ncclInt8",     "ncclUint8",      "ncclInt32",
                                        "ncclUint32",   "ncclInt64",      "ncclUint64",
                                        "ncclFloat16",  "ncclFloat32",    "ncclFloat64",
                                        "ncclBfloat16", "ncclFloat8e4m3", "ncclFloat8e5m2"};
    return (unsigned)type < ncclNumTypes ? names[type] : "an unknown type";
}

/* ---- Small floating point ---- */

/* A format with an exponent of that width and bias, and whether its largest exponent has numbers
 * (e4m3) instead of infinities. */
struct format {
    unsigned mantissa, bias;
    uint32_t largest, nan; /* the bits of the largest finite number, and of the NaN */
    bool has_infinity;
    unsigned sign; /* the number of its bit */
};
static const struct format half = {10, 15, 0x7bff, 0x7fff, true, 15};
static const struct format e5m2 = {2, 15, 0x7b, 0x7f, true, 7};
static const struct format e4m3 = {3, 7, 0x7e, 0x7f, false, 7};

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Multiplying by a power of two moves the exponent, and is exact also
 * for subnormal numbers. */
static inline float widen(uint32_t small, const struct format *format)
{
    uint32_t sign = small >> format->sign, magnitude = small & ~(~0U << format->sign);
    float scaled = float_of_bits(magnitude << (23 - format->mantissa)) *
                   float_of_bits((254 - format->bias) << 23);
    uint32_t bits = bits_of_float(scaled);
    uint32_t exponent_end = format->has_infinity ? format->largest + 1 : format->nan;
    uint32_t special = 0x7f800000 | (magnitude - exponent_end) << (23 - format->mantissa);
    special |= format->has_infinity ? 0 : 0x400000;
    return float_of_bits((magnitude >= exponent_end ? special : bits) | sign << 31);
}

/* Rounds to nearest, ties to even. What is too large becomes an infinity; formats of 8 bits keep
 * the largest number, as NVIDIA's conversions do. */
static inline uint32_t narrow(float value, const struct format *format, bool saturates)
{
    uint32_t bits = bits_of_float(value) & 0x7fffffff;
    unsigned shift = 23 - format->mantissa;
    /* Adding this power of two leaves a subnormal result, rounded, in the lowest bits. */
    float magic = float_of_bits((127 + shift - format->bias + 1) << 23);
    uint32_t small = bits_of_float(float_of_bits(bits) + magic) - bits_of_float(magic);
    uint32_t odd = bits >> shift & 1;
    uint32_t normal = (bits + ((uint32_t)1 << (shift - 1)) - 1 + odd) >> shift;
    normal -= (127 - format->bias) << format->mantissa;
    uint32_t result = bits < (128 - format->bias) << 23 ? small : normal;
    uint32_t above = saturates ? format->largest : format->largest + 1;
    result = bits >= 0x7f800000 || result > format->largest ? above : result;
    uint32_t sign = bits_of_float(value) >> 31 << format->sign;
    return bits > 0x7f800000 ? format->nan : result | sign;
}

static float of_half(uint16_t x)
{
    return widen(x, &half);
}
static uint16_t to_half(float x)
{
    return (uint16_t)narrow(x, &half, false);
}
static float of_e4m3(uint8_t x)
{
    return widen(x, &e4m3);
}
static uint8_t to_e4m3(float x)
{
    return (uint8_t)narrow(x, &e4m3, true);
}
static float of_e5m2(uint8_t x)
{
    return widen(x, &e5m2);
}
static uint8_t to_e5m2(float x)
{
    return (uint8_t)narrow(x, &e5m2, true);
}
static float of_bfloat(uint16_t x)
{
    return float_of_bits((uint32_t)x << 16);
}
static uint16_t to_bfloat(float x)
{
    uint32_t bits = bits_of_float(x);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded);
}

/* ---- All types ---- */

#define SAME(x) (x)
/* The other operand if one is a NaN, as for fminf. */
#define LESS_FLOAT(a, b) ((a) < (b) || (b) != (b) ? (a) : (b))
#define MORE_FLOAT(a, b) ((a) > (b) || (b) != (b) ? (a) : (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define MORE(a, b) ((a) > (b) ? (a) : (b))

/* Integers wrap: their sums and products are those of the unsigned type Wide. */
#define FOR_TILE for (size_t i = 0; i < n; i++)
#define DEFINE(name, Type, Sum, Wide, Quotient, OF, TO, MIN, MAX)                                  \
    typedef Type element_##name;                                                                   \
    typedef Sum sum_##name;                                                                        \
    typedef Wide wide_##name;                                                                      \
    typedef Quotient quotient_##name;                                                              \
    static void start_##name(sum_##name *acc, const element_##name *from, size_t n)                \
    {                                                                                              \
        FOR_TILE acc[i] = (sum_##name)OF(from[i]);                                                 \
    }                                                                                              \
    static void scale_##name(sum_##name *acc, const element_##name *from, sum_##name by,           \
                             bool starts, size_t n)                                                \
    {                                                                                              \
        FOR_TILE                                                                                   \
        {                                                                                          \
            sum_##name product =                                                                   \
                (sum_##name)((wide_##name)(sum_##name)OF(from[i]) * (wide_##name)by);              \
            acc[i] = starts ? product : (sum_##name)((wide_##name)acc[i] + (wide_##name)product);  \
        }                                                                                          \
    }                                                                                              \
    static void add_##name(sum_##name *acc, const element_##name *from, size_t n)                  \
    {                                                                                              \
        FOR_TILE acc[i] =                                                                          \
            (sum_##name)((wide_##name)acc[i] + (wide_##name)(sum_##name)OF(from[i]));              \
    }                                                                                              \
    static void multiply_##name(sum_##name *acc, const element_##name *from, size_t n)             \
    {                                                                                              \
        FOR_TILE acc[i] =                                                                          \
            (sum_##name)((wide_##name)acc[i] * (wide_##name)(sum_##name)OF(from[i]));              \
    }                                                                                              \
    static void less_##name(sum_##name *acc, const element_##name *from, size_t n)                 \
    {                                                                                              \
        FOR_TILE                                                                                   \
        {                                                                                          \
            sum_##name other = (sum_##name)OF(from[i]);                                            \
            acc[i] = MIN(acc[i], other);                                                           \
        }                                                                                          \
    }                                                                                              \
    static void more_##name(sum_##name *acc, const element_##name *from, size_t n)                 \
    {                                                                                              \
        FOR_TILE                                                                                   \
        {                                                                                          \
            sum_##name other = (sum_##name)OF(from[i]);                                            \
            acc[i] = MAX(acc[i], other);                                                           \
        }                                                                                          \
    }                                                                                              \
    static void end_##name(element_##name *to, sum_##name *acc, int divisor, size_t n)             \
    {                                                                                              \
        if (divisor > 1) {                                                                         \
            FOR_TILE acc[i] = (sum_##name)(acc[i] / (quotient_##name)divisor);                     \
        }                                                                                          \
        FOR_TILE to[i] = (element_##name)TO(acc[i]);                                               \
    }                                                                                              \
    static void combine_##name(int op, sum_##name *acc, const element_##name *from, size_t n)      \
    {                                                                                              \
        switch (op) {                                                                              \
        case ncclProd:                                                                             \
            multiply_##name(acc, from, n);                                                         \
            break;                                                                                 \
        case ncclMin:                                                                              \
            less_##name(acc, from, n);                                                             \
            break;                                                                                 \
        case ncclMax:                                                                              \
            more_##name(acc, from, n);                                                             \
            break;                                                                                 \
        default:                                                                                   \
            add_##name(acc, from, n);                                                              \
        }                                                                                          \
    }                                                                                              \
    static void tile_##name(const struct cdp_nccl_reduction *reduction,                            \
                            const struct cdp_nccl_operand *operands, int count, size_t at,         \
                            void *to, size_t n)                                                    \
    {                                                                                              \
        sum_##name acc[TILE];                                                                      \
        for (int k = 0; k < count; k++) {                                                          \
            const element_##name *from =                                                           \
                (const element_##name *)(const void *)operands[k].from + at;                       \
            if (reduction->op == CDP_NCCL_PRE_MUL_SUM) {                                           \
                sum_##name by = (sum_##name)OF(*(const element_##name *)operands[k].scale);        \
                scale_##name(acc, from, by, k == 0, n);                                            \
            } else if (k == 0) {                                                                   \
                start_##name(acc, from, n);                                                        \
            } else {                                                                               \
                combine_##name(reduction->op, acc, from, n);                                       \
            }                                                                                      \
        }                                                                                          \
        end_##name(to, acc, reduction->op == ncclAvg ? reduction->ranks : 1, n);                   \
    }

DEFINE(int8, int8_t, int8_t, unsigned, int, SAME, SAME, LESS, MORE)
DEFINE(uint8, uint8_t, uint8_t, unsigned, int, SAME, SAME, LESS, MORE)
DEFINE(int32, int32_t, int32_t, uint32_t, int, SAME, SAME, LESS, MORE)
DEFINE(uint32, uint32_t, uint32_t, uint32_t, uint32_t, SAME, SAME, LESS, MORE)
DEFINE(int64, int64_t, int64_t, uint64_t, int64_t, SAME, SAME, LESS, MORE)
DEFINE(uint64, uint64_t, uint64_t, uint64_t, uint64_t, SAME, SAME, LESS, MORE)
DEFINE(float32, float, float, float, float, SAME, SAME, LESS_FLOAT, MORE_FLOAT)
DEFINE(float64, double, double, double, double, SAME, SAME, LESS_FLOAT, MORE_FLOAT)
DEFINE(float16, uint16_t, float, float, float, of_half, to_half, LESS_FLOAT, MORE_FLOAT)
DEFINE(bfloat16, uint16_t, float, float, float, of_bfloat, to_bfloat, LESS_FLOAT, MORE_FLOAT)
DEFINE(e4m3, uint8_t, float, float, float, of_e4m3, to_e4m3, LESS_FLOAT, MORE_FLOAT)
DEFINE(e5m2, uint8_t, float, float, float, of_e5m2, to_e5m2, LESS_FLOAT, MORE_FLOAT)

typedef void tile_of_type(const struct cdp_nccl_reduction *reduction,
                          const struct cdp_nccl_operand *operands, int count, size_t at, void *to,
                          size_t n);
static tile_of_type *const tiles[] = {
    [ncclInt8] = tile_int8,         [ncclUint8] = tile_uint8,     [ncclInt32] = tile_int32,
    [ncclUint32] = tile_uint32,     [ncclInt64] = tile_int64,     [ncclUint64] = tile_uint64,
    [ncclFloat16] = tile_float16,   [ncclFloat32] = tile_float32, [ncclFloat64] = tile_float64,
    [ncclBfloat16] = tile_bfloat16, [ncclFloat8e4m3] = tile_e4m3, [ncclFloat8e5m2] = tile_e5m2,
};

static void reduce(const struct cdp_nccl_move *move, size_t first, size_t count, size_t whole)
{
    size_t size = cdp_nccl_type_size(move->reduction.type);
    _Alignas(64) char result[TILE * sizeof(uint64_t)];
    for (size_t at = first; at < first + count; at += TILE) {
        size_t n = first + count - at < TILE ? first + count - at : TILE;
        tiles[move->reduction.type](&move->reduction, move->operands, move->operand_count,
                                    move->from_at + at, result, n);
        for (int k = 0; k < move->target_count; k++) {
            cdp_copy_bytes(move->targets[k] + (move->to_at + at) * size, result, n * size, whole);
        }
    }
}

void cdp_nccl_move(const struct cdp_nccl_move *move, size_t first, size_t count, size_t whole)
{
    if (move->combines) {
        reduce(move, first, count, whole);
        return;
    }
    size_t size = cdp_nccl_type_size(move->reduction.type);
    const char *from = move->operands[0].from + (move->from_at + first) * size;
    for (int k = 0; k < move->target_count; k++) {
        char *to = move->targets[k] + (move->to_at + first) * size;
        if (to != from) {
            cdp_copy_bytes(to, from, count * size, whole);
        }
    }
}
