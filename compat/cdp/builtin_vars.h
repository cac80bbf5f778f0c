/* threadIdx and the like: read-only properties over getters that cdpcc lowers. Their values never
 * change for a thread, hence const. */
#ifndef __CDP_BUILTIN_VARS_H
#define __CDP_BUILTIN_VARS_H

#include "../vector_types.h"

#define __CDP_GETTER(name) __CDP_DEVICE_ABI __attribute__((__const__)) unsigned int name(void);
#define __CDP_BUILTIN(var)                                                                         \
    __CDP_GETTER(__cdp_##var##_x)                                                                  \
    __CDP_GETTER(__cdp_##var##_y)                                                                  \
    __CDP_GETTER(__cdp_##var##_z)                                                                  \
    struct __cdp_##var##_t {                                                                       \
        __declspec(property(get = __get_x)) unsigned int x;                                        \
        __declspec(property(get = __get_y)) unsigned int y;                                        \
        __declspec(property(get = __get_z)) unsigned int z;                                        \
        __device__ __CDP_PART unsigned int __get_x() const                                           \
        {                                                                                          \
            return __cdp_##var##_x();                                                              \
        }                                                                                          \
        __device__ __CDP_PART unsigned int __get_y() const                                           \
        {                                                                                          \
            return __cdp_##var##_y();                                                              \
        }                                                                                          \
        __device__ __CDP_PART unsigned int __get_z() const                                           \
        {                                                                                          \
            return __cdp_##var##_z();                                                              \
        }                                                                                          \
        __device__ __forceinline__ operator dim3() const                                           \
        {                                                                                          \
            return dim3(x, y, z);                                                                  \
        }                                                                                          \
        __device__ __forceinline__ operator uint3() const                                          \
        {                                                                                          \
            return uint3{x, y, z};                                                                 \
        }                                                                                          \
        __cdp_##var##_t() = default;                                                               \
        __cdp_##var##_t(const __cdp_##var##_t &) = delete;                                         \
        void operator=(const __cdp_##var##_t &) const = delete;                                    \
        __cdp_##var##_t *operator&() const = delete;                                               \
    };                                                                                             \
    extern const __device__ __cdp_##var##_t var;
__CDP_BUILTIN(threadIdx)
__CDP_BUILTIN(blockIdx)
__CDP_BUILTIN(blockDim)
__CDP_BUILTIN(gridDim)
#undef __CDP_BUILTIN

__CDP_GETTER(__cdp_laneid)
__CDP_GETTER(__cdp_warpid)
__CDP_GETTER(__cdp_dynamic_smem_size)
__CDP_GETTER(__cdp_total_smem_size)
#undef __CDP_GETTER

/* Not a macro: cudaDeviceProp has a member of this name. */
static __device__ constexpr int warpSize = 32;

#endif
