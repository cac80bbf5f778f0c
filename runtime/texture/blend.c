/* The sums of an RTX 3060 and an H200: docs/textures.md has the rules. */
#include "texture/blend.h"

#include <math.h>
#include <string.h>

#include "texture/srgb.h"
#include "texture/texel.h"

/* ---- Floats ---- */

/* Bits of a float without its sign: infinity, and the smallest normal number. */
#define INFINITE 0x7f800000u
#define NORMAL 0x00800000u
#define SIGN 0x80000000u

/* Bits after the point of a sum of planes, where the largest texel of all has one before it. */
#define SUM_BITS 28

/* How many bits count of numbers of one kind. */
struct precision {
    int cut;      /* bits after the point of the largest texel of a plane */
    int bits;     /* of a result's significand */
    int least;    /* the exponent of the smallest normal number */
    uint32_t nan; /* bits of float */
};
static const struct precision of_float = {27, 24, -126, CDP_TEXEL_NAN};
static const struct precision of_half = {14, 11, -14, CDP_TEXEL_NAN_OF_HALF};

static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Of normal numbers, and of all others together. */
static int exponent_of(uint32_t magnitude)
{
    return (int)(magnitude >> 23) - 127;
}

/* The nearest multiple of a unit in the last place, away from zero if two are as near. */
static float round_to(double value, const struct precision *precision)
{
    if (value == 0.0) {
        return 0.0f;
    }
    int exponent = ilogb(value);
    int unit = (exponent < precision->least ? precision->least : exponent) - (precision->bits - 1);
    return (float)(round(value * power_of_two(-unit)) * power_of_two(unit));
}

/* The magnitude of a plane's largest texel. */
static uint32_t largest_of(const struct cdp_blend *blend, unsigned plane, int channel)
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < CDP_BLEND_TEXELS; i++) {
        uint32_t magnitude = blend->texel[plane][i].u[channel] & ~SIGN;
        largest = blend->weight[plane][i] != 0 && magnitude > largest ? magnitude : largest;
    }
    return largest;
}

/* A blend with an infinity or a NaN. */
static void sum_infinite(const struct cdp_blend *blend, const struct precision *precision,
                         int channel, union cdp_texel *out)
{
    float sum = 0.0f;
    for (unsigned p = 0; p < blend->planes; p++) {
        for (unsigned i = 0; i < CDP_BLEND_TEXELS; i++) {
            float value = blend->texel[p][i].f[channel];
            sum += blend->weight[p][i] != 0 && !isfinite(value) ? value : 0.0f;
        }
    }
    out->f[channel] = sum;
    if (isnan(sum)) {
        out->u[channel] = precision->nan;
    }
}

/* A blend of zeros and of subnormal numbers, which are zero: only negative ones give a negative
 * one.
 */
static float sum_zeros(const struct cdp_blend *blend, int channel)
{
    uint32_t signs = SIGN;
    for (unsigned p = 0; p < blend->planes; p++) {
        for (unsigned i = 0; i < CDP_BLEND_TEXELS; i++) {
            signs &= blend->weight[p][i] != 0 ? blend->texel[p][i].u[channel] : SIGN;
        }
    }
    return signs != 0 ? -0.0f : 0.0f;
}

/* The sum of a plane, in 256ths of 2^(exponent of its largest texel - cut). */
static int64_t sum_plane(const struct cdp_blend *blend, unsigned plane, int channel, double scale)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < CDP_BLEND_TEXELS; i++) {
        const union cdp_texel *texel = &blend->texel[plane][i];
        if (blend->weight[plane][i] != 0 && (texel->u[channel] & ~SIGN) >= NORMAL) {
            sum += blend->weight[plane][i] * (int64_t)((double)texel->f[channel] * scale);
        }
    }
    return sum;
}

static int64_t shift_down(int64_t value, int bits)
{
    return bits < 0 ? value * (INT64_C(1) << -bits) : value >> (bits < 63 ? bits : 63);
}

static void sum_floats(const struct cdp_blend *blend, const struct precision *precision,
                       int channel, union cdp_texel *out)
{
    uint32_t largest[CDP_BLEND_PLANES], most = 0;
    for (unsigned p = 0; p < blend->planes; p++) {
        largest[p] = largest_of(blend, p, channel);
        most = largest[p] > most ? largest[p] : most;
    }
    if (most >= INFINITE) {
        sum_infinite(blend, precision, channel, out);
        return;
    }
    if (most < NORMAL) {
        out->f[channel] = sum_zeros(blend, channel);
        return;
    }
    int unit = exponent_of(most) - SUM_BITS;
    int64_t sum = 0; /* in 256ths of 2^unit */
    for (unsigned p = 0; p < blend->planes; p++) {
        int plane_unit = exponent_of(largest[p]) - precision->cut;
        int64_t part = sum_plane(blend, p, channel, power_of_two(-plane_unit));
        sum += shift_down(part, unit - plane_unit);
    }
    float result = round_to((double)sum / CDP_BLEND_ONE * power_of_two(unit), precision);
    out->f[channel] = fpclassify(result) == FP_SUBNORMAL ? copysignf(0.0f, result) : result;
}

/* ---- Normalized integers ---- */

int32_t cdp_blend_signed_byte(int32_t sum)
{
    int32_t result = sum + ((257 * (sum >> 4) + 1024) >> 11);
    return result < -32767 ? -32767 : result;
}

static int32_t weighted(const struct cdp_blend *blend, int channel)
{
    int32_t sum = 0;
    for (unsigned p = 0; p < blend->planes; p++) {
        for (unsigned i = 0; i < CDP_BLEND_TEXELS; i++) {
            if (blend->weight[p][i] != 0) {
                sum += blend->weight[p][i] * (int32_t)blend->texel[p][i].u[channel];
            }
        }
    }
    return sum;
}

/* Integers are blended as integers of 16 bits. */
static float sum_integers(const struct cdp_texture *texture, const struct cdp_blend *blend,
                          int channel)
{
    bool is_signed = texture->format.kind == CDP_CHANNEL_SIGNED,
         is_byte = texture->format.bytes == 1;
    int32_t sum = weighted(blend, channel);
    if (is_signed && is_byte) {
        return (float)cdp_blend_signed_byte(sum) / 32767.0f;
    }
    if (is_byte) {
        sum *= 257;
    }
    int32_t result = (sum + CDP_BLEND_ONE / 2) >> 8;
    if (is_signed) {
        return (float)(result < -32767 ? -32767 : result) / 32767.0f;
    }
    return (float)result / 65535.0f;
}

/* The largest code of a plane. */
static uint8_t largest_code(const struct cdp_blend *blend, unsigned plane, int channel)
{
    uint32_t most = 0;
    for (unsigned i = 0; i < CDP_BLEND_TEXELS; i++) {
        uint32_t code = blend->texel[plane][i].u[channel];
        most = blend->weight[plane][i] != 0 && code > most ? code : most;
    }
    return (uint8_t)most;
}

/* Colors are blended as linear numbers, and their sum is rounded to half. */
static float sum_colors(const struct cdp_blend *blend, int channel)
{
    int64_t sum = 0;
    for (unsigned p = 0; p < blend->planes; p++) {
        uint8_t most = largest_code(blend, p, channel);
        for (unsigned i = 0; i < CDP_BLEND_TEXELS; i++) {
            if (blend->weight[p][i] != 0) {
                uint8_t code = (uint8_t)blend->texel[p][i].u[channel];
                sum += blend->weight[p][i] * cdp_srgb_to_blend(code, most);
            }
        }
    }
    return round_to((double)sum / CDP_BLEND_ONE / CDP_SRGB_ONE, &of_half);
}

void cdp_blend_sum(const struct cdp_texture *texture, const struct cdp_blend *blend,
                   union cdp_texel *out)
{
    const struct cdp_format *format = &texture->format;
    memset(out, 0, sizeof *out);
    for (int c = 0; c < format->channels; c++) {
        if (format->kind == CDP_CHANNEL_FLOAT) {
            sum_floats(blend, format->bytes == 2 ? &of_half : &of_float, c, out);
        } else if (cdp_texel_is_srgb(texture, c)) {
            out->f[c] = sum_colors(blend, c);
        } else {
            out->f[c] = sum_integers(texture, blend, c);
        }
    }
}
