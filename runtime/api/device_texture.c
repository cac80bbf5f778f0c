/* Texture fetches and surface accesses of device code; compat/cdp/texture.h defines CUDA's
 * functions by these. */
#include <stdint.h>
#include <string.h>

#include "api/device.h"
#include "exec/report/finding.h"
#include "mem/describe.h"
#include "mem/memmap.h"
#include "texture/table.h"

/* With the check of memory: a texture of memory that was freed after its creation. */
CDP_COLD static void check_memory(const struct cdp_texture_object *object, const void *site)
{
    struct cdp_memory memory;
    char text[1300] = "";
    const char *data = object->texture.image[0].data;
    if (object->kind != CDP_OBJECT_TEXTURE || object->array != 0) {
        return;
    }
    cdp_memmap_find(data, &memory);
    if (memory.space == CDP_SPACE_DEVICE && memory.size == 0) {
        (void)cdp_describe_address(data, text, sizeof text);
        cdp_fault_raise(CDP_FAULT_ADDRESS, (const char *)site - 1,
                        "access through a texture object of memory that was freed, which is %s",
                        text);
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

void cdp_abi_tex_fetch(uint64_t object, int index, uint32_t *out)
{
    union cdp_texel texel;
    cdp_texture_fetch(&find(object, CDP_OBJECT_TEXTURE, __builtin_return_address(0))->texture,
                      index, &texel);
    memcpy(out, texel.u, sizeof texel.u);
}

void cdp_abi_tex_sample(uint64_t object, uint32_t dimensions, int layer, const float *position,
                        uint32_t *out)
{
    union cdp_texel texel;
    struct cdp_position at = {.x = position[0],
                              .y = position[1],
                              .z = position[2],
                              .level = position[3],
                              .layer = (uint32_t)layer,
                              .dimensions = dimensions};
    cdp_texture_sample(&find(object, CDP_OBJECT_TEXTURE, __builtin_return_address(0))->texture, &at,
                       &texel);
    memcpy(out, texel.u, sizeof texel.u);
}

void cdp_abi_tex_gather(uint64_t object, const float *position, int channel, uint32_t *out)
{
    union cdp_texel texel;
    struct cdp_position at = {.x = position[0], .y = position[1], .dimensions = 2};
    cdp_texture_gather(&find(object, CDP_OBJECT_TEXTURE, __builtin_return_address(0))->texture, &at,
                       channel, &texel);
    memcpy(out, texel.u, sizeof texel.u);
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

void *cdp_abi_surf(uint64_t object, const int *position, uint32_t bytes, uint32_t boundary)
{
    const struct cdp_surface *surface =
        &find(object, CDP_OBJECT_SURFACE, __builtin_return_address(0))->surface;
    const struct cdp_image *image = &surface->image;
    const void *pc = (const char *)__builtin_return_address(0) - 1;
    int64_t x = position[0], y = position[1], z = position[2];
    int64_t last_x = (int64_t)image->width * surface->texel_bytes - bytes;
    int64_t last_y = (int64_t)image->height - 1, last_z = (int64_t)image->depth - 1;
    if (CDP_UNLIKELY(x % bytes != 0)) {
        cdp_fault_raise(CDP_FAULT_MISALIGNED, pc,
                        "surface access of %u bytes at x = %lld: x counts bytes, and must be a "
                        "multiple of the element's size",
                        bytes, (long long)x);
    }
    if (x < 0 || x > last_x || y < 0 || y > last_y || z < 0 || z > last_z) {
        if (boundary == BOUNDARY_ZERO) {
            return NULL;
        }
        if (boundary == BOUNDARY_TRAP || last_x < 0) {
            cdp_fault_raise(CDP_FAULT_ADDRESS, pc,
                            "surface access at x = %lld (bytes), y = %lld, z or layer = %lld, "
                            "outside of %u x %u x %u elements",
                            (long long)x, (long long)y, (long long)z, image->width, image->height,
                            image->depth);
        }
        x = clamp(x, last_x), y = clamp(y, last_y), z = clamp(z, last_z);
    }
    return image->data + (size_t)z * image->slice + (size_t)y * image->pitch + (size_t)x;
}
