/* threadIdx and its kin: read-only properties over getters that cdpcc lowers.
 * A thread's answers never change, hence const. */
#ifndef CDP_BUILTIN_VARS_H
#define CDP_BUILTIN_VARS_H

#include "../vector_types.h"

#define CDP_GETTER(name) CDP_DEVICE_ABI __attribute__((const)) unsigned int name(void);
#define CDP_BUILTIN(var)                                                                           \
    CDP_GETTER(__cdp_##var##_x)                                                                    \
    CDP_GETTER(__cdp_##var##_y)                                                                    \
    CDP_GETTER(__cdp_##var##_z)                                                                    \
    struct __cdp_##var##_t {                                                                       \
        __declspec(property(get = get_x)) unsigned int x;                                          \
        __declspec(property(get = get_y)) unsigned int y;                                          \
        __declspec(property(get = get_z)) unsigned int z;                                          \
        __device__ __forceinline__ unsigned int get_x() const                                      \
        {                                                                                          \
            return __cdp_##var##_x();                                                              \
        }                                                                                          \
        __device__ __forceinline__ unsigned int get_y() const                                      \
        {                                                                                          \
            return __cdp_##var##_y();                                                              \
        }                                                                                          \
        __device__ __forceinline__ unsigned int get_z() const                                      \
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
CDP_BUILTIN(threadIdx)
CDP_BUILTIN(blockIdx)
CDP_BUILTIN(blockDim)
CDP_BUILTIN(gridDim)
#undef CDP_BUILTIN

CDP_GETTER(__cdp_laneid)
CDP_GETTER(__cdp_warpid)
CDP_GETTER(__cdp_dynamic_smem_size)
CDP_GETTER(__cdp_total_smem_size)
#undef CDP_GETTER

/* Not a macro: cudaDeviceProp has a member of this name. */
static __device__ constexpr int warpSize = 32;

#endif
