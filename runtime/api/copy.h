/* CUDA's descriptions of copies and fills, translated: for host and device calls. */
#ifndef CDP_API_COPY_H
#define CDP_API_COPY_H

#include "driver_types.h"

#include "mem/copy.h"

/* cudaErrorNotSupported for arrays, cudaErrorInvalidValue for NULL. */
cudaError_t cdp_copy_of_3d(const struct cudaMemcpy3DParms *params, struct cdp_copy *out);
struct cdp_set cdp_set_of_3d(const struct cudaPitchedPtr *ptr, int value,
                             const struct cudaExtent *extent);

#endif
