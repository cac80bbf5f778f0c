/* Texels as they are in memory, and what a fetch makes of them. */
#ifndef CDP_TEXTURE_TEXEL_H
#define CDP_TEXTURE_TEXEL_H

#include "texture/image.h"

/* The NaN that blends and gathers return: all ones of float, or of half. Bits of float. */
#define CDP_TEXEL_NAN 0x7fffffffu
#define CDP_TEXEL_NAN_OF_HALF 0x7fffe000u

/* A texel as it is in memory: floats, or integers of 32 bits. A channel that the format does not
 * have is 0. */
void cdp_texel_read(const struct cdp_format *format, const char *from, union cdp_texel *out);
/* What a formatted store of a surface makes of four words: integers are limited to the range of a
 * channel, and floats are rounded toward zero to half. */
void cdp_texel_write(const struct cdp_format *format, const uint32_t words[4], char *to);
/* The border's color as a texel of the format. */
void cdp_texel_border(const struct cdp_texture *texture, union cdp_texel *out);
/* Replaces normalized integers by the numbers that a fetch of this one texel returns. */
void cdp_texel_finish(const struct cdp_texture *texture, union cdp_texel *texel);
/* One channel of a texel as a gather returns it. */
void cdp_texel_gather(const struct cdp_texture *texture, int channel, union cdp_texel *texel);

/* Whether fetches return floats. */
static inline bool cdp_texel_is_float(const struct cdp_texture *texture)
{
    return texture->format.kind == CDP_CHANNEL_FLOAT || texture->sampler.normalized_values;
}

/* Whether a channel is decoded: colors of bytes, but not the fourth channel. */
static inline bool cdp_texel_is_srgb(const struct cdp_texture *texture, int channel)
{
    const struct cdp_format *format = &texture->format;
    return texture->sampler.srgb && texture->sampler.normalized_values && format->bytes == 1 &&
           format->kind == CDP_CHANNEL_UNSIGNED && channel < (format->channels == 4 ? 3 : 1);
}

#endif
