/* Arrays as the API's other parts see them. */
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

/* The format that a descriptor names: all channels alike, 1, 2 or 4 of them. */
bool cdp_format_of(const struct cudaChannelFormatDesc *desc, struct cdp_format *out);
struct cudaChannelFormatDesc cdp_desc_of(const struct cdp_format *format);

/* One side of a copy: a box of an array from (x, y, z) on, in texels.  False if a box
 * of that size does not lie in the array. */
bool cdp_array_box(const struct cdp_array *array, const struct cudaPos *from,
                   const struct cudaExtent *texels, struct cdp_box *out);

#endif
