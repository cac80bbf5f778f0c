/* Batches of copies. The whole batch is in the order of its stream, its copies are in no order.
 * Included by cuda_runtime_api.h within its extern "C". */
#ifndef __CDP_BATCH_API_H
#define __CDP_BATCH_API_H

#include "batch_types.h"

cudaError_t cudaMemcpyBatchAsync(void **__dsts, void **__srcs, size_t *__sizes, size_t __count,
                                 struct cudaMemcpyAttributes *__attrs, size_t *__attr_starts,
                                 size_t __attr_count, size_t *__failed, cudaStream_t __stream);
cudaError_t cudaMemcpy3DBatchAsync(size_t __count, struct cudaMemcpy3DBatchOp *__ops,
                                   size_t *__failed, unsigned long long __flags,
                                   cudaStream_t __stream);

/* As cdp/per_thread.h, before other functions have these names. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_ARCH__)
extern __typeof__(cudaMemcpyBatchAsync) cudaMemcpyBatchAsync __asm__("cudaMemcpyBatchAsync_ptsz");
extern __typeof__(cudaMemcpy3DBatchAsync) cudaMemcpy3DBatchAsync __asm__(
    "cudaMemcpy3DBatchAsync_ptsz");
#endif

#ifdef __cplusplus
extern "C++" {
/* One set of attributes for all copies. */
static inline cudaError_t cudaMemcpyBatchAsync(void **__dsts, void **__srcs, size_t *__sizes,
                                               size_t __count, cudaMemcpyAttributes __attr,
                                               size_t *__failed, cudaStream_t __stream)
{
    size_t __start = 0;
    return cudaMemcpyBatchAsync(__dsts, __srcs, __sizes, __count, &__attr, &__start, 1, __failed,
                                __stream);
}
/* As CUDA 13 declares them: no call tells of the copy that failed. */
static inline cudaError_t cudaMemcpyBatchAsync(const void **__dsts, const void **__srcs,
                                               const size_t *__sizes, size_t __count,
                                               cudaMemcpyAttributes *__attrs,
                                               size_t *__attr_starts, size_t __attr_count,
                                               cudaStream_t __stream)
{
    return cudaMemcpyBatchAsync(const_cast<void **>(__dsts), const_cast<void **>(__srcs),
                                const_cast<size_t *>(__sizes), __count, __attrs, __attr_starts,
                                __attr_count, static_cast<size_t *>(0), __stream);
}
static inline cudaError_t cudaMemcpy3DBatchAsync(size_t __count, cudaMemcpy3DBatchOp *__ops,
                                                 unsigned long long __flags, cudaStream_t __stream)
{
    return cudaMemcpy3DBatchAsync(__count, __ops, static_cast<size_t *>(0), __flags, __stream);
}
}
#endif

#endif
