/* The interface of arrays for the other files of the API. */
#ifndef CDP_API_ARRAY_H
#define CDP_API_ARRAY_H

#include <stdint.h>

#include "driver_types.h"

#include "mem/copy.h"
#include "texture/array.h"

struct cdp_runtime;

static inline uint64_t cdp_handle_of_array(cudaArray_const_t array)
{
    return (uintptr_t)(const void *)array;
}

/* The format that a descriptor names: 1, 2 or 4 equal channels. */
bool cdp_format_of(const struct cudaChannelFormatDesc *desc, struct cdp_format *out);
struct cudaChannelFormatDesc cdp_desc_of(const struct cdp_format *format);

/* A new array, with levels or without, for the program's call at site. */
struct cdp_array_order {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent;
    unsigned levels, flags;
    const void *site;
};
/* As cudaMalloc3DArray and cudaMallocMipmappedArray. They set the last error. */
cudaError_t cdp_array_make(cudaArray_t *array, const struct cdp_array_order *order);
cudaError_t cdp_array_make_levels(cudaMipmappedArray_t *array, const struct cdp_array_order *order);

/* One side of a copy: a box of an array that starts at (x, y, z), in texels. False if a box of that
 * size is not within the array. */
bool cdp_array_box(const struct cdp_array *array, const struct cudaPos *from,
                   const struct cudaExtent *texels, struct cdp_box *out);

#endif
