/* Textures and surfaces in inline PTX, by the functions that CUDA's own functions call. */
#include "library.h"
#include "ptx/library/reduce.h"

#include <cuda_fp16.h>

/* The words of a geometry, in the order of forms.def. */
enum { LAYERED_LINE = 4, LAYERED_PLANE = 5, CUBE = 6, LAYERED_CUBE = 7 };

/* The coordinates of a tex in PTX's order, and its offsets. */
struct fetch {
    u64 texture;
    s32 at[4];
    s32 offset[3];
    u32 geometry;
};
#define TEXTURE u64 texture, s32 c0, s32 c1, s32 c2, s32 c3
#define OFFSETS s32 e0, s32 e1, s32 e2
/* A float that the depth of a texel would be compared with: textures of CUDA have no depth. */
#define REFERENCE u32
#define THE_FETCH(GEOMETRY) (fetch{texture, {c0, c1, c2, c3}, {e0, e1, e2}, GEOMETRY})
/* Channels, and whether the texel is there. */
#define RESULTS u32 *r, u32 *g, u32 *b, u32 *a, u32 *is_there
#define STORE_RESULTS(CHANNELS)                                                                    \
    *r = (CHANNELS)[0], *g = (CHANNELS)[1], *b = (CHANNELS)[2], *a = (CHANNELS)[3], *is_there = 1;

/* The number that the lowest bits have with their sign. */
INTERNAL s32 low_bits(s32 x, u32 count)
{
    return (s32)((u32)x << (32 - count)) >> (32 - count);
}

INTERNAL void sample(u32 (&channels)[4], const fetch &fetch, float level)
{
    const u32 geometry = fetch.geometry;
    const bool is_layered = geometry >= LAYERED_LINE && geometry != CUBE;
    const u32 dimensions = geometry >= CUBE ? 3 : is_layered ? geometry - LAYERED_LINE + 1 : geometry;
    float position[4] = {};
    s32 offset[3] = {};
    _Pragma("unroll") for (u32 i = 0; i < 3; i++)
    {
        position[i] = i < dimensions ? real((u32)fetch.at[i + is_layered]) : 0.0f;
        offset[i] = i < dimensions ? low_bits(fetch.offset[i], 4) : 0;
    }
    /* The offset of a line is not cut off, so a negative one moves the position above the only row:
     * in border mode, a GPU reads the border. */
    offset[1] = dimensions == 1 ? low_bits(fetch.offset[0] >> 4, 4) : offset[1];
    position[3] = level;
    __cdp_tex_sample_offset(fetch.texture, dimensions, is_layered ? fetch.at[0] : 0, position,
                            offset, channels);
}
PTX(void, texture, RESULTS, TEXTURE, OFFSETS, REFERENCE, u32 geometry)
{
    u32 channels[4];
    sample(channels, THE_FETCH(geometry), __CDP_NO_LEVEL);
    STORE_RESULTS(channels)
}
PTX(void, texture_level, RESULTS, TEXTURE, u32 level, OFFSETS, REFERENCE, u32 geometry)
{
    u32 channels[4];
    sample(channels, THE_FETCH(geometry), real(level));
    STORE_RESULTS(channels)
}
/* Channels as halves. */
INTERNAL u32 half_bits(u32 channel)
{
    return __half(real(channel)).__x;
}
PTX(void, texture_half, u16 *r, u16 *g, u16 *b, u16 *a, u32 *is_there, TEXTURE, OFFSETS, REFERENCE,
    u32 geometry)
{
    u32 channels[4];
    sample(channels, THE_FETCH(geometry), __CDP_NO_LEVEL);
    *r = (u16)half_bits(channels[0]), *g = (u16)half_bits(channels[1]);
    *b = (u16)half_bits(channels[2]), *a = (u16)half_bits(channels[3]), *is_there = 1;
}
PTX(void, texture_halves, u32 *low, u32 *high, u32 *is_there, TEXTURE, OFFSETS, REFERENCE,
    u32 geometry)
{
    u32 channels[4];
    sample(channels, THE_FETCH(geometry), __CDP_NO_LEVEL);
    *low = half_bits(channels[0]) | half_bits(channels[1]) << 16;
    *high = half_bits(channels[2]) | half_bits(channels[3]) << 16, *is_there = 1;
}
/* 1: a line, or a plane; 2: with layers */
PTX(void, texture_gradients, RESULTS, TEXTURE, u32 dx, u32 dy, OFFSETS, REFERENCE, u32 is_layered)
{
    const float along_x[3] = {real(dx)}, along_y[3] = {real(dy)};
    u32 channels[4];
    sample(channels, THE_FETCH(is_layered == 2 ? (u32)LAYERED_LINE : 1),
           __cdp_tex_level(texture, along_x, along_y));
    STORE_RESULTS(channels)
}
PTX(void, texture_gradients_of_planes, RESULTS, TEXTURE, u32 x0, u32 x1, u32 y0, u32 y1, OFFSETS,
    REFERENCE, u32 is_layered)
{
    const float along_x[3] = {real(x0), real(x1)}, along_y[3] = {real(y0), real(y1)};
    u32 channels[4];
    sample(channels, THE_FETCH(is_layered == 2 ? (u32)LAYERED_PLANE : 2),
           __cdp_tex_level(texture, along_x, along_y));
    STORE_RESULTS(channels)
}
PTX(void, texture_gradients_of_volumes, RESULTS, TEXTURE, u32 x0, u32 x1, u32 x2, u32, u32 y0,
    u32 y1, u32 y2, u32, OFFSETS, REFERENCE)
{
    const float along_x[3] = {real(x0), real(x1), real(x2)},
                along_y[3] = {real(y0), real(y1), real(y2)};
    u32 channels[4];
    sample(channels, THE_FETCH(3), __cdp_tex_level(texture, along_x, along_y));
    STORE_RESULTS(channels)
}
/* r, g, b, a: that channel of four texels of a plane, of a layer of planes, of a cube, and of a
 * layer of cubes. */
PTX(void, texture_gather, RESULTS, TEXTURE, OFFSETS, REFERENCE, u32 channel, u32 geometry)
{
    const bool is_layered = geometry == 2 || geometry == 4;
    const s32 at[3] = {is_layered ? c1 : c0, is_layered ? c2 : c1, is_layered ? c3 : c2};
    const float position[3] = {real((u32)at[0]), real((u32)at[1]), real((u32)at[2])};
    const s32 offset[2] = {low_bits(e0, 6), low_bits(e1, 6)};
    (void)e2;
    u32 texels[4];
    __cdp_tex_gather_offset(texture, is_layered ? c0 : 0, position, offset, (int)channel - 1,
                            texels);
    STORE_RESULTS(texels)
}

/* The coordinates in the order x, y, z. A layer comes first in PTX, and last here. */
struct place {
    s32 at[3];
};
INTERNAL struct place place_of(s32 c0, s32 c1, s32 c2, u32 geometry)
{
    return geometry == LAYERED_LINE    ? place{{c1, 0, c0}}
           : geometry == LAYERED_PLANE ? place{{c1, c2, c0}}
                                       : place{{c0, c1, c2}};
}

/* Whole coordinates name a texel, of linear memory or of an array. */
INTERNAL void read_texel(u32 (&channels)[4], const fetch &fetch)
{
    const u32 geometry = fetch.geometry;
    struct place place = place_of(fetch.at[0], fetch.at[1], fetch.at[2], geometry);
    const bool has_y = geometry == LAYERED_PLANE || geometry == 2 || geometry == 3;
    place.at[0] += low_bits(fetch.offset[0], 4);
    place.at[1] = has_y ? place.at[1] + low_bits(fetch.offset[1], 4) : 0;
    place.at[2] = geometry > 2 ? place.at[2] : 0;
    place.at[2] += geometry == 3 ? low_bits(fetch.offset[2], 4) : 0;
    __cdp_tex_texel(fetch.texture, place.at, channels);
}
PTX(void, texture_texel, RESULTS, TEXTURE, OFFSETS, u32 geometry)
{
    u32 channels[4];
    read_texel(channels, THE_FETCH(geometry));
    STORE_RESULTS(channels)
}

/* trap, which is also the default, clamp, zero */
INTERNAL u32 boundary_of(u32 mode)
{
    return mode == 3   ? cudaBoundaryModeZero
           : mode == 2 ? cudaBoundaryModeClamp
                       : cudaBoundaryModeTrap;
}
INTERNAL void *texel(u64 surface, struct place place, u32 bytes, u32 mode)
{
    return __cdp_surf(surface, place.at, bytes, boundary_of(mode));
}

#define COORDINATES u64 surface, s32 c0, s32 c1, s32 c2, s32
#define TEXEL(TYPE, COUNT)                                                                         \
    ((TYPE *)texel(surface, place_of(c0, c1, c2, geometry), sizeof(TYPE) * (COUNT), mode))
#define SURFACE(TYPE, BITS)                                                                        \
    PTX(TYPE, surface_read_##BITS, COORDINATES, u32 geometry, u32 mode)                            \
    {                                                                                              \
        const TYPE *from = TEXEL(TYPE, 1);                                                         \
        return from == nullptr ? (TYPE)0 : *from;                                                  \
    }                                                                                              \
    PTX(void, surface_read_##BITS##x2, TYPE *x, TYPE *y, COORDINATES, u32 geometry, u32 mode)      \
    {                                                                                              \
        const TYPE *from = TEXEL(TYPE, 2);                                                         \
        *x = from == nullptr ? (TYPE)0 : from[0];                                                  \
        *y = from == nullptr ? (TYPE)0 : from[1];                                                  \
    }                                                                                              \
    PTX(void, surface_write_##BITS, COORDINATES, TYPE x, u32 geometry, u32 mode)                   \
    {                                                                                              \
        TYPE *to = TEXEL(TYPE, 1);                                                                 \
        if (to != nullptr) {                                                                       \
            *to = x;                                                                               \
        }                                                                                          \
    }                                                                                              \
    PTX(void, surface_write_##BITS##x2, COORDINATES, TYPE x, TYPE y, u32 geometry, u32 mode)       \
    {                                                                                              \
        TYPE *to = TEXEL(TYPE, 2);                                                                 \
        if (to != nullptr) {                                                                       \
            to[0] = x;                                                                             \
            to[1] = y;                                                                             \
        }                                                                                          \
    }
#define SURFACE_OF_FOUR(TYPE, BITS)                                                                \
    PTX(void, surface_read_##BITS##x4, TYPE *x, TYPE *y, TYPE *z, TYPE *w, COORDINATES,            \
        u32 geometry, u32 mode)                                                                    \
    {                                                                                              \
        const TYPE *from = TEXEL(TYPE, 4);                                                         \
        *x = from == nullptr ? (TYPE)0 : from[0];                                                  \
        *y = from == nullptr ? (TYPE)0 : from[1];                                                  \
        *z = from == nullptr ? (TYPE)0 : from[2];                                                  \
        *w = from == nullptr ? (TYPE)0 : from[3];                                                  \
    }                                                                                              \
    PTX(void, surface_write_##BITS##x4, COORDINATES, TYPE x, TYPE y, TYPE z, TYPE w, u32 geometry, \
        u32 mode)                                                                                  \
    {                                                                                              \
        TYPE *to = TEXEL(TYPE, 4);                                                                 \
        if (to != nullptr) {                                                                       \
            to[0] = x;                                                                             \
            to[1] = y;                                                                             \
            to[2] = z;                                                                             \
            to[3] = w;                                                                             \
        }                                                                                          \
    }
SURFACE(u8, 8)
SURFACE(u16, 16)
SURFACE(u32, 32)
SURFACE(u64, 64)
SURFACE_OF_FOUR(u8, 8)
SURFACE_OF_FOUR(u16, 16)
SURFACE_OF_FOUR(u32, 32)

/* Stores that convert to the format of the surface. A channel without a value gets 0. */
INTERNAL void store(u64 surface, struct place place, const u32 (&words)[4], u32 mode)
{
    __cdp_surf_store(surface, place.at, boundary_of(mode), words);
}
PTX(void, surface_store, COORDINATES, u32 x, u32 geometry, u32 mode)
{
    store(surface, place_of(c0, c1, c2, geometry), {x, 0, 0, 0}, mode);
}
PTX(void, surface_store_x2, COORDINATES, u32 x, u32 y, u32 geometry, u32 mode)
{
    store(surface, place_of(c0, c1, c2, geometry), {x, y, 0, 0}, mode);
}
PTX(void, surface_store_x4, COORDINATES, u32 x, u32 y, u32 z, u32 w, u32 geometry, u32 mode)
{
    store(surface, place_of(c0, c1, c2, geometry), {x, y, z, w}, mode);
}

/* Atomic operations on elements of a surface. min, max; and, or */
#define REDUCTION(NAME, TYPE, BITS, CHOICE, OPERATION)                                             \
    PTX(void, surface_##NAME, COORDINATES, BITS x, CHOICE u32 geometry, u32 mode)                  \
    {                                                                                              \
        TYPE *to = TEXEL(TYPE, 1);                                                                 \
        if (to != nullptr) {                                                                       \
            OPERATION(to, (TYPE)x);                                                                \
        }                                                                                          \
    }
#define CHOSEN u32 operation,
REDUCTION(add_32, u32, u32, , sum())
REDUCTION(add_64, u64, u64, , sum())
REDUCTION(extreme_u32, u32, u32, CHOSEN, extreme{operation})
REDUCTION(extreme_s32, s32, u32, CHOSEN, extreme{operation})
REDUCTION(extreme_u64, u64, u64, CHOSEN, extreme{operation})
REDUCTION(extreme_s64, s64, u64, CHOSEN, extreme{operation})
REDUCTION(logic_32, u32, u32, CHOSEN, logic{operation})
