/* Asynchronous copies from global to shared memory as functions (CUDA Programming Guide, "Pipeline
 * Primitives Interface"). A copy is complete at once, so there is never anything to wait for. */
#ifndef __CDP_CUDA_PIPELINE_PRIMITIVES_H
#define __CDP_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"

#include <stddef.h>

/* __T has the size and the alignment of the copy. The last __zfill bytes become 0, and the source
 * is not read there. */
template <class __T>
__CDP_DEVICE_INLINE void __cdp_pipeline_copy(void *__to, const void *__from, size_t __zfill)
{
    if (__zfill == 0) {
        *(__T *)__to = *(const __T *)__from;
        return;
    }
    __T __bytes = {};
    for (size_t __i = 0; __i + __zfill < sizeof(__T); __i++) {
        ((unsigned char *)&__bytes)[__i] = ((const unsigned char *)__from)[__i];
    }
    *(__T *)__to = __bytes;
}

/* __size: 4, 8 or 16 bytes; __zfill: at most __size. As on a GPU other values end the kernel. */
__CDP_DEVICE_INLINE void __pipeline_memcpy_async(void *__restrict__ __to,
                                                 const void *__restrict__ __from, size_t __size,
                                                 size_t __zfill = 0)
{
    if (__zfill > __size) {
        __trap();
    }
    switch (__size) {
    case 4:
        __cdp_pipeline_copy<unsigned int>(__to, __from, __zfill);
        break;
    case 8:
        __cdp_pipeline_copy<uint2>(__to, __from, __zfill);
        break;
    case 16:
        __cdp_pipeline_copy<uint4>(__to, __from, __zfill);
        break;
    default:
        __trap();
    }
}
__CDP_DEVICE_INLINE void __pipeline_commit()
{
}
__CDP_DEVICE_INLINE void __pipeline_wait_prior(size_t)
{
}
/* The barrier's phase waits for the copies of this thread, which are complete. */
__CDP_DEVICE_INLINE void __pipeline_arrive_on(__mbarrier_t *__barrier)
{
    asm volatile("cp.async.mbarrier.arrive.b64 [%0];" ::"l"(__barrier) : "memory");
}

#endif
