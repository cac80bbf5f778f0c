/* Arrays. */
#include "texture/array.h"

#include "base/alloc.h"
#include "mem/space.h"

/* These limits are similar to CUDA's limits of compute capability 9.0. They keep sums in range. */
enum { MOST_SIDE = 1 << 17 };

static bool is_possible(const struct cdp_array_shape *shape)
{
    bool fits = shape->width > 0 && shape->width <= MOST_SIDE && shape->height <= MOST_SIDE &&
                shape->depth <= MOST_SIDE && shape->levels <= CDP_MOST_LEVELS;
    if (shape->cube) {
        return fits && shape->width == shape->height && shape->depth % CDP_CUBE_FACES == 0 &&
               shape->depth != 0 && (shape->layered || shape->depth == CDP_CUBE_FACES);
    }
    if (shape->layered) {
        return fits && shape->depth != 0;
    }
    return fits && (shape->depth == 0 || shape->height != 0);
}

static uint32_t halved(size_t size, uint32_t level)
{
    size_t result = size >> level;
    return result > 0 ? (uint32_t)result : 1;
}

/* Places the levels one after the other; returns the bytes of all. */
static size_t lay_out(struct cdp_array *array)
{
    const struct cdp_array_shape *shape = &array->shape;
    bool slices = shape->layered || shape->cube;
    size_t end = 0;
    for (uint32_t i = 0; i < shape->levels; i++) {
        struct cdp_image *image = &array->level[i];
        image->width = halved(shape->width, i);
        image->height = halved(shape->height, i);
        image->depth = slices ? (uint32_t)shape->depth : halved(shape->depth, i);
        image->pitch = (size_t)image->width * cdp_texel_bytes(&shape->format);
        image->slice = image->pitch * image->height;
        image->data = (char *)array->memory + end;
        end += (image->slice * image->depth + 255) & ~(size_t)255;
    }
    return end;
}

enum cdp_status cdp_array_create(struct cdp_heap *heap, const struct cdp_array_shape *shape,
                                 struct cdp_array **out)
{
    if (!is_possible(shape)) {
        return CDP_INVALID_VALUE;
    }
    struct cdp_array *array = cdp_alloc_zero(sizeof *array);
    if (array == NULL) {
        return CDP_NO_MEMORY;
    }
    array->shape = *shape;
    struct cdp_heap_request request = {.size = lay_out(array), .kind = CDP_MEMORY_ARRAY};
    enum cdp_status status = cdp_heap_alloc(heap, &request, &array->memory);
    if (status != CDP_OK) {
        cdp_free(array);
        return status;
    }
    (void)lay_out(array); /* again, with the memory's address */
    *out = array;
    return CDP_OK;
}

enum cdp_status cdp_array_create_level(const struct cdp_array *whole, uint32_t level,
                                       struct cdp_array **out)
{
    struct cdp_array *array = cdp_alloc_zero(sizeof *array);
    if (array == NULL) {
        return CDP_NO_MEMORY;
    }
    const struct cdp_image *image = &whole->level[level];
    const struct cdp_array_shape *shape = &whole->shape;
    array->shape = *shape;
    array->shape.levels = 1;
    array->shape.width = image->width;
    array->shape.height = shape->height != 0 ? image->height : 0;
    array->shape.depth = shape->depth != 0 ? image->depth : 0;
    array->level[0] = *image;
    *out = array;
    return CDP_OK;
}

void cdp_array_destroy(struct cdp_heap *heap, struct cdp_array *array)
{
    if (array->memory != NULL) {
        (void)!cdp_heap_free(heap, array->memory,
                             NULL); /* the memory is ours, so this cannot fail */
    }
    cdp_free(array);
}

bool cdp_array_forget(void *array, void *heap)
{
    const struct cdp_array *found = array;
    if (!cdp_heap_contains(heap, found->level[0].data)) {
        return false;
    }
    cdp_free(array);
    return true;
}
