/* CUDA's declaration keywords as clang attributes, the same for both compilations. For a plain C or
 * C++ compiler they are empty, so that a host file can include the API headers. */
#ifndef __CDP_HOST_DEFINES_H
#define __CDP_HOST_DEFINES_H

/* Thrust undefines __host__ and __device__ unless this guard is defined. */
#define __HOST_DEFINES_H__

#ifdef __CUDA__
/* The annotation distinguishes a function of both sides from a function of the device only. */
#define __host__ __attribute__((__host__)) __attribute__((__annotate__("cdp.host")))
/* The annotation marks the device functions that other units define. Nothing else in the bitcode
 * distinguishes these from the C library's functions. */
#define __device__ __attribute__((__device__)) __attribute__((__annotate__("cdp.device")))
#define __global__ __attribute__((__global__)) __attribute__((__annotate__("cdp.kernel")))
#define __constant__ __attribute__((__constant__)) __attribute__((__annotate__("cdp.constant")))
/* Protected visibility marks extern declarations, which have no annotation. */
#define __shared__                                                                                 \
    __attribute__((__shared__)) __attribute__((__annotate__("cdp.shared")))                        \
    __attribute__((__visibility__("protected")))
/* A device variable. The host's shadow is also annotated; cdpcc replaces it by a reference to the
 * variable. */
#define __managed__ __device__ __attribute__((__annotate__("cdp.managed")))
/* clang records the bounds for GPUs only; the annotation passes them to the kernel's descriptor. */
#define __launch_bounds__(...)                                                                     \
    __attribute__((__launch_bounds__(__VA_ARGS__)))                                                \
    __attribute__((__annotate__("cdp.launch_bounds", __VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((__annotate__("cdp.cluster_dims", __VA_ARGS__)))
#define __grid_constant__ __attribute__((__annotate__("cdp.grid_constant")))
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
#define __cluster_dims__(...)
#define __grid_constant__
#endif

#define __forceinline__ __inline__ __attribute__((__always_inline__))
#define __align__(n) __attribute__((__aligned__(n)))
#define __builtin_align__(n) __attribute__((__aligned__(n)))
#define __no_return__ __attribute__((__noreturn__))
#define __nv_pure__ __attribute__((__pure__))
#define __thread__ __thread

/* cdpcc's own attributes, for functions in the headers. */
#ifdef __CUDA__
#define __CDP_DEVICE_INLINE static __inline__ __device__ __attribute__((__unused__))
#define __CDP_BOTH_INLINE static __inline__ __host__ __device__ __attribute__((__unused__))
/* Inlined without line information, also for debuggers and for reports of a thread's position:
 * these show the program's line. */
#define __CDP_PART __attribute__((__always_inline__, __nodebug__))
#define __CDP_PART_INLINE __CDP_DEVICE_INLINE __CDP_PART
/* Declares a function that cdpcc lowers or the runtime defines. */
#define __CDP_DEVICE_ABI extern "C" __device__ __attribute__((__nothrow__))
#else
#define __CDP_BOTH_INLINE static __inline__ __attribute__((__unused__))
#endif

/* Hints for hardware that does not exist here. */
#define __block_size__(...)
#define __maxnreg__(n)

/* Keywords of NVIDIA's own headers that programs copy. */
#define __cudart_builtin__
#define __device_builtin__
#ifdef __CUDA__
#define __device_builtin_surface_type__ __attribute__((__device_builtin_surface_type__))
#define __device_builtin_texture_type__ __attribute__((__device_builtin_texture_type__))
#else
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#endif
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
