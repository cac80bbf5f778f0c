/* Texture fetches and surface accesses of device code; compat/cdp/texture.h defines CUDA's
 * functions by these. */
#include <stdint.h>
#include <string.h>

#include "api/device.h"
#include "exec/report/finding.h"
#include "mem/describe.h"
#include "mem/memmap.h"
#include "texture/table.h"
#include "texture/texel.h"

/* With the check of memory: the memory of a texture, or of an array, was freed after the object's
 * creation. */
CDP_COLD static void check_memory(const struct cdp_texture_object *object, const void *site)
{
    struct cdp_memory memory;
    char text[1300] = "";
    bool is_texture = object->kind == CDP_OBJECT_TEXTURE;
    const char *data = is_texture ? object->texture.image[0].data : object->surface.image.data;
    cdp_memmap_find(data, &memory);
    if (memory.space == CDP_SPACE_DEVICE && memory.size == 0) {
        (void)cdp_describe_address(data, text, sizeof text);
        cdp_fault_raise(CDP_FAULT_ADDRESS, (const char *)site - 1,
                        "access through a %s object of memory that was freed, which is %s",
                        is_texture ? "texture" : "surface", text);
    }
}

/* With the check of memory: whether the texture is larger than the memory that it was made of.
 * *limit: the end of that memory. */
static bool is_too_large(const struct cdp_texture_object *object, const char **limit)
{
    struct cdp_memory memory;
    const struct cdp_image *image = &object->texture.image[0];
    if (object->array != 0 || !cdp_finding_is_on(CDP_CHECKS_MEMORY)) {
        return false;
    }
    cdp_memmap_find(image->data, &memory);
    size_t row = (size_t)image->width * cdp_texel_bytes(&object->texture.format);
    *limit = (const char *)memory.base + memory.size;
    return memory.space != CDP_SPACE_HOST &&
           (size_t)(image->height - 1) * image->pitch + row > (size_t)(*limit - image->data);
}

CDP_COLD static void raise_beyond(const struct cdp_texture *texture, const char *texel,
                                  const void *site)
{
    char text[1300] = "";
    (void)cdp_describe_address(texel, text, sizeof text);
    cdp_fault_raise(CDP_FAULT_ADDRESS, (const char *)site - 1,
                    "read of %u bytes through a texture object that is larger than its memory, at "
                    "an address which is %s",
                    cdp_texel_bytes(&texture->format), text);
}

/* A GPU only compares positions with the size that the texture was given. */
static void check_position(const struct cdp_texture_object *object, const struct cdp_position *at,
                           bool gathers, const void *site)
{
    const char *limit;
    if (CDP_UNLIKELY(is_too_large(object, &limit))) {
        const char *texel = cdp_texture_beyond(&object->texture, at, gathers, limit);
        if (texel != NULL) {
            raise_beyond(&object->texture, texel, site);
        }
    }
}

/* site: the return address of device code. */
static const struct cdp_texture_object *find(uint64_t object, enum cdp_object_kind kind,
                                             const void *site)
{
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    /* The runtime is running, because device code is. */
    const struct cdp_texture_object *found =
        cdp_table_find_any(&cdp_runtime_running()->textures, object, kind);
    if (CDP_UNLIKELY(found == NULL)) {
        cdp_fault_raise(CDP_FAULT_ADDRESS, (const char *)site - 1,
                        "access through a %s object that does not exist, or was destroyed",
                        kind == CDP_OBJECT_TEXTURE ? "texture" : "surface");
    }
    if (CDP_UNLIKELY(cdp_finding_is_on(CDP_CHECKS_MEMORY))) {
        check_memory(found, site);
    }
    return found;
}

static void check_texel(const struct cdp_texture_object *object, const int at[3], const void *site)
{
    const char *limit;
    if (CDP_UNLIKELY(is_too_large(object, &limit))) {
        const char *texel = cdp_texture_address(&object->texture, at);
        if (texel != NULL && texel + cdp_texel_bytes(&object->texture.format) > limit) {
            raise_beyond(&object->texture, texel, site);
        }
    }
}

static void fetch(uint64_t object, const int at[3], uint32_t *out, const void *site)
{
    union cdp_texel texel;
    const struct cdp_texture_object *found = find(object, CDP_OBJECT_TEXTURE, site);
    check_texel(found, at, site);
    cdp_texture_texel(&found->texture, at, &texel);
    memcpy(out, texel.u, sizeof texel.u);
}

void cdp_abi_tex_fetch(uint64_t object, int index, uint32_t *out)
{
    fetch(object, (const int[3]){index, 0, 0}, out, __builtin_return_address(0));
}

void cdp_abi_tex_texel(uint64_t object, const int *at, uint32_t *out)
{
    fetch(object, at, out, __builtin_return_address(0));
}

static void sample(uint64_t object, const struct cdp_position *at, uint32_t *out, const void *site)
{
    union cdp_texel texel;
    const struct cdp_texture_object *found = find(object, CDP_OBJECT_TEXTURE, site);
    check_position(found, at, false, site);
    cdp_texture_sample(&found->texture, at, &texel);
    memcpy(out, texel.u, sizeof texel.u);
}

void cdp_abi_tex_sample(uint64_t object, uint32_t dimensions, int layer, const float *position,
                        uint32_t *out)
{
    struct cdp_position at = {.x = position[0],
                              .y = position[1],
                              .z = position[2],
                              .level = position[3],
                              .layer = (uint32_t)layer,
                              .dimensions = dimensions};
    sample(object, &at, out, __builtin_return_address(0));
}

void cdp_abi_tex_sample_offset(uint64_t object, uint32_t dimensions, int layer,
                               const float *position, const int *offset, uint32_t *out)
{
    struct cdp_position at = {.x = position[0],
                              .y = position[1],
                              .z = position[2],
                              .level = position[3],
                              .layer = (uint32_t)layer,
                              .dimensions = dimensions,
                              .offset = {offset[0], offset[1], offset[2]}};
    sample(object, &at, out, __builtin_return_address(0));
}

static void gather(uint64_t object, const struct cdp_position *at, int channel, uint32_t *out,
                   const void *site)
{
    union cdp_texel texel;
    const struct cdp_texture_object *found = find(object, CDP_OBJECT_TEXTURE, site);
    check_position(found, at, true, site);
    cdp_texture_gather(&found->texture, at, channel, &texel);
    memcpy(out, texel.u, sizeof texel.u);
}

void cdp_abi_tex_gather(uint64_t object, const float *position, int channel, uint32_t *out)
{
    struct cdp_position at = {.x = position[0], .y = position[1], .dimensions = 2};
    gather(object, &at, channel, out, __builtin_return_address(0));
}

void cdp_abi_tex_gather_offset(uint64_t object, int layer, const float *position, const int *offset,
                               int channel, uint32_t *out)
{
    struct cdp_position at = {.x = position[0],
                              .y = position[1],
                              .z = position[2],
                              .layer = (uint32_t)layer,
                              .dimensions = 2,
                              .offset = {offset[0], offset[1]}};
    gather(object, &at, channel, out, __builtin_return_address(0));
}

float cdp_abi_tex_level(uint64_t object, const float *along_x, const float *along_y)
{
    return cdp_texture_level(
        &find(object, CDP_OBJECT_TEXTURE, __builtin_return_address(0))->texture, along_x, along_y);
}

/* In the order of cudaSurfaceBoundaryMode. */
enum boundary { BOUNDARY_ZERO, BOUNDARY_CLAMP, BOUNDARY_TRAP };

static int64_t clamp(int64_t value, int64_t last)
{
    return value < 0 ? 0 : value > last ? last : value;
}

/* An access of a surface. x counts bytes. */
struct access {
    const struct cdp_surface *surface;
    int64_t x, y, z;
    uint32_t bytes;
    enum boundary boundary;
    const void *pc;
};

CDP_COLD static void raise_outside(const struct access *access)
{
    const struct cdp_image *image = &access->surface->image;
    cdp_fault_raise(CDP_FAULT_ADDRESS, access->pc,
                    "surface access at x = %lld (bytes), y = %lld, z or layer = %lld, "
                    "outside of %u x %u x %u elements",
                    (long long)access->x, (long long)access->y, (long long)access->z, image->width,
                    image->height, image->depth);
}

/* NULL: nothing is accessed. A clamped x is a multiple of the access's size, as all are; the number
 * of a layer has no sign. */
static char *address_of(const struct access *access)
{
    const struct cdp_image *image = &access->surface->image;
    int64_t x = access->x, y = access->y, z = access->z;
    int64_t width = (int64_t)image->width * cdp_texel_bytes(&access->surface->format);
    int64_t last_x = width - access->bytes;
    int64_t last_y = (int64_t)image->height - 1, last_z = (int64_t)image->depth - 1;
    if (x < 0 || x > last_x || y < 0 || y > last_y || z < 0 || z > last_z) {
        if (access->boundary == BOUNDARY_ZERO) {
            return NULL;
        }
        if (access->boundary == BOUNDARY_TRAP || last_x < 0) {
            raise_outside(access);
        }
        x = clamp(x, last_x - last_x % access->bytes), y = clamp(y, last_y);
        z = access->surface->is_layered && z < 0 ? last_z : clamp(z, last_z);
    }
    return image->data + (size_t)z * image->slice + (size_t)y * image->pitch + (size_t)x;
}

void *cdp_abi_surf(uint64_t object, const int *position, uint32_t bytes, uint32_t boundary)
{
    const void *site = __builtin_return_address(0);
    struct access access = {.surface = &find(object, CDP_OBJECT_SURFACE, site)->surface,
                            .x = position[0],
                            .y = position[1],
                            .z = position[2],
                            .bytes = bytes,
                            .boundary = (enum boundary)boundary,
                            .pc = (const char *)site - 1};
    if (CDP_UNLIKELY(access.x % bytes != 0)) {
        cdp_fault_raise(CDP_FAULT_MISALIGNED, access.pc,
                        "surface access of %u bytes at x = %lld: x counts bytes, and must be a "
                        "multiple of the element's size",
                        bytes, (long long)access.x);
    }
    return address_of(&access);
}

/* The position counts texels. */
void cdp_abi_surf_store(uint64_t object, const int *position, uint32_t boundary,
                        const uint32_t *words)
{
    const void *site = __builtin_return_address(0);
    const struct cdp_surface *surface = &find(object, CDP_OBJECT_SURFACE, site)->surface;
    uint32_t bytes = cdp_texel_bytes(&surface->format);
    struct access access = {.surface = surface,
                            .x = (int64_t)position[0] * bytes,
                            .y = position[1],
                            .z = position[2],
                            .bytes = bytes,
                            .boundary = (enum boundary)boundary,
                            .pc = (const char *)site - 1};
    char *to = address_of(&access);
    if (to != NULL) {
        cdp_texel_write(&surface->format, words, to);
    }
}
