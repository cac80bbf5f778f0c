/* Arrays: memory that only copies, textures and surfaces access. CUDA does not define their layout.
 * Here rows are contiguous, so a whole array is one contiguous range. */
#ifndef CDP_TEXTURE_ARRAY_H
#define CDP_TEXTURE_ARRAY_H

#include "base/status.h"
#include "mem/heap.h"
#include "texture/image.h"

/* The requested shape: sizes in texels, 0 for unused dimensions. */
struct cdp_array_shape {
    struct cdp_format format;
    size_t width, height, depth; /* layered: depth is the number of layers, or of faces of cubes */
    bool layered, cube;
    uint32_t levels; /* at least 1 */
    uint32_t flags;  /* the caller's; only stored */
};

/* Owner: the table that lists it (texture/table.h); const except for its texels. */
struct cdp_array {
    struct cdp_array_shape shape;
    void *memory;                           /* owned; NULL: a level of another array's */
    uint64_t level_handle[CDP_MOST_LEVELS]; /* of a mipmapped array: its levels' */
    struct cdp_image level[CDP_MOST_LEVELS];
};

/* CDP_INVALID_VALUE if the shape is not possible. */
enum cdp_status cdp_array_create(struct cdp_heap *heap, const struct cdp_array_shape *shape,
                                 struct cdp_array **out) CDP_MUST_CHECK;
/* One level of a mipmapped array as an array of its own. */
enum cdp_status cdp_array_create_level(const struct cdp_array *whole, uint32_t level,
                                       struct cdp_array **out) CDP_MUST_CHECK;
/* heap: of its memory; NULL for one level. */
void cdp_array_destroy(struct cdp_heap *heap, struct cdp_array *array);
/* Destroys the array if its memory lies in the heap, which has already freed it, or will free it.
 */
bool cdp_array_forget(void *array, void *heap);

#endif
