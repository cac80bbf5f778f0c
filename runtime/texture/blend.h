/* Weighted sums of texels, in the arithmetic of a texture unit. */
#ifndef CDP_TEXTURE_BLEND_H
#define CDP_TEXTURE_BLEND_H

#include "texture/image.h"

/* Weights are whole numbers of these. */
#define CDP_BLEND_ONE 256
/* Planes of a blend: two of each of two levels. Texels of a plane. */
enum { CDP_BLEND_PLANES = 4, CDP_BLEND_TEXELS = 4 };

/* Texels as they are in memory. All weights together are CDP_BLEND_ONE. Texels without a weight are
 * not initialized. */
struct cdp_blend {
    unsigned planes;
    int32_t weight[CDP_BLEND_PLANES][CDP_BLEND_TEXELS];
    union cdp_texel texel[CDP_BLEND_PLANES][CDP_BLEND_TEXELS];
};

void cdp_blend_sum(const struct cdp_texture *texture, const struct cdp_blend *blend,
                   union cdp_texel *out);
/* A blend of signed bytes, whose weighted sum is given, in 32767ths. */
int32_t cdp_blend_signed_byte(int32_t sum);

#endif
