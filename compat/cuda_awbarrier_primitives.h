/* Barriers in shared memory as functions (CUDA Programming Guide, "Memory Barrier Primitives
 * Interface"). A thread that waits lets other threads run. */
#ifndef __CDP_CUDA_AWBARRIER_PRIMITIVES_H
#define __CDP_CUDA_AWBARRIER_PRIMITIVES_H

#include <cuda_runtime.h>
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

static __inline__ __host__ __device__ uint32_t __mbarrier_maximum_count()
{
    return (1 << 20) - 1;
}
__CDP_DEVICE_INLINE void __mbarrier_init(__mbarrier_t *__barrier, uint32_t __expected_count)
{
    asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(__barrier), "r"(__expected_count) : "memory");
}
__CDP_DEVICE_INLINE void __mbarrier_inval(__mbarrier_t *__barrier)
{
    asm volatile("mbarrier.inval.b64 [%0];" ::"l"(__barrier) : "memory");
}
__CDP_DEVICE_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *__barrier)
{
    __mbarrier_token_t __token;
    asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(__token) : "l"(__barrier) : "memory");
    return __token;
}
__CDP_DEVICE_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *__barrier)
{
    __mbarrier_token_t __token;
    asm volatile("mbarrier.arrive_drop.b64 %0, [%1];" : "=l"(__token) : "l"(__barrier) : "memory");
    return __token;
}
__CDP_DEVICE_INLINE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t __token)
{
    uint32_t __count;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(__count) : "l"(__token));
    return __count;
}

/* Each returns whether the phase is complete. __mbarrier_try_wait may suspend the thread first. */
#define __CDP_MBARRIER_WAIT(instruction, constraint, value)                                        \
    uint32_t __is_complete;                                                                        \
    asm volatile("{.reg .pred p; " instruction ".b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"         \
                 : "=r"(__is_complete)                                                             \
                 : "l"(__barrier), constraint(value)                                               \
                 : "memory");                                                                      \
    return __is_complete != 0;
__CDP_DEVICE_INLINE bool __mbarrier_test_wait(__mbarrier_t *__barrier, __mbarrier_token_t __token)
{
    __CDP_MBARRIER_WAIT("mbarrier.test_wait", "l", __token)
}
__CDP_DEVICE_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t *__barrier, bool __parity)
{
    __CDP_MBARRIER_WAIT("mbarrier.test_wait.parity", "r", (uint32_t)__parity)
}
__CDP_DEVICE_INLINE bool __mbarrier_try_wait(__mbarrier_t *__barrier, __mbarrier_token_t __token,
                                             uint32_t)
{
    __CDP_MBARRIER_WAIT("mbarrier.try_wait", "l", __token)
}
__CDP_DEVICE_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t *__barrier, bool __parity,
                                                    uint32_t)
{
    __CDP_MBARRIER_WAIT("mbarrier.try_wait.parity", "r", (uint32_t)__parity)
}
#undef __CDP_MBARRIER_WAIT

#endif
