/* CUDA's declaration words as clang attributes, the same for both passes.  A
 * plain C or C++ compiler sees them vanish, so that a host file can include the
 * API headers. */
#ifndef CDP_HOST_DEFINES_H
#define CDP_HOST_DEFINES_H

/* Thrust undefines __host__ and __device__ unless it sees this guard. */
#define __HOST_DEFINES_H__

#ifdef __CUDA__
/* The annotation tells a function of both sides from one of the device alone. */
#define __host__ __attribute__((host)) __attribute__((annotate("cdp.host")))
/* The annotation lists the device functions that other units define, which
 * nothing else in the bitcode tells from the C library's. */
#define __device__ __attribute__((device)) __attribute__((annotate("cdp.device")))
#define __global__ __attribute__((global)) __attribute__((annotate("cdp.kernel")))
#define __constant__ __attribute__((constant))
/* Protected visibility marks extern declarations, which carry no annotation. */
#define __shared__                                                                                 \
    __attribute__((shared)) __attribute__((annotate("cdp.shared")))                                \
    __attribute__((visibility("protected")))
/* A device variable; cdpcc turns the host's shadow, also annotated, into a
 * reference to it. */
#define __managed__ __attribute__((device)) __attribute__((annotate("cdp.managed")))
/* clang notes the bounds for GPUs only; the annotation takes them to the kernel's
 * descriptor. */
#define __launch_bounds__(...)                                                                     \
    __attribute__((launch_bounds(__VA_ARGS__)))                                                    \
    __attribute__((annotate("cdp.launch_bounds", __VA_ARGS__)))
#define __grid_constant__ __attribute__((annotate("cdp.grid_constant")))
/* __noinline__ is a keyword of clang's CUDA mode and must stay undefined here:
 * libstdc++ writes __attribute__((__noinline__)). */
#else
#define __host__
#define __device__
#define __global__
#define __constant__
#define __shared__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __no_return__ __attribute__((noreturn))
#define __nv_pure__ __attribute__((pure))
#define __thread__ __thread

/* cdpcc's own: functions that the headers define. */
#ifdef __CUDA__
#define CDP_DEVICE_INLINE static __inline__ __attribute__((device)) __attribute__((unused))
#define CDP_BOTH_INLINE                                                                            \
    static __inline__ __attribute__((host)) __attribute__((device)) __attribute__((unused))
/* Declares what cdpcc lowers or the runtime defines. */
#define CDP_DEVICE_ABI extern "C" __device__ __attribute__((nothrow))
#else
#define CDP_BOTH_INLINE static __inline__ __attribute__((unused))
#endif

/* Hints for hardware that is not here. */
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(n)

/* Words of NVIDIA's own headers that programs copy. */
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#define __nv_tex_surf_type__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#ifdef __cplusplus
#define __dv(value) = value
#else
#define __dv(value)
#endif

#endif
