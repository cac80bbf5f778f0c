/* Calls of the driver API, by the chapters of NVIDIA's manual. As there, some names have a suffix in
 * the library. */
#ifndef __CDP_CU_API_H
#define __CDP_CU_API_H

#define cuGetProcAddress cuGetProcAddress_v2
#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Initialization, versions, errors, entry points ---- */
CUresult cuInit(unsigned int __flags);
CUresult cuDriverGetVersion(int *__version);
CUresult cuGetErrorString(CUresult __error, const char **__text);
CUresult cuGetErrorName(CUresult __error, const char **__name);
CUresult cuGetProcAddress(const char *__name, void **__function, int __version, cuuint64_t __flags,
                          CUdriverProcAddressQueryResult *__result);

/* ---- Devices and their primary context ---- */
CUresult cuDeviceGet(CUdevice *__device, int __ordinal);
CUresult cuDeviceGetCount(int *__count);
CUresult cuDeviceGetName(char *__name, int __length, CUdevice __device);
CUresult cuDeviceGetUuid(CUuuid *__uuid, CUdevice __device);
CUresult cuDeviceTotalMem(size_t *__bytes, CUdevice __device);
CUresult cuDeviceGetAttribute(int *__value, CUdevice_attribute __attr, CUdevice __device);
CUresult cuDeviceComputeCapability(int *__major, int *__minor, CUdevice __device);
CUresult cuDeviceGetProperties(CUdevprop *__properties, CUdevice __device);
CUresult cuDeviceGetPCIBusId(char *__id, int __length, CUdevice __device);
CUresult cuDeviceGetByPCIBusId(CUdevice *__device, const char *__id);
CUresult cuDeviceCanAccessPeer(int *__can, CUdevice __device, CUdevice __peer);
CUresult cuDeviceGetP2PAttribute(int *__value, CUdevice_P2PAttribute __attr, CUdevice __src,
                                 CUdevice __dst);
CUresult cuDevicePrimaryCtxRetain(CUcontext *__context, CUdevice __device);
CUresult cuDevicePrimaryCtxRelease(CUdevice __device);
CUresult cuDevicePrimaryCtxReset(CUdevice __device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice __device, unsigned int __flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice __device, unsigned int *__flags, int *__is_active);

/* ---- Modules ---- */
CUresult cuModuleLoad(CUmodule *__module, const char *__path);
CUresult cuModuleLoadData(CUmodule *__module, const void *__image);
CUresult cuModuleLoadDataEx(CUmodule *__module, const void *__image, unsigned int __count,
                            CUjit_option *__options, void **__values);
CUresult cuModuleLoadFatBinary(CUmodule *__module, const void *__image);
CUresult cuModuleUnload(CUmodule __module);
CUresult cuModuleGetFunction(CUfunction *__function, CUmodule __module, const char *__name);
CUresult cuModuleGetGlobal(CUdeviceptr *__ptr, size_t *__size, CUmodule __module,
                           const char *__name);

CUresult cuLinkCreate(unsigned int __count, CUjit_option *__options, void **__values,
                      CUlinkState *__state);
CUresult cuLinkAddData(CUlinkState __state, CUjitInputType __type, void *__data, size_t __size,
                       const char *__name, unsigned int __count, CUjit_option *__options,
                       void **__values);
CUresult cuLinkAddFile(CUlinkState __state, CUjitInputType __type, const char *__path,
                       unsigned int __count, CUjit_option *__options, void **__values);
CUresult cuLinkComplete(CUlinkState __state, void **__image, size_t *__size);
CUresult cuLinkDestroy(CUlinkState __state);

/* ---- Memory ---- */
CUresult cuMemGetInfo(size_t *__free, size_t *__total);
CUresult cuMemAlloc(CUdeviceptr *__ptr, size_t __size);
CUresult cuMemAllocPitch(CUdeviceptr *__ptr, size_t *__pitch, size_t __width, size_t __height,
                         unsigned int __element_size);
CUresult cuMemFree(CUdeviceptr __ptr);
CUresult cuMemGetAddressRange(CUdeviceptr *__base, size_t *__size, CUdeviceptr __ptr);
CUresult cuMemAllocHost(void **__ptr, size_t __size);
CUresult cuMemFreeHost(void *__ptr);
CUresult cuMemHostAlloc(void **__ptr, size_t __size, unsigned int __flags);
CUresult cuMemHostGetDevicePointer(CUdeviceptr *__device, void *__host, unsigned int __flags);
CUresult cuMemHostGetFlags(unsigned int *__flags, void *__host);
CUresult cuMemHostRegister(void *__ptr, size_t __size, unsigned int __flags);
CUresult cuMemHostUnregister(void *__ptr);
CUresult cuMemAllocManaged(CUdeviceptr *__ptr, size_t __size, unsigned int __flags);
CUresult cuMemAllocAsync(CUdeviceptr *__ptr, size_t __size, CUstream __stream);
CUresult cuMemFreeAsync(CUdeviceptr __ptr, CUstream __stream);
CUresult cuPointerGetAttribute(void *__value, CUpointer_attribute __attr, CUdeviceptr __ptr);
CUresult cuPointerGetAttributes(unsigned int __count, CUpointer_attribute *__attrs, void **__values,
                                CUdeviceptr __ptr);
CUresult cuPointerSetAttribute(const void *__value, CUpointer_attribute __attr, CUdeviceptr __ptr);
CUresult cuMemcpy(CUdeviceptr __dst, CUdeviceptr __src, size_t __size);
CUresult cuMemcpyAsync(CUdeviceptr __dst, CUdeviceptr __src, size_t __size, CUstream __stream);
CUresult cuMemcpyHtoD(CUdeviceptr __dst, const void *__src, size_t __size);
CUresult cuMemcpyDtoH(void *__dst, CUdeviceptr __src, size_t __size);
CUresult cuMemcpyDtoD(CUdeviceptr __dst, CUdeviceptr __src, size_t __size);
CUresult cuMemcpyHtoDAsync(CUdeviceptr __dst, const void *__src, size_t __size, CUstream __stream);
CUresult cuMemcpyDtoHAsync(void *__dst, CUdeviceptr __src, size_t __size, CUstream __stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr __dst, CUdeviceptr __src, size_t __size, CUstream __stream);
CUresult cuMemcpyPeer(CUdeviceptr __dst, CUcontext __dst_context, CUdeviceptr __src,
                      CUcontext __src_context, size_t __size);
CUresult cuMemcpyPeerAsync(CUdeviceptr __dst, CUcontext __dst_context, CUdeviceptr __src,
                           CUcontext __src_context, size_t __size, CUstream __stream);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *__copy);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *__copy);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *__copy, CUstream __stream);
CUresult cuMemsetD8(CUdeviceptr __ptr, unsigned char __value, size_t __count);
CUresult cuMemsetD16(CUdeviceptr __ptr, unsigned short __value, size_t __count);
CUresult cuMemsetD32(CUdeviceptr __ptr, unsigned int __value, size_t __count);
CUresult cuMemsetD8Async(CUdeviceptr __ptr, unsigned char __value, size_t __count,
                         CUstream __stream);
CUresult cuMemsetD16Async(CUdeviceptr __ptr, unsigned short __value, size_t __count,
                          CUstream __stream);
CUresult cuMemsetD32Async(CUdeviceptr __ptr, unsigned int __value, size_t __count,
                          CUstream __stream);
CUresult cuMemsetD2D8(CUdeviceptr __ptr, size_t __pitch, unsigned char __value, size_t __width,
                      size_t __height);
CUresult cuMemsetD2D16(CUdeviceptr __ptr, size_t __pitch, unsigned short __value, size_t __width,
                       size_t __height);
CUresult cuMemsetD2D32(CUdeviceptr __ptr, size_t __pitch, unsigned int __value, size_t __width,
                       size_t __height);
CUresult cuMemsetD2D8Async(CUdeviceptr __ptr, size_t __pitch, unsigned char __value,
                           size_t __width, size_t __height, CUstream __stream);
CUresult cuMemsetD2D16Async(CUdeviceptr __ptr, size_t __pitch, unsigned short __value,
                            size_t __width, size_t __height, CUstream __stream);
CUresult cuMemsetD2D32Async(CUdeviceptr __ptr, size_t __pitch, unsigned int __value,
                            size_t __width, size_t __height, CUstream __stream);

/* ---- Streams and events ---- */
CUresult cuStreamCreate(CUstream *__stream, unsigned int __flags);
CUresult cuStreamCreateWithPriority(CUstream *__stream, unsigned int __flags, int __priority);
CUresult cuStreamDestroy(CUstream __stream);
CUresult cuStreamSynchronize(CUstream __stream);
CUresult cuStreamQuery(CUstream __stream);
CUresult cuStreamWaitEvent(CUstream __stream, CUevent __event, unsigned int __flags);
CUresult cuStreamAddCallback(CUstream __stream, CUstreamCallback __callback, void *__data,
                             unsigned int __flags);
CUresult cuStreamGetFlags(CUstream __stream, unsigned int *__flags);
CUresult cuStreamGetPriority(CUstream __stream, int *__priority);
CUresult cuStreamGetCtx(CUstream __stream, CUcontext *__context);
CUresult cuLaunchHostFunc(CUstream __stream, CUhostFn __function, void *__data);
CUresult cuEventCreate(CUevent *__event, unsigned int __flags);
CUresult cuEventRecord(CUevent __event, CUstream __stream);
CUresult cuEventRecordWithFlags(CUevent __event, CUstream __stream, unsigned int __flags);
CUresult cuEventQuery(CUevent __event);
CUresult cuEventSynchronize(CUevent __event);
CUresult cuEventDestroy(CUevent __event);
CUresult cuEventElapsedTime(float *__ms, CUevent __start, CUevent __end);

/* ---- Kernels ---- */
CUresult cuFuncGetAttribute(int *__value, CUfunction_attribute __attr, CUfunction __function);
CUresult cuFuncSetAttribute(CUfunction __function, CUfunction_attribute __attr, int __value);
CUresult cuFuncSetCacheConfig(CUfunction __function, CUfunc_cache __config);
CUresult cuFuncSetSharedMemConfig(CUfunction __function, CUsharedconfig __config);
CUresult cuFuncGetName(const char **__name, CUfunction __function);
CUresult cuLaunchKernel(CUfunction __function, unsigned int __grid_x, unsigned int __grid_y,
                        unsigned int __grid_z, unsigned int __block_x, unsigned int __block_y,
                        unsigned int __block_z, unsigned int __shared, CUstream __stream,
                        void **__params, void **__extra);
CUresult cuLaunchCooperativeKernel(CUfunction __function, unsigned int __grid_x,
                                   unsigned int __grid_y, unsigned int __grid_z,
                                   unsigned int __block_x, unsigned int __block_y,
                                   unsigned int __block_z, unsigned int __shared,
                                   CUstream __stream, void **__params);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, CUfunction __function,
                                                     int __block_size, size_t __shared);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__blocks, CUfunction __function,
                                                              int __block_size, size_t __shared,
                                                              unsigned int __flags);
CUresult cuOccupancyMaxPotentialBlockSize(int *__grid_size, int *__block_size,
                                          CUfunction __function, CUoccupancyB2DSize __shared_of,
                                          size_t __shared, int __limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *__grid_size, int *__block_size,
                                                   CUfunction __function,
                                                   CUoccupancyB2DSize __shared_of, size_t __shared,
                                                   int __limit, unsigned int __flags);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *__shared, CUfunction __function,
                                                 int __blocks, int __block_size);

#ifdef __cplusplus
}
#endif

#endif
