/* nvcuda::experimental::awbarrier, the predecessor of cuda::barrier. */
#ifndef __CDP_CUDA_AWBARRIER_H
#define __CDP_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

namespace nvcuda
{
namespace experimental
{

class awbarrier
{
  public:
    class arrival_token
    {
      public:
        arrival_token() = default;
        __device__ uint32_t pending_count() const
        {
            return __mbarrier_token_pending_count(__token);
        }

      private:
        __device__ explicit arrival_token(__mbarrier_token_t __t) : __token(__t)
        {
        }
        __mbarrier_token_t __token;
        friend awbarrier;
    };

    awbarrier() = default;
    awbarrier(const awbarrier &) = delete;
    awbarrier &operator=(const awbarrier &) = delete;

    __device__ arrival_token arrive()
    {
        return arrival_token(__mbarrier_arrive(&__barrier));
    }
    __device__ arrival_token arrive_and_drop()
    {
        return arrival_token(__mbarrier_arrive_and_drop(&__barrier));
    }
    __device__ void wait(arrival_token __token)
    {
        while (!__mbarrier_try_wait(&__barrier, __token.__token, 0)) {
        }
    }
    __device__ void arrive_and_wait()
    {
        wait(arrive());
    }
    __device__ bool try_wait(arrival_token __token, uint32_t __nanoseconds)
    {
        return __mbarrier_try_wait(&__barrier, __token.__token, __nanoseconds);
    }
    __device__ bool try_wait_parity(bool __phase, uint32_t __nanoseconds)
    {
        return __mbarrier_try_wait_parity(&__barrier, __phase, __nanoseconds);
    }
    /* Whether the phase has ended within about that many cycles. */
    __device__ bool timed_wait(arrival_token __token, uint32_t __cycles)
    {
        const long long __start = clock64();
        do {
            if (__mbarrier_try_wait(&__barrier, __token.__token, 0)) {
                return true;
            }
        } while (clock64() - __start < (long long)__cycles);
        return false;
    }
    __device__ bool timed_wait_parity(bool __phase, uint32_t __cycles)
    {
        const long long __start = clock64();
        do {
            if (__mbarrier_try_wait_parity(&__barrier, __phase, 0)) {
                return true;
            }
        } while (clock64() - __start < (long long)__cycles);
        return false;
    }
    __host__ __device__ static constexpr uint32_t max()
    {
        return (1 << 20) - 1;
    }

  private:
    __mbarrier_t __barrier;
    friend __device__ void init(awbarrier *, uint32_t);
    friend __device__ void inval(awbarrier *);
    friend class pipeline;
};

__device__ inline void init(awbarrier *__barrier, uint32_t __expected_count)
{
    __mbarrier_init(&__barrier->__barrier, __expected_count);
}
__device__ inline void inval(awbarrier *__barrier)
{
    __mbarrier_inval(&__barrier->__barrier);
}

} // namespace experimental
} // namespace nvcuda

#endif
