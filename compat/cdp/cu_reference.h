/* The driver API's texture and surface references, which CUDA 12 removed from the language
 * ("Texture Reference Management [DEPRECATED]" in NVIDIA's manual). Included by cuda.h. */
#ifndef __CDP_CU_REFERENCE_H
#define __CDP_CU_REFERENCE_H

#include "cu_array_types.h"

typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;

#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_PARAM_TR_DEFAULT -1

#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuModuleGetTexRef(CUtexref *__reference, CUmodule __module, const char *__name);
CUresult cuModuleGetSurfRef(CUsurfref *__reference, CUmodule __module, const char *__name);
CUresult cuTexRefCreate(CUtexref *__reference);
CUresult cuTexRefDestroy(CUtexref __reference);

/* ---- What is bound ---- */
CUresult cuTexRefSetArray(CUtexref __reference, CUarray __array, unsigned int __flags);
CUresult cuTexRefSetMipmappedArray(CUtexref __reference, CUmipmappedArray __array,
                                   unsigned int __flags);
CUresult cuTexRefSetAddress(size_t *__offset, CUtexref __reference, CUdeviceptr __ptr,
                            size_t __size);
CUresult cuTexRefSetAddress2D(CUtexref __reference, const CUDA_ARRAY_DESCRIPTOR *__desc,
                              CUdeviceptr __ptr, size_t __pitch);
CUresult cuTexRefGetAddress(CUdeviceptr *__ptr, CUtexref __reference);
CUresult cuTexRefGetArray(CUarray *__array, CUtexref __reference);
CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *__array, CUtexref __reference);
CUresult cuSurfRefSetArray(CUsurfref __reference, CUarray __array, unsigned int __flags);
CUresult cuSurfRefGetArray(CUarray *__array, CUsurfref __reference);

/* ---- How it is read ---- */
CUresult cuTexRefSetFormat(CUtexref __reference, CUarray_format __format, int __channels);
CUresult cuTexRefSetAddressMode(CUtexref __reference, int __dim, CUaddress_mode __mode);
CUresult cuTexRefSetFilterMode(CUtexref __reference, CUfilter_mode __mode);
CUresult cuTexRefSetFlags(CUtexref __reference, unsigned int __flags);
CUresult cuTexRefSetMipmapFilterMode(CUtexref __reference, CUfilter_mode __mode);
CUresult cuTexRefSetMipmapLevelBias(CUtexref __reference, float __bias);
CUresult cuTexRefSetMipmapLevelClamp(CUtexref __reference, float __min, float __max);
CUresult cuTexRefSetMaxAnisotropy(CUtexref __reference, unsigned int __most);
CUresult cuTexRefSetBorderColor(CUtexref __reference, float *__color);
CUresult cuTexRefGetFormat(CUarray_format *__format, int *__channels, CUtexref __reference);
CUresult cuTexRefGetAddressMode(CUaddress_mode *__mode, CUtexref __reference, int __dim);
CUresult cuTexRefGetFilterMode(CUfilter_mode *__mode, CUtexref __reference);
CUresult cuTexRefGetFlags(unsigned int *__flags, CUtexref __reference);
CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *__mode, CUtexref __reference);
CUresult cuTexRefGetMipmapLevelBias(float *__bias, CUtexref __reference);
CUresult cuTexRefGetMipmapLevelClamp(float *__min, float *__max, CUtexref __reference);
CUresult cuTexRefGetMaxAnisotropy(int *__most, CUtexref __reference);
CUresult cuTexRefGetBorderColor(float *__color, CUtexref __reference);

#ifdef __cplusplus
}
#endif

#endif
