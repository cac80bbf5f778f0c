/* Texture and surface references, which CUDA 12 removed. Included by cuda_runtime_api.h within its
 * extern "C". */
#ifndef __CDP_REFERENCE_API_H
#define __CDP_REFERENCE_API_H

cudaError_t cudaBindTexture(size_t *__offset, const struct textureReference *__texture,
                            const void *__ptr, const struct cudaChannelFormatDesc *__desc,
                            size_t __size __CDP_DEFAULT(0xffffffffu));
cudaError_t cudaBindTexture2D(size_t *__offset, const struct textureReference *__texture,
                              const void *__ptr, const struct cudaChannelFormatDesc *__desc,
                              size_t __width, size_t __height, size_t __pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *__texture,
                                   cudaArray_const_t __array,
                                   const struct cudaChannelFormatDesc *__desc);
cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *__texture,
                                            cudaMipmappedArray_const_t __array,
                                            const struct cudaChannelFormatDesc *__desc);
cudaError_t cudaUnbindTexture(const struct textureReference *__texture);
cudaError_t cudaGetTextureAlignmentOffset(size_t *__offset,
                                          const struct textureReference *__texture);
cudaError_t cudaGetTextureReference(const struct textureReference **__texture,
                                    const void *__symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *__surface,
                                   cudaArray_const_t __array,
                                   const struct cudaChannelFormatDesc *__desc);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference **__surface,
                                    const void *__symbol);

#endif
