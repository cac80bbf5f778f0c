/* Reading textures. */
#include <math.h>
#include <string.h>

#include "texture/image.h"

/* Bits after the point in a filter's weights. */
#define FRACTION 256
/* Bits after the point in a normalized coordinate. */
#define NORMALIZED_FRACTION 0x1p21

/* ---- Texels ---- */

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

static float srgb_to_linear(float value)
{
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

/* Integers of up to 16 bits as [0, 1] or [-1, 1]. */
static float normalize(const struct cdp_texture *texture, uint32_t value, int channel)
{
    unsigned bits = texture->format.bytes * 8u;
    if (texture->format.kind == CDP_CHANNEL_SIGNED) {
        float most = (float)((1u << (bits - 1)) - 1);
        return fmaxf((float)(int32_t)value / most, -1.0f);
    }
    float result = (float)value / (float)((1u << bits) - 1);
    return texture->sampler.srgb && channel < 3 ? srgb_to_linear(result) : result;
}

static void read_channel(const struct cdp_texture *texture, const char *from, int channel,
                         union cdp_texel *out)
{
    const struct cdp_format *format = &texture->format;
    if (format->kind != CDP_CHANNEL_FLOAT) {
        uint32_t value = read_integer(format, from);
        if (texture->sampler.normalized_values) {
            out->f[channel] = normalize(texture, value, channel);
        } else {
            out->u[channel] = value;
        }
    } else if (format->bytes == 2) {
        uint16_t half;
        memcpy(&half, from, sizeof half);
        out->f[channel] = half_to_float(half);
    } else {
        memcpy(&out->f[channel], from, sizeof out->f[channel]);
    }
}

static void read_texel(const struct cdp_texture *texture, const char *from, union cdp_texel *out)
{
    memset(out, 0, sizeof *out);
    for (int c = 0; c < texture->format.channels; c++) {
        read_channel(texture, from + c * texture->format.bytes, c, out);
    }
}

static bool reads_floats(const struct cdp_texture *texture)
{
    return texture->format.kind == CDP_CHANNEL_FLOAT || texture->sampler.normalized_values;
}

/* The number that half has, toward zero. A float has 13 bits more. */
static float as_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= ~0x1fffu;
    memcpy(&value, &bits, sizeof bits);
    if (!isfinite(value)) {
        return value;
    }
    if (fabsf(value) < 0x1p-14f) { /* subnormals: units of 2^-24 */
        return truncf(value * 0x1p24f) * 0x1p-24f;
    }
    return fmaxf(fminf(value, 65504.0f), -65504.0f);
}

/* The nearest of the numbers that a normalized integer of the format can be, toward zero if two are
 * as near. No negative zero. */
static float as_normalized(const struct cdp_format *format, float value)
{
    bool is_signed = format->kind == CDP_CHANNEL_SIGNED;
    float most = (float)((1u << (format->bytes * 8u - is_signed)) - 1);
    float near = fminf(fmaxf(value, is_signed ? -1.0f : 0.0f), 1.0f) * most;
    return isnan(value) ? 0.0f : copysignf(ceilf(fabsf(near) - 0.5f), near) / most + 0.0f;
}

/* The border as the format would store it: numbers of its precision, and the bits of integers,
 * which the program gives as floats. */
static void read_border(const struct cdp_texture *texture, union cdp_texel *out)
{
    const struct cdp_format *format = &texture->format;
    memset(out, 0, sizeof *out);
    for (int c = 0; c < format->channels; c++) {
        const float *border = &texture->sampler.border[c];
        if (!reads_floats(texture)) {
            out->u[c] = read_integer(format, (const char *)border);
        } else if (format->kind != CDP_CHANNEL_FLOAT) {
            out->f[c] = as_normalized(format, *border);
        } else {
            out->f[c] = format->bytes == 2 ? as_half(*border) : *border;
        }
    }
}

/* ---- Addresses ---- */

/* One axis of an image. */
struct axis {
    uint32_t size;
    enum cdp_address_mode mode;
    bool normalized;
};

/* Two neighbours and the weight of the second, in FRACTION-ths. */
struct span {
    int64_t at[2];
    uint32_t weight;
};

/* The coordinate in texels. Wrap and mirror modes exist only for normalized coordinates; others are
 * clamped instead. A GPU multiplies by a size that is no power of two in fixed point. */
static double in_texels(const struct axis *axis, float position)
{
    double x = isnan(position) ? 0.0 : (double)position;
    if (axis->normalized) {
        if ((axis->size & (axis->size - 1)) != 0 && !isinf(position)) {
            x = floor(x * NORMALIZED_FRACTION) / NORMALIZED_FRACTION;
        }
        if (axis->mode == CDP_ADDRESS_WRAP) {
            x = isinf(position) ? 0.0 : x - floor(x);
        } else if (axis->mode == CDP_ADDRESS_MIRROR) {
            x = isinf(position) ? 0.0 : x - 2.0 * floor(x / 2.0);
        }
        x *= axis->size;
    }
    /* Positions far outside behave like positions just outside, and these fit an integer. */
    return fmin(fmax(x, -2.0), 2.0 * axis->size + 2.0);
}

/* The texel to read, -1 for the border. */
static int64_t resolve(const struct axis *axis, int64_t at)
{
    int64_t last = (int64_t)axis->size - 1;
    if (at >= 0 && at <= last) {
        return at;
    }
    if (axis->mode == CDP_ADDRESS_BORDER) {
        return -1;
    }
    if (axis->mode == CDP_ADDRESS_WRAP && axis->normalized) {
        return at < 0 ? last : 0;
    }
    if (axis->mode == CDP_ADDRESS_MIRROR && axis->normalized && at > last) {
        int64_t folded = 2 * last + 1 - at;
        return folded < 0 ? 0 : folded;
    }
    return at < 0 ? 0 : last;
}

/* Which texels a read takes. */
enum reading { READ_POINT, READ_LINEAR, READ_GATHER };

static struct span span_of(const struct axis *axis, float position, enum reading reading)
{
    double x = in_texels(axis, position);
    if (reading == READ_POINT) {
        int64_t at = resolve(axis, (int64_t)floor(x));
        return (struct span){.at = {at, at}};
    }
    bool clamps =
        axis->mode != CDP_ADDRESS_BORDER && (axis->mode == CDP_ADDRESS_CLAMP || !axis->normalized);
    if (clamps && reading == READ_LINEAR) {
        x = fmin(fmax(x, 0.5), axis->size - 0.5); /* the texel at the edge has all of the weight */
    }
    int64_t fixed = (int64_t)floor((x - 0.5) * FRACTION + 0.5);
    int64_t first = fixed >= 0 ? fixed / FRACTION : -((-fixed + FRACTION - 1) / FRACTION);
    return (struct span){.at = {resolve(axis, first), resolve(axis, first + 1)},
                         .weight = (uint32_t)(fixed - first * FRACTION)};
}

static struct axis axis_of(const struct cdp_texture *texture, uint32_t size, int which)
{
    const struct cdp_sampler *sampler = &texture->sampler;
    return (struct axis){.size = size,
                         .mode = (enum cdp_address_mode)sampler->address[which],
                         .normalized = sampler->normalized_coordinates};
}

/* ---- Filters ---- */

/* The texels that a fetch reads in one image. */
struct footprint {
    const struct cdp_image *image;
    struct span axis[3];
};

static struct footprint footprint_of(const struct cdp_texture *texture, unsigned level,
                                     const struct cdp_position *at, enum reading reading)
{
    const struct cdp_image *image = &texture->image[level];
    struct footprint result = {.image = image};
    struct axis x = axis_of(texture, image->width, 0);
    result.axis[0] = span_of(&x, at->x, reading);
    if (!texture->is_linear_memory) {
        /* A one-dimensional texture is a picture of one row that is read on its upper edge: with a
         * border, an H200 blends that in. A layer of a one-dimensional texture has no edge. */
        struct axis y = axis_of(texture, image->height, 1);
        bool is_flat = at->dimensions == 1 && texture->layers != 0;
        result.axis[1] =
            span_of(&y, at->dimensions > 1 ? at->y : 0.0f, is_flat ? READ_POINT : reading);
    }
    if (texture->dimensions > 2 && at->dimensions > 2) {
        struct axis z = axis_of(texture, image->depth, 2);
        result.axis[2] = span_of(&z, at->z, reading);
    } else if (at->layer != 0) {
        int64_t last = (int64_t)image->depth - 1;
        int64_t slice = at->layer < image->depth ? (int64_t)at->layer : last;
        result.axis[2].at[0] = result.axis[2].at[1] = slice;
    }
    return result;
}

/* One of the up to eight texels: corner has a bit for each axis. NULL: the border. */
static const char *find_corner(const struct cdp_texture *texture, const struct footprint *footprint,
                               unsigned corner)
{
    const struct cdp_image *image = footprint->image;
    int64_t at[3];
    for (unsigned d = 0; d < 3; d++) {
        at[d] = footprint->axis[d].at[corner >> d & 1];
        if (at[d] < 0) {
            return NULL;
        }
    }
    const char *row = image->data + (size_t)at[2] * image->slice + (size_t)at[1] * image->pitch;
    return row + (size_t)at[0] * cdp_texel_bytes(&texture->format);
}

static void read_corner(const struct cdp_texture *texture, const struct footprint *footprint,
                        unsigned corner, union cdp_texel *out)
{
    const char *texel = find_corner(texture, footprint, corner);
    if (texel == NULL) {
        read_border(texture, out);
    } else {
        read_texel(texture, texel, out);
    }
}

/* A part of a weight, rounded half up. */
static int32_t part_of(int32_t weight, uint32_t fraction)
{
    return (weight * (int32_t)fraction + FRACTION / 2) / FRACTION;
}

/* The weights of the corners in a blend, in FRACTION-ths: first the planes share the weight of the
 * level, then the columns, then the rows. Of the row that is nearer in the numbering, and of the
 * other one, the rounded part is that which an H100 and an H200 round. */
static void share(const struct footprint *footprint, int32_t whole, int32_t weights[8])
{
    const struct span *axis = footprint->axis;
    int32_t front = part_of(whole, FRACTION - axis[2].weight);
    for (unsigned z = 0; z < 2; z++) {
        int32_t plane = z == 0 ? front : whole - front;
        int32_t right = part_of(plane, axis[0].weight), left = plane - right;
        int32_t upper_right = part_of(right, axis[1].weight);
        int32_t lower_left = part_of(left, FRACTION - axis[1].weight);
        weights[4 * z] = lower_left;
        weights[4 * z + 1] = right - upper_right;
        weights[4 * z + 2] = left - lower_left;
        weights[4 * z + 3] = upper_right;
    }
}

/* The nearest multiple of a unit in the last place, away from zero if two are as near. bits: of the
 * significand; least: the exponent of the smallest normal number. */
static float round_to(double value, int bits, int least)
{
    if (value == 0.0 || !isfinite(value)) {
        return (float)value;
    }
    int exponent = ilogb(value);
    int unit = (exponent < least ? least : exponent) - (bits - 1);
    return (float)ldexp(round(ldexp(value, -unit)), unit);
}

/* A blend of texels. Normalized integers are blended as integers of 16 bits. */
static float finish(const struct cdp_texture *texture, double value, int channel)
{
    const struct cdp_format *format = &texture->format;
    if (format->kind == CDP_CHANNEL_FLOAT) {
        return format->bytes == 2 ? round_to(value, 11, -14) : round_to(value, 24, -126);
    }
    bool is_linear = !texture->sampler.srgb || channel > 2;
    bool is_signed = format->kind == CDP_CHANNEL_SIGNED;
    if (!is_linear || (is_signed && format->bytes == 1)) {
        return (float)value;
    }
    double most = is_signed ? 32767.0 : 65535.0;
    /* The texels are rounded numbers: their sum is near the integers' sum, in FRACTION-ths. */
    double sum = nearbyint(value * most * FRACTION);
    return (float)(floor(sum / FRACTION + 0.5) / most);
}

/* Adds the texels of one level, whose weights together are whole. */
static void add_level(const struct cdp_texture *texture, unsigned level,
                      const struct cdp_position *at, int32_t whole, double sum[4])
{
    bool linear = texture->sampler.linear;
    struct footprint footprint =
        footprint_of(texture, level, at, linear ? READ_LINEAR : READ_POINT);
    int32_t weights[8];
    share(&footprint, whole, weights);
    for (unsigned corner = 0; corner < 8; corner++) {
        if (weights[corner] == 0) {
            continue;
        }
        union cdp_texel texel;
        read_corner(texture, &footprint, corner, &texel);
        for (int c = 0; c < 4; c++) {
            sum[c] += (double)weights[corner] * (double)texel.f[c];
        }
    }
}

/* Texels of a level, and of the next one with the weight next, in FRACTION-ths. */
static void blend(const struct cdp_texture *texture, unsigned level, int32_t next,
                  const struct cdp_position *at, union cdp_texel *out)
{
    double sum[4] = {-0.0, -0.0, -0.0, -0.0}; /* a blend of negative zeros is one */
    add_level(texture, level, at, FRACTION - next, sum);
    if (next != 0) {
        add_level(texture, level + 1, at, next, sum);
    }
    for (int c = 0; c < 4; c++) {
        out->f[c] = finish(texture, sum[c] / FRACTION, c);
    }
}

static void sample_level(const struct cdp_texture *texture, unsigned level,
                         const struct cdp_position *at, union cdp_texel *out)
{
    if (texture->sampler.linear && reads_floats(texture)) {
        blend(texture, level, 0, at, out);
    } else {
        struct footprint footprint = footprint_of(texture, level, at, READ_POINT);
        read_corner(texture, &footprint, 0, out);
    }
}

const char *cdp_texture_beyond(const struct cdp_texture *texture, const struct cdp_position *at,
                               bool gathers, const char *limit)
{
    bool linear = gathers || (texture->sampler.linear && reads_floats(texture));
    enum reading reading = gathers ? READ_GATHER : linear ? READ_LINEAR : READ_POINT;
    struct footprint footprint = footprint_of(texture, 0, at, reading);
    int32_t weights[8] = {1};
    if (linear) {
        share(&footprint, FRACTION, weights);
    }
    for (unsigned corner = 0; corner < 8; corner++) {
        const char *texel = find_corner(texture, &footprint, corner);
        bool is_read = weights[corner] != 0 || (gathers && corner < 4);
        if (is_read && texel != NULL && texel + cdp_texel_bytes(&texture->format) > limit) {
            return texel;
        }
    }
    return NULL;
}

/* The face that a direction hits, and the position on it, in the convention of all graphics
 * interfaces. */
static struct cdp_position on_face(const struct cdp_position *at)
{
    float x = at->x, y = at->y, z = at->z;
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    uint32_t face;
    float s, t, major;
    if (az >= ax && az >= ay) {
        face = z < 0 ? 5 : 4;
        s = z < 0 ? -x : x, t = -y, major = az;
    } else if (ay >= ax) {
        face = y < 0 ? 3 : 2;
        s = x, t = y < 0 ? -z : z, major = ay;
    } else {
        face = x < 0 ? 1 : 0;
        s = x < 0 ? z : -z, t = -y, major = ax;
    }
    return (struct cdp_position){.x = (s / major + 1.0f) / 2.0f,
                                 .y = (t / major + 1.0f) / 2.0f,
                                 .level = at->level,
                                 .dimensions = 2,
                                 .layer = at->layer * CDP_CUBE_FACES + face};
}

/* ---- The calls ---- */

const char *cdp_texture_address(const struct cdp_texture *texture, const int at[3])
{
    const struct cdp_image *image = &texture->image[0];
    bool is_layer = texture->layers != 0;
    uint32_t z = (uint32_t)at[2];
    if (is_layer && z >= texture->layers) {
        z = texture->layers - 1;
    }
    if ((uint32_t)at[0] >= image->width || (uint32_t)at[1] >= image->height ||
        (!is_layer && z >= image->depth)) {
        return NULL;
    }
    return image->data + z * image->slice + (uint32_t)at[1] * image->pitch +
           (size_t)(uint32_t)at[0] * cdp_texel_bytes(&texture->format);
}

void cdp_texture_texel(const struct cdp_texture *texture, const int at[3], union cdp_texel *out)
{
    const char *texel = cdp_texture_address(texture, at);
    if (texel == NULL) {
        memset(out, 0, sizeof *out);
    } else {
        read_texel(texture, texel, out);
    }
}

/* A level of detail in FRACTION-ths. The call's level and the bias are whole numbers of these, cut
 * towards zero. */
static int32_t clamp_level(const struct cdp_texture *texture, float level)
{
    const struct cdp_sampler *sampler = &texture->sampler;
    float last = (float)(texture->levels - 1);
    float least = fmaxf(sampler->least_level, 0.0f), most = fminf(sampler->most_level, last);
    float biased = truncf(level * FRACTION) + truncf(sampler->bias * FRACTION);
    float cut = fmaxf(fminf(biased, floorf(most * FRACTION)), floorf(least * FRACTION));
    return (int32_t)fminf(cut, last * FRACTION);
}

static void sample_levels(const struct cdp_texture *texture, const struct cdp_position *at,
                          union cdp_texel *out)
{
    int32_t level = clamp_level(texture, at->level);
    int32_t next = level % FRACTION;
    if (!texture->sampler.linear_levels || !reads_floats(texture)) {
        sample_level(texture, (unsigned)((level + FRACTION / 2) / FRACTION), at, out);
    } else if (next == 0) {
        sample_level(texture, (unsigned)(level / FRACTION), at, out);
    } else {
        blend(texture, (unsigned)(level / FRACTION), next, at, out);
    }
}

void cdp_texture_sample(const struct cdp_texture *texture, const struct cdp_position *at,
                        union cdp_texel *out)
{
    struct cdp_position place = texture->is_cube ? on_face(at) : *at;
    if (texture->layers != 0 && at->layer >= texture->layers) {
        struct cdp_position last = *at;
        last.layer = texture->layers - 1;
        place = texture->is_cube ? on_face(&last) : last;
    }
    if (texture->levels > 1) {
        sample_levels(texture, &place, out);
    } else {
        sample_level(texture, 0, &place, out);
    }
}

/* A gather reads signed bytes by way of normalized integers of 16 bits. */
static float gathered(const struct cdp_texture *texture, float value)
{
    bool is_byte = texture->format.kind == CDP_CHANNEL_SIGNED && texture->format.bytes == 1;
    bool is_rounded = is_byte && texture->sampler.normalized_values;
    return is_rounded ? roundf(value * 32767.0f) / 32767.0f : value;
}

void cdp_texture_gather(const struct cdp_texture *texture, const struct cdp_position *at,
                        int channel, union cdp_texel *out)
{
    /* Counter-clockwise from the lower left. */
    static const unsigned order[4] = {2, 3, 1, 0};
    struct footprint footprint = footprint_of(texture, 0, at, READ_GATHER);
    for (unsigned i = 0; i < 4; i++) {
        union cdp_texel texel;
        read_corner(texture, &footprint, order[i], &texel);
        if (reads_floats(texture)) {
            out->f[i] = gathered(texture, texel.f[channel & 3]);
        } else {
            out->u[i] = texel.u[channel & 3];
        }
    }
}

static float length_in_texels(const struct cdp_texture *texture, const float along[3])
{
    const struct cdp_image *image = &texture->image[0];
    bool normalized = texture->sampler.normalized_coordinates;
    float x = along[0] * (normalized ? (float)image->width : 1.0f);
    float y = along[1] * (normalized ? (float)image->height : 1.0f);
    float z = along[2] * (normalized ? (float)image->depth : 1.0f);
    return sqrtf(x * x + y * y + z * z);
}

float cdp_texture_level(const struct cdp_texture *texture, const float along_x[3],
                        const float along_y[3])
{
    float length = fmaxf(length_in_texels(texture, along_x), length_in_texels(texture, along_y));
    return length > 0.0f ? log2f(length) : 0.0f;
}
