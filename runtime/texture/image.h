/* Texels in memory, and the operations of a texture or surface unit.
 *
 * Follows "Texture and Surface Memory" and "Texture Fetching" in the CUDA C++ Programming Guide.
 * The arithmetic, which the guide does not give, is that of GPUs: docs/textures.md has the rules.
 */
#ifndef CDP_TEXTURE_IMAGE_H
#define CDP_TEXTURE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CDP_MOST_LEVELS = 16, CDP_CUBE_FACES = 6 };

/* In the order of cudaChannelFormatKind. */
enum cdp_channel_kind { CDP_CHANNEL_SIGNED, CDP_CHANNEL_UNSIGNED, CDP_CHANNEL_FLOAT };

struct cdp_format {
    uint8_t kind;     /* enum cdp_channel_kind */
    uint8_t channels; /* 1, 2 or 4 */
    uint8_t bytes;    /* of a channel: 1, 2 or 4 */
    bool normalized;  /* the kind says that integers become floats, whatever the texture says */
};

static inline uint32_t cdp_texel_bytes(const struct cdp_format *format)
{
    return (uint32_t)format->channels * format->bytes;
}

/* One level of detail.  Borrows its memory.  Layers and cube faces are slices. */
struct cdp_image {
    char *data;
    size_t pitch, slice;           /* bytes from row to row, from slice to slice */
    uint32_t width, height, depth; /* each at least 1 */
};

/* Four channels as a fetch returns them: 32-bit integers or floats. */
union cdp_texel {
    uint32_t u[4];
    float f[4];
};

/* In the order of cudaTextureAddressMode. */
enum cdp_address_mode {
    CDP_ADDRESS_WRAP,
    CDP_ADDRESS_CLAMP,
    CDP_ADDRESS_MIRROR,
    CDP_ADDRESS_BORDER,
};

/* How a texture reads its images. */
struct cdp_sampler {
    uint8_t address[3];          /* enum cdp_address_mode */
    bool linear;                 /* between texels of a level */
    bool linear_levels;          /* between levels */
    bool normalized_coordinates; /* as the program asks for them */
    bool normalized_values;      /* integers become floats in [0, 1] or [-1, 1] */
    bool srgb;
    float border[4];
    float bias, least_level, most_level;
    bool seamless, exact_levels; /* without an effect; for queries */
    unsigned anisotropy;         /* the largest ratio of a picture's axes on the texture */
};

/* Const while any kernel may use it. */
struct cdp_texture {
    struct cdp_format format;
    struct cdp_sampler sampler;
    bool is_linear_memory; /* one row, read by tex1Dfetch */
    uint8_t dimensions;    /* number of sampled dimensions: 1, 2 or 3 */
    uint32_t layers;       /* 0: not layered; a cube counts as one layer */
    bool is_cube;
    bool is_mipmapped; /* also with one level; for queries */
    uint32_t levels;
    struct cdp_image image[CDP_MOST_LEVELS];
};

/* The position of a fetch: x, y, z are the texture's coordinates; for cubes, a direction. */
struct cdp_position {
    float x, y, z;
    float level;
    uint32_t layer;
    uint32_t dimensions; /* number of coordinates in the call; cubes: 2 */
    int offset[3];       /* whole texels that are added to the coordinates */
};

/* The texel at whole coordinates; the third one may be a layer, of which the last one counts for
 * those behind it. Not filtered, and zero outside, whatever the address modes are. */
void cdp_texture_texel(const struct cdp_texture *texture, const int at[3], union cdp_texel *out);
/* Its address; NULL: outside. */
const char *cdp_texture_address(const struct cdp_texture *texture, const int at[3]);
/* The other fetches. The texture's address modes apply to positions outside. */
void cdp_texture_sample(const struct cdp_texture *texture, const struct cdp_position *at,
                        union cdp_texel *out);
/* One channel of the four texels that a linear filter would blend at (x, y), or on a cube's face.
 */
void cdp_texture_gather(const struct cdp_texture *texture, const struct cdp_position *at,
                        int channel, union cdp_texel *out);
/* A texture in memory, not in an array: the first texel that the fetch would read at limit or
 * beyond it; NULL: there is none. */
const char *cdp_texture_beyond(const struct cdp_texture *texture, const struct cdp_position *at,
                               bool gathers, const char *limit);
/* The level at which a step of one pixel is a step of one texel. The derivatives are those of the
 * coordinates along the two axes of the picture. */
float cdp_texture_level(const struct cdp_texture *texture, const float along_x[3],
                        const float along_y[3]);

#endif
