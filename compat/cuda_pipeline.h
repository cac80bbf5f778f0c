/* nvcuda::experimental::pipeline, the predecessor of cuda::pipeline. Copies are complete at once. */
#ifndef __CDP_CUDA_PIPELINE_H
#define __CDP_CUDA_PIPELINE_H

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda
{
namespace experimental
{

class pipeline
{
  public:
    __device__ pipeline() : __batch(0)
    {
    }
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* Returns the batch's number. */
    __device__ size_t commit()
    {
        __pipeline_commit();
        return __batch++;
    }
    __device__ void commit_and_wait()
    {
        (void)commit();
        wait_prior<0>();
    }
    __device__ void wait(size_t)
    {
        __pipeline_wait_prior(0);
    }
    template <unsigned __N> __device__ void wait_prior()
    {
        __pipeline_wait_prior(__N);
    }
    __device__ void arrive_on(awbarrier &__barrier)
    {
        __pipeline_arrive_on(&__barrier.__barrier);
    }

  private:
    size_t __batch;
};

template <class __T> __device__ inline void memcpy_async(__T &__to, const __T &__from, pipeline &)
{
    __to = __from;
}
/* Elements that the source does not have become 0. */
template <class __T, size_t __N, size_t __M>
__device__ inline void memcpy_async(__T (*__to)[__N], const __T (*__from)[__M], pipeline &)
{
    static_assert(sizeof(*__to) == 4 || sizeof(*__to) == 8 || sizeof(*__to) == 16,
                  "a copy has 4, 8 or 16 bytes");
    static_assert(__M <= __N, "the source is larger than the destination");
    for (size_t __i = 0; __i < __M; __i++) {
        (*__to)[__i] = (*__from)[__i];
    }
    for (size_t __i = __M; __i < __N; __i++) {
        (*__to)[__i] = __T();
    }
}
template <size_t __N, class __T> __host__ __device__ inline auto segment(__T *__p) -> __T (*)[__N]
{
    return (__T(*)[__N])__p;
}

} // namespace experimental
} // namespace nvcuda

#endif
