/* Arrays: memory that only copies, textures and surfaces reach.  CUDA leaves their
 * layout open; here rows lie side by side, so whole arrays are flat. */
#ifndef CDP_TEXTURE_ARRAY_H
#define CDP_TEXTURE_ARRAY_H

#include "base/status.h"
#include "mem/heap.h"
#include "texture/image.h"

/* What was asked for: sizes in texels, 0 for the dimensions there are not. */
struct cdp_array_shape {
    struct cdp_format format;
    size_t width, height, depth; /* layered: depth counts layers, or faces of cubes */
    bool layered, cube;
    uint32_t levels; /* at least 1 */
    uint32_t flags;  /* the caller's, kept */
};

/* Owner: the table it is listed in (texture/table.h); const but for its texels. */
struct cdp_array {
    struct cdp_array_shape shape;
    void *memory;                           /* owned; NULL: a level of another array's */
    uint64_t level_handle[CDP_MOST_LEVELS]; /* of a mipmapped array: its levels' */
    struct cdp_image level[CDP_MOST_LEVELS];
};

/* CDP_INVALID_VALUE if there can be no such array. */
enum cdp_status cdp_array_create(struct cdp_heap *heap, const struct cdp_array_shape *shape,
                                 struct cdp_array **out) CDP_MUST_CHECK;
/* One level of a mipmapped array as an array of its own. */
enum cdp_status cdp_array_create_level(const struct cdp_array *whole, uint32_t level,
                                       struct cdp_array **out) CDP_MUST_CHECK;
void cdp_array_destroy(struct cdp_heap *heap, struct cdp_array *array);
/* Destroys an array whose memory the heap has, or will have, taken back; arg is ignored. */
void cdp_array_forget(void *array, void *arg);

#endif
