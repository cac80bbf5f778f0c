/* Textures and surfaces in inline PTX, by the functions that CUDA's own functions call. */
#include "library.h"

/* The words of a geometry, in the order of forms.def. */
enum { LAYERED_LINE = 4, LAYERED_PLANE = 5, CUBE = 6, LAYERED_CUBE = 7 };

/* Pointers to the results, and the coordinates of a tex in PTX's order. */
struct fetch {
    u32 *const out[4];
    u64 texture;
    s32 at[4];
    u32 geometry;
};
#define FETCH u32 *r, u32 *g, u32 *b, u32 *a, u64 texture, s32 c0, s32 c1, s32 c2, s32 c3
#define THE_FETCH(GEOMETRY) (fetch{{r, g, b, a}, texture, {c0, c1, c2, c3}, GEOMETRY})

INTERNAL void sample(const fetch &fetch, float level)
{
    const u32 geometry = fetch.geometry;
    const bool is_layered = geometry >= LAYERED_LINE && geometry != CUBE;
    const u32 dimensions = geometry >= CUBE ? 3 : is_layered ? geometry - LAYERED_LINE + 1 : geometry;
    float position[4] = {};
    u32 channels[4];
    _Pragma("unroll") for (u32 i = 0; i < 3; i++)
    {
        position[i] = i < dimensions ? real((u32)fetch.at[i + is_layered]) : 0.0f;
    }
    position[3] = level;
    __cdp_tex_sample(fetch.texture, dimensions, is_layered ? fetch.at[0] : 0, position, channels);
    _Pragma("unroll") for (u32 i = 0; i < 4; i++)
    {
        *fetch.out[i] = channels[i];
    }
}
PTX(void, texture, FETCH, u32 geometry)
{
    sample(THE_FETCH(geometry), __CDP_NO_LEVEL);
}
PTX(void, texture_level, FETCH, u32 level, u32 geometry)
{
    sample(THE_FETCH(geometry), real(level));
}
/* 1: a line, or a plane; 2: with layers */
PTX(void, texture_gradients, FETCH, u32 dx, u32 dy, u32 is_layered)
{
    const float along_x[3] = {real(dx)}, along_y[3] = {real(dy)};
    sample(THE_FETCH(is_layered == 2 ? (u32)LAYERED_LINE : 1), __cdp_tex_level(texture, along_x, along_y));
}
PTX(void, texture_gradients_of_planes, FETCH, u32 x0, u32 x1, u32 y0, u32 y1, u32 is_layered)
{
    const float along_x[3] = {real(x0), real(x1)}, along_y[3] = {real(y0), real(y1)};
    sample(THE_FETCH(is_layered == 2 ? (u32)LAYERED_PLANE : 2), __cdp_tex_level(texture, along_x, along_y));
}
PTX(void, texture_gradients_of_volumes, FETCH, u32 x0, u32 x1, u32 x2, u32, u32 y0, u32 y1, u32 y2,
    u32)
{
    const float along_x[3] = {real(x0), real(x1), real(x2)},
                along_y[3] = {real(y0), real(y1), real(y2)};
    sample(THE_FETCH(3), __cdp_tex_level(texture, along_x, along_y));
}
/* r, g, b, a: that channel of four texels. */
PTX(void, texture_gather, FETCH, u32 channel)
{
    const float position[2] = {real((u32)c0), real((u32)c1)};
    u32 texels[4];
    __cdp_tex_gather(texture, position, (int)channel - 1, texels);
    *r = texels[0];
    *g = texels[1];
    *b = texels[2];
    *a = texels[3];
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
PTX(void, texture_texel, FETCH, u32 geometry)
{
    struct place place = place_of(c0, c1, c2, geometry);
    (void)c3;
    u32 channels[4];
    const bool has_y = geometry == LAYERED_PLANE || geometry == 2 || geometry == 3;
    place.at[1] = has_y ? place.at[1] : 0;
    place.at[2] = geometry > 2 ? place.at[2] : 0;
    __cdp_tex_texel(texture, place.at, channels);
    *r = channels[0];
    *g = channels[1];
    *b = channels[2];
    *a = channels[3];
}

/* trap, which is also the default, clamp, zero */
INTERNAL void *texel(u64 surface, struct place place, u32 bytes, u32 mode)
{
    const u32 boundary = mode == 3   ? cudaBoundaryModeZero
                         : mode == 2 ? cudaBoundaryModeClamp
                                     : cudaBoundaryModeTrap;
    return __cdp_surf(surface, place.at, bytes, boundary);
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
