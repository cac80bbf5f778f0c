/* Arrays and copies of the driver API as those of the runtime API. The handles are the same. */
#ifndef CDP_API_DRIVER_ARRAY_H
#define CDP_API_DRIVER_ARRAY_H

#include <stdbool.h>

#include "cuda.h"
#include "driver_types.h"

static inline cudaArray_t cdp_array_of(CUarray array)
{
    return (cudaArray_t)(void *)array;
}
static inline CUarray cdp_cu_array_of(cudaArray_t array)
{
    return (CUarray)(void *)array;
}

/* The channels of a format. CUDA_ERROR_NOT_SUPPORTED: the format is packed, or one of videos. */
CUresult cdp_channels_of(CUarray_format format, unsigned count, struct cudaChannelFormatDesc *out);
CUarray_format cdp_array_format_of(const struct cudaChannelFormatDesc *desc, unsigned *count);

/* A copy of boxes in the terms of the runtime API, which counts elements where an array is
 * involved, and back. The runtime must have started. */
CUresult cdp_copy_params_of(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *out);
CUDA_MEMCPY3D cdp_cu_copy_of(const struct cudaMemcpy3DParms *params);

#endif
