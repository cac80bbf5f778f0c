/* Reading textures. */
#include <math.h>
#include <string.h>

#include "texture/blend.h"
#include "texture/image.h"
#include "texture/texel.h"

/* Bits after the point in a filter's weights. */
#define FRACTION CDP_BLEND_ONE
/* Bits after the point in a normalized coordinate. */
#define NORMALIZED_FRACTION 0x1p21

/* ---- Addresses ---- */

/* One axis of an image. */
struct axis {
    uint32_t size;
    enum cdp_address_mode mode;
    bool normalized;
    bool repeats; /* wrap and mirror modes do what they say; otherwise they clamp */
    int offset;   /* texels; those of a texture that repeats begin again after its end */
};

/* Two neighbours and the weight of the second, in FRACTION-ths. */
struct span {
    int64_t at[2];
    uint32_t weight;
};

/* A position in texels plus the offset. */
static double moved(const struct axis *axis, double x)
{
    double period = axis->mode == CDP_ADDRESS_WRAP     ? axis->size
                    : axis->mode == CDP_ADDRESS_MIRROR ? 2.0 * axis->size
                                                       : 0.0;
    if (axis->offset == 0) {
        return x;
    }
    x += axis->offset;
    return axis->repeats && period != 0.0 ? x - floor(x / period) * period : x;
}

/* The coordinate in texels. Wrap and mirror modes exist only if the program asks for normalized
 * coordinates; others are clamped instead. Several levels always take normalized coordinates. A GPU
 * multiplies by a size that is no power of two in fixed point. */
static double in_texels(const struct axis *axis, float position)
{
    double x = isnan(position) ? 0.0 : (double)position;
    if (axis->normalized) {
        if ((axis->size & (axis->size - 1)) != 0 && !isinf(position)) {
            x = floor(x * NORMALIZED_FRACTION) / NORMALIZED_FRACTION;
        }
        if (axis->mode == CDP_ADDRESS_WRAP && axis->repeats) {
            x = isinf(position) ? 0.0 : x - floor(x);
        } else if (axis->mode == CDP_ADDRESS_MIRROR && axis->repeats) {
            x = isinf(position) ? 0.0 : x - 2.0 * floor(x / 2.0);
        }
        x *= axis->size;
    }
    x = moved(axis, x);
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
    if (axis->mode == CDP_ADDRESS_WRAP && axis->repeats) {
        return at < 0 ? last : 0;
    }
    if (axis->mode == CDP_ADDRESS_MIRROR && axis->repeats && at > last) {
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
        axis->mode != CDP_ADDRESS_BORDER && (axis->mode == CDP_ADDRESS_CLAMP || !axis->repeats);
    if (clamps && reading == READ_LINEAR) {
        x = fmin(fmax(x, 0.5), axis->size - 0.5); /* the texel at the edge has all of the weight */
    }
    int64_t fixed = (int64_t)floor((x - 0.5) * FRACTION + 0.5);
    int64_t first = fixed >= 0 ? fixed / FRACTION : -((-fixed + FRACTION - 1) / FRACTION);
    return (struct span){.at = {resolve(axis, first), resolve(axis, first + 1)},
                         .weight = (uint32_t)(fixed - first * FRACTION)};
}

/* Directions, and positions in several levels, have no size in texels. */
static bool is_normalized(const struct cdp_texture *texture)
{
    return texture->sampler.normalized_coordinates || texture->is_cube || texture->levels > 1;
}

static struct axis axis_of(const struct cdp_texture *texture, uint32_t size, int which,
                           const struct cdp_position *at)
{
    const struct cdp_sampler *sampler = &texture->sampler;
    return (struct axis){.size = size,
                         .mode = (enum cdp_address_mode)sampler->address[which],
                         .normalized = is_normalized(texture),
                         .repeats = sampler->normalized_coordinates || texture->is_cube,
                         .offset = at->offset[which]};
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
    struct axis x = axis_of(texture, image->width, 0, at);
    result.axis[0] = span_of(&x, at->x, reading);
    if (!texture->is_linear_memory) {
        /* A one-dimensional texture is a picture of one row that is read on its upper edge: with a
         * border, an H200 blends that in. A layer of a one-dimensional texture has no edge. */
        struct axis y = axis_of(texture, image->height, 1, at);
        bool is_flat = at->dimensions == 1 && texture->layers != 0;
        result.axis[1] =
            span_of(&y, at->dimensions > 1 ? at->y : 0.0f, is_flat ? READ_POINT : reading);
    }
    if (texture->dimensions > 2 && at->dimensions > 2) {
        struct axis z = axis_of(texture, image->depth, 2, at);
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
        cdp_texel_border(texture, out);
    } else {
        cdp_texel_read(&texture->format, texel, out);
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

/* Adds the texels of one level, whose weights together are whole. */
static void add_level(const struct cdp_texture *texture, unsigned level,
                      const struct cdp_position *at, int32_t whole, struct cdp_blend *blend)
{
    bool linear = texture->sampler.linear;
    struct footprint footprint =
        footprint_of(texture, level, at, linear ? READ_LINEAR : READ_POINT);
    int32_t weights[8];
    share(&footprint, whole, weights);
    for (unsigned corner = 0; corner < 8; corner++) {
        unsigned plane = blend->planes + corner / CDP_BLEND_TEXELS;
        unsigned texel = corner % CDP_BLEND_TEXELS;
        blend->weight[plane][texel] = weights[corner];
        if (weights[corner] != 0) {
            read_corner(texture, &footprint, corner, &blend->texel[plane][texel]);
        }
    }
    blend->planes += 2;
}

/* Texels of a level, and of the next one with the weight next, in FRACTION-ths. */
static void sample_linear(const struct cdp_texture *texture, unsigned level, int32_t next,
                          const struct cdp_position *at, union cdp_texel *out)
{
    struct cdp_blend blend;
    blend.planes = 0;
    add_level(texture, level, at, FRACTION - next, &blend);
    if (next != 0) {
        add_level(texture, level + 1, at, next, &blend);
    }
    cdp_blend_sum(texture, &blend, out);
}

static void sample_level(const struct cdp_texture *texture, unsigned level,
                         const struct cdp_position *at, union cdp_texel *out)
{
    if (texture->sampler.linear && cdp_texel_is_float(texture)) {
        sample_linear(texture, level, 0, at, out);
    } else {
        struct footprint footprint = footprint_of(texture, level, at, READ_POINT);
        read_corner(texture, &footprint, 0, out);
        cdp_texel_finish(texture, out);
    }
}

const char *cdp_texture_beyond(const struct cdp_texture *texture, const struct cdp_position *at,
                               bool gathers, const char *limit)
{
    bool linear = gathers || (texture->sampler.linear && cdp_texel_is_float(texture));
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
        cdp_texel_read(&texture->format, texel, out);
        cdp_texel_finish(texture, out);
    }
}

/* The sum of a level and the bias, in FRACTION-ths. Both are cut towards zero to whole numbers. */
static float add_bias(const struct cdp_sampler *sampler, float level)
{
    return truncf(level * FRACTION) + truncf(sampler->bias * FRACTION);
}

/* The same for an anisotropic texture: a part of the way to the next level passes before its share
 * grows, but then it grows faster, and is whole before the level is. */
static float add_bias_steeply(const struct cdp_sampler *sampler, float level)
{
    float rate = sampler->anisotropy >= 8 ? 2.0f : sampler->anisotropy >= 4 ? 1.75f : 1.5f;
    float half = FRACTION / 2.0f;
    float start = truncf(half - half / rate - sampler->bias * FRACTION);
    float passed = truncf(level * FRACTION) - start;
    float whole = floorf(passed / FRACTION) * FRACTION;
    return whole + fminf(floorf((passed - whole) * rate), FRACTION);
}

/* A level of detail in FRACTION-ths. */
static int32_t clamp_level(const struct cdp_texture *texture, float level)
{
    const struct cdp_sampler *sampler = &texture->sampler;
    float last = (float)(texture->levels - 1);
    float least = fmaxf(sampler->least_level, 0.0f), most = fminf(sampler->most_level, last);
    bool is_steep = sampler->linear_levels && sampler->anisotropy > 1;
    float biased = is_steep ? add_bias_steeply(sampler, level) : add_bias(sampler, level);
    float cut = fmaxf(fminf(biased, floorf(most * FRACTION)), floorf(least * FRACTION));
    return (int32_t)fminf(cut, last * FRACTION);
}

static void sample_levels(const struct cdp_texture *texture, const struct cdp_position *at,
                          union cdp_texel *out)
{
    int32_t level = clamp_level(texture, at->level);
    int32_t next = level % FRACTION;
    if (!texture->sampler.linear_levels || !cdp_texel_is_float(texture)) {
        sample_level(texture, (unsigned)((level + FRACTION / 2) / FRACTION), at, out);
    } else if (next == 0) {
        sample_level(texture, (unsigned)(level / FRACTION), at, out);
    } else {
        sample_linear(texture, (unsigned)(level / FRACTION), next, at, out);
    }
}

/* Where a fetch reads: on a face of a cube, and in the last layer instead of those behind it. */
static struct cdp_position place_of(const struct cdp_texture *texture,
                                    const struct cdp_position *at)
{
    struct cdp_position place = *at;
    if (texture->layers != 0 && at->layer >= texture->layers) {
        place.layer = texture->layers - 1;
    }
    return texture->is_cube ? on_face(&place) : place;
}

void cdp_texture_sample(const struct cdp_texture *texture, const struct cdp_position *at,
                        union cdp_texel *out)
{
    struct cdp_position place = place_of(texture, at);
    if (texture->levels > 1) {
        sample_levels(texture, &place, out);
    } else {
        sample_level(texture, 0, &place, out);
    }
}

void cdp_texture_gather(const struct cdp_texture *texture, const struct cdp_position *at,
                        int channel, union cdp_texel *out)
{
    /* Counter-clockwise from the lower left. */
    static const unsigned order[4] = {2, 3, 1, 0};
    struct cdp_position place = place_of(texture, at);
    struct footprint footprint = footprint_of(texture, 0, &place, READ_GATHER);
    for (unsigned i = 0; i < 4; i++) {
        union cdp_texel texel;
        read_corner(texture, &footprint, order[i], &texel);
        cdp_texel_gather(texture, channel & 3, &texel);
        out->u[i] = texel.u[channel & 3];
    }
}
