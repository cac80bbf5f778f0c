/* Formats of texels. */
#include "texture/texel.h"

#include <math.h>
#include <string.h>

#include "texture/blend.h"
#include "texture/srgb.h"

/* ---- As they are in memory ---- */

static float half_to_float(uint16_t half)
{
    uint32_t magnitude = half & 0x7fffu, sign = (uint32_t)(half & 0x8000u) << 16;
    if (magnitude < 0x400u) { /* zero and subnormals: units of 2^-24 */
        float value = (float)magnitude * 0x1p-24f;
        return sign != 0 ? -value : value;
    }
    /* Changes the exponent's bias. Infinities and NaN keep an exponent of all ones. */
    uint32_t bits = sign | ((magnitude << 13) + (magnitude < 0x7c00u ? 112u << 23 : 224u << 23));
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The half of a float's bits, toward zero. A NaN keeps the upper bits, of which one must be left.
 */
static uint16_t half_of(uint32_t bits)
{
    uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x7f800000u) {
        uint32_t payload = magnitude >> 13 & 0x3ffu;
        bool is_lost = magnitude > 0x7f800000u && payload == 0;
        return (uint16_t)(sign | 0x7c00u | (is_lost ? 1u : payload));
    }
    if (magnitude >= 0x47800000u) { /* 65536 and more */
        return (uint16_t)(sign | 0x7bffu);
    }
    if (magnitude >= 0x38800000u) {
        return (uint16_t)(sign | (magnitude - 0x38000000u) >> 13);
    }
    float value; /* a subnormal number: units of 2^-24 */
    memcpy(&value, &magnitude, sizeof value);
    return (uint16_t)(sign | (uint32_t)(value * 0x1p24f));
}

static uint32_t read_integer(const struct cdp_format *format, const char *from)
{
    bool is_signed = format->kind == CDP_CHANNEL_SIGNED;
    if (format->bytes == 1) {
        return is_signed ? (uint32_t)(int8_t)*from : (uint8_t)*from;
    }
    uint32_t value = 0;
    memcpy(&value, from, format->bytes);
    return format->bytes == 2 && is_signed ? (uint32_t)(int16_t)value : value;
}

static void read_channel(const struct cdp_format *format, const char *from, int channel,
                         union cdp_texel *out)
{
    if (format->kind != CDP_CHANNEL_FLOAT) {
        out->u[channel] = read_integer(format, from);
    } else if (format->bytes == 2) {
        uint16_t half;
        memcpy(&half, from, sizeof half);
        out->f[channel] = half_to_float(half);
    } else {
        memcpy(&out->f[channel], from, sizeof out->f[channel]);
    }
}

void cdp_texel_read(const struct cdp_format *format, const char *from, union cdp_texel *out)
{
    memset(out, 0, sizeof *out);
    for (int c = 0; c < format->channels; c++) {
        read_channel(format, from + c * format->bytes, c, out);
    }
}

/* A word as an integer of the channel. */
static uint32_t limit_integer(const struct cdp_format *format, uint32_t word)
{
    if (format->kind == CDP_CHANNEL_SIGNED) {
        int32_t high = (int32_t)(UINT32_MAX >> (33 - 8 * format->bytes)), low = -high - 1;
        int32_t value = (int32_t)word;
        return (uint32_t)(value < low ? low : value > high ? high : value);
    }
    uint32_t high = UINT32_MAX >> (32 - 8 * format->bytes);
    return word > high ? high : word;
}

void cdp_texel_write(const struct cdp_format *format, const uint32_t words[4], char *to)
{
    bool is_float = format->kind == CDP_CHANNEL_FLOAT;
    for (int c = 0; c < format->channels; c++) {
        uint32_t word = words[c];
        if (is_float && format->bytes == 2) {
            word = half_of(word);
        } else if (!is_float) {
            word = limit_integer(format, word);
        }
        memcpy(to + c * format->bytes, &word, format->bytes);
    }
}

/* ---- The border ---- */

/* The number that half has, toward zero. */
static float as_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return half_to_float(half_of(bits));
}

/* A normalized integer near the value. Of the value only 4 bits more than those of the integer
 * count, so the limit between two integers is not always in the middle. */
static uint32_t as_normalized(const struct cdp_format *format, float value)
{
    bool is_signed = format->kind == CDP_CHANNEL_SIGNED;
    int bits = format->bytes * 8 - is_signed;
    if (isnan(value) || (!is_signed && value < 0.0f)) {
        return 0;
    }
    uint64_t cut = (uint64_t)ldexpf(fminf(fabsf(value), 1.0f), bits + 4);
    uint64_t most = (UINT64_C(1) << bits) - 1, half = UINT64_C(1) << (bits + 3);
    uint32_t magnitude = (uint32_t)((cut * most + half - 1) >> (bits + 4));
    return value < 0.0f ? 0u - magnitude : magnitude;
}

void cdp_texel_border(const struct cdp_texture *texture, union cdp_texel *out)
{
    const struct cdp_format *format = &texture->format;
    memset(out, 0, sizeof *out);
    for (int c = 0; c < format->channels; c++) {
        const float *border = &texture->sampler.border[c];
        if (!cdp_texel_is_float(texture)) {
            out->u[c] = read_integer(format, (const char *)border);
        } else if (cdp_texel_is_srgb(texture, c)) {
            out->u[c] = cdp_srgb_of(*border > 0 ? fminf(*border, 1.0f) : 0.0f); /* also NaN */
        } else if (format->kind != CDP_CHANNEL_FLOAT) {
            out->u[c] = as_normalized(format, *border);
        } else {
            out->f[c] = format->bytes == 2 ? as_half(*border) : *border;
        }
    }
}

/* ---- What fetches return ---- */

/* Integers of up to 16 bits as [0, 1] or [-1, 1]. */
static float normalize(const struct cdp_texture *texture, uint32_t value, int channel)
{
    unsigned bits = texture->format.bytes * 8u;
    if (texture->format.kind == CDP_CHANNEL_SIGNED) {
        float most = (float)((1u << (bits - 1)) - 1);
        return fmaxf((float)(int32_t)value / most, -1.0f);
    }
    if (cdp_texel_is_srgb(texture, channel)) {
        uint8_t code = (uint8_t)value;
        bool is_fine = texture->format.channels == 4;
        int32_t linear = is_fine ? cdp_srgb_to_linear(code) : cdp_srgb_to_blend(code, code);
        return (float)linear / CDP_SRGB_ONE;
    }
    return (float)value / (float)((1u << bits) - 1);
}

void cdp_texel_finish(const struct cdp_texture *texture, union cdp_texel *texel)
{
    if (texture->format.kind == CDP_CHANNEL_FLOAT || !texture->sampler.normalized_values) {
        return;
    }
    for (int c = 0; c < texture->format.channels; c++) {
        texel->f[c] = normalize(texture, texel->u[c], c);
    }
}

/* A gather makes signed bytes integers of 16 bits, all NaN the same one, and subnormals zero. */
void cdp_texel_gather(const struct cdp_texture *texture, int channel, union cdp_texel *texel)
{
    const struct cdp_format *format = &texture->format;
    if (format->kind == CDP_CHANNEL_FLOAT) {
        float value = texel->f[channel];
        if (isnan(value)) {
            texel->u[channel] = format->bytes == 2 ? CDP_TEXEL_NAN_OF_HALF : CDP_TEXEL_NAN;
        } else if (fpclassify(value) == FP_SUBNORMAL) {
            texel->f[channel] = copysignf(0.0f, value);
        }
    } else if (format->kind == CDP_CHANNEL_SIGNED && format->bytes == 1 &&
               texture->sampler.normalized_values) {
        int32_t sum = (int32_t)texel->u[channel] * CDP_BLEND_ONE;
        texel->f[channel] = (float)cdp_blend_signed_byte(sum) / 32767.0f;
    } else {
        cdp_texel_finish(texture, texel);
    }
}
