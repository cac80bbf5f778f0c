/* The driver API's arrays, the copies that name them, and texture and surface objects. Included by
 * cuda.h. */
#ifndef __CDP_CU_ARRAY_H
#define __CDP_CU_ARRAY_H

#include "cu_array_types.h"

#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemcpyDtoA cuMemcpyDtoA_v2
#define cuMemcpyAtoD cuMemcpyAtoD_v2
#define cuMemcpyHtoA cuMemcpyHtoA_v2
#define cuMemcpyAtoH cuMemcpyAtoH_v2
#define cuMemcpyAtoA cuMemcpyAtoA_v2
#define cuMemcpyHtoAAsync cuMemcpyHtoAAsync_v2
#define cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Arrays ---- */
CUresult cuArrayCreate(CUarray *__array, const CUDA_ARRAY_DESCRIPTOR *__desc);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *__desc, CUarray __array);
CUresult cuArray3DCreate(CUarray *__array, const CUDA_ARRAY3D_DESCRIPTOR *__desc);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *__desc, CUarray __array);
CUresult cuArrayDestroy(CUarray __array);
CUresult cuMipmappedArrayCreate(CUmipmappedArray *__array, const CUDA_ARRAY3D_DESCRIPTOR *__desc,
                                unsigned int __levels);
CUresult cuMipmappedArrayGetLevel(CUarray *__level_array, CUmipmappedArray __array,
                                  unsigned int __level);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray __array);

/* ---- Copies; those with one offset are of arrays of one dimension ---- */
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *__copy);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *__copy, CUstream __stream);
CUresult cuMemcpyDtoA(CUarray __dst, size_t __offset, CUdeviceptr __src, size_t __size);
CUresult cuMemcpyAtoD(CUdeviceptr __dst, CUarray __src, size_t __offset, size_t __size);
CUresult cuMemcpyHtoA(CUarray __dst, size_t __offset, const void *__src, size_t __size);
CUresult cuMemcpyAtoH(void *__dst, CUarray __src, size_t __offset, size_t __size);
CUresult cuMemcpyAtoA(CUarray __dst, size_t __dst_offset, CUarray __src, size_t __src_offset,
                      size_t __size);
CUresult cuMemcpyHtoAAsync(CUarray __dst, size_t __offset, const void *__src, size_t __size,
                           CUstream __stream);
CUresult cuMemcpyAtoHAsync(void *__dst, CUarray __src, size_t __offset, size_t __size,
                           CUstream __stream);

/* ---- Texture and surface objects ---- */
CUresult cuTexObjectCreate(CUtexObject *__object, const CUDA_RESOURCE_DESC *__resource,
                           const CUDA_TEXTURE_DESC *__desc, const CUDA_RESOURCE_VIEW_DESC *__view);
CUresult cuTexObjectDestroy(CUtexObject __object);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *__resource, CUtexObject __object);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *__desc, CUtexObject __object);
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *__view, CUtexObject __object);
CUresult cuSurfObjectCreate(CUsurfObject *__object, const CUDA_RESOURCE_DESC *__resource);
CUresult cuSurfObjectDestroy(CUsurfObject __object);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *__resource, CUsurfObject __object);

#ifdef __cplusplus
}
#endif

#endif
