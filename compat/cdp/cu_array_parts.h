/* The driver API's names of cdp/array_parts.h. Included by cuda.h within its extern "C". */
#ifndef __CDP_CU_ARRAY_PARTS_H
#define __CDP_CU_ARRAY_PARTS_H

#include "cu_array_types.h"
#include "hide.h"

/* Flags that give CUDA_ERROR_NOT_SUPPORTED. */
#define CUDA_ARRAY3D_SPARSE 0x40
#define CUDA_ARRAY3D_DEFERRED_MAPPING 0x80

typedef enum CUarraySparseSubresourceType_enum {
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL = 0,
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL = 1
} CUarraySparseSubresourceType;

typedef struct CUDA_ARRAY_SPARSE_PROPERTIES_st {
    struct {
        unsigned int width, height, depth;
    } tileExtent;
    unsigned int miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned int flags;
    unsigned int reserved[4];
} CUDA_ARRAY_SPARSE_PROPERTIES;
typedef struct CUDA_ARRAY_MEMORY_REQUIREMENTS_st {
    size_t size, alignment;
    unsigned int reserved[4];
} CUDA_ARRAY_MEMORY_REQUIREMENTS;

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *__properties, CUarray __array);
CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *__properties,
                                             CUmipmappedArray __array);
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *__requirements,
                                      CUarray __array, CUdevice __device);
CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *__requirements,
                                               CUmipmappedArray __array, CUdevice __device);
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *__elements, CUarray_format __format,
                                            unsigned int __channels, CUdevice __device);
CUresult cuArrayGetPlane(CUarray *__plane, CUarray __array, unsigned int __number);

#ifdef __cplusplus
}
#endif

#include "show.h"

#endif
