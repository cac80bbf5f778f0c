/* Textures and surfaces in inline PTX, by the functions that CUDA's own functions call. */
#include "library.h"

/* The words of a geometry, in the order of forms.def. */
enum { LAYERED_LINE = 4, LAYERED_PLANE = 5 };

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

INTERNAL void sample(u32 *const *out, u64 texture, struct place place, u32 geometry)
{
    const bool is_layered = geometry >= LAYERED_LINE;
    float position[4] = {};
    u32 channels[4];
    const u32 dimensions = is_layered ? geometry - LAYERED_LINE + 1 : geometry;
    _Pragma("unroll") for (u32 i = 0; i < 3; i++)
    {
        position[i] = i < dimensions ? real((u32)place.at[i]) : 0.0f;
    }
    __cdp_tex_sample(texture, dimensions, is_layered ? place.at[2] : 0, position, channels);
    _Pragma("unroll") for (u32 i = 0; i < 4; i++)
    {
        *out[i] = channels[i];
    }
}
PTX(void, texture, u32 *r, u32 *g, u32 *b, u32 *a, u64 texture, s32 c0, s32 c1, s32 c2, s32,
    u32 geometry)
{
    u32 *const out[] = {r, g, b, a};
    sample(out, texture, place_of(c0, c1, c2, geometry), geometry);
}
/* Whole coordinates name a texel, of linear memory or of an array. */
PTX(void, texture_texel, u32 *r, u32 *g, u32 *b, u32 *a, u64 texture, s32 c0, s32 c1, s32 c2, s32,
    u32 geometry)
{
    struct place place = place_of(c0, c1, c2, geometry);
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
