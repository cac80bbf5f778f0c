/* Copies of CUDA arrays, and what CUDA has added later. Included by cuda_runtime_api.h within its extern "C". */
#ifndef __CDP_ARRAY_API_H
#define __CDP_ARRAY_API_H

cudaError_t cudaMemcpy2DToArray(cudaArray_t __dst, size_t x, size_t y, const void *__src,
                                size_t __src_pitch, size_t __width, size_t __height,
                                enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t __dst, size_t x, size_t y, const void *__src,
                                     size_t __src_pitch, size_t __width, size_t __height,
                                     enum cudaMemcpyKind __kind,
                                     cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void *__dst, size_t __dst_pitch, cudaArray_const_t __src,
                                  size_t x, size_t y, size_t __width, size_t __height,
                                  enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *__dst, size_t __dst_pitch, cudaArray_const_t __src,
                                       size_t x, size_t y, size_t __width, size_t __height,
                                       enum cudaMemcpyKind __kind,
                                       cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t
cudaMemcpy2DArrayToArray(cudaArray_t __dst, size_t __dst_x, size_t __dst_y, cudaArray_const_t __src,
                         size_t __src_x, size_t __src_y, size_t __width, size_t __height,
                         enum cudaMemcpyKind __kind __CDP_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArray(cudaArray_t __dst, size_t x, size_t y, const void *__src,
                              size_t __size, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t __dst, size_t x, size_t y, const void *__src,
                                   size_t __size, enum cudaMemcpyKind __kind,
                                   cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaMemcpyFromArray(void *__dst, cudaArray_const_t __src, size_t x, size_t y,
                                size_t __size, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyFromArrayAsync(void *__dst, cudaArray_const_t __src, size_t x, size_t y,
                                     size_t __size, enum cudaMemcpyKind __kind,
                                     cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t
cudaMemcpyArrayToArray(cudaArray_t __dst, size_t __dst_x, size_t __dst_y, cudaArray_const_t __src,
                       size_t __src_x, size_t __src_y, size_t __size,
                       enum cudaMemcpyKind __kind __CDP_DEFAULT(cudaMemcpyDeviceToDevice));

#include "array_parts.h"
#include "batch_api.h"
#include "notification_api.h"

#endif
