/* Queries of sparse arrays, of arrays with deferred mapping, and of planes. No array here is one of
 * these, so the calls give cudaErrorInvalidValue, as CUDA documents it for other arrays. Included by cuda_runtime_api.h within its extern "C". */
#ifndef __CDP_ARRAY_PARTS_H
#define __CDP_ARRAY_PARTS_H

#include "../driver_types.h"
#include "hide.h"

/* Flags that give cudaErrorNotSupported. */
#define cudaArraySparse 0x40
#define cudaArrayDeferredMapping 0x80
#define cudaArraySparsePropertiesSingleMipTail 0x1

struct cudaArraySparseProperties {
    struct {
        unsigned int width, height, depth;
    } tileExtent;
    unsigned int miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned int flags;
    unsigned int reserved[4];
};
struct cudaArrayMemoryRequirements {
    size_t size, alignment;
    unsigned int reserved[4];
};

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *__properties,
                                         cudaArray_t __array);
cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *__properties,
                                                  cudaMipmappedArray_t __array);
cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *__requirements,
                                           cudaArray_t __array, int __device);
cudaError_t
cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *__requirements,
                                        cudaMipmappedArray_t __array, int __device);
/* The most elements of a linear texture of that format. */
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *__elements,
                                                 const struct cudaChannelFormatDesc *__format,
                                                 int __device);
cudaError_t cudaArrayGetPlane(cudaArray_t *__plane, cudaArray_t __array, unsigned int __number);

#include "show.h"

#endif
