/* Textures and surfaces in device code. */
#ifndef __CDP_TEXTURE_H
#define __CDP_TEXTURE_H

#include "../texture_types.h"
#include "channel.h"

/* ---- Functions of the runtime: runtime/api/device_texture.c ---- */

__CDP_DEVICE_ABI void __cdp_tex_fetch(cudaTextureObject_t __object, int __index,
                                      unsigned int *__out);
__CDP_DEVICE_ABI void __cdp_tex_texel(cudaTextureObject_t __object, const int *__xyz,
                                      unsigned int *__out);
__CDP_DEVICE_ABI void __cdp_tex_sample(cudaTextureObject_t __object, unsigned int __dimensions,
                                       int __layer, const float *__xyz_level, unsigned int *__out);
__CDP_DEVICE_ABI void __cdp_tex_gather(cudaTextureObject_t __object, const float *__xy,
                                       int __channel, unsigned int *__out);
__CDP_DEVICE_ABI void __cdp_tex_sample_offset(cudaTextureObject_t __object,
                                              unsigned int __dimensions, int __layer,
                                              const float *__xyz_level, const int *__offset,
                                              unsigned int *__out);
__CDP_DEVICE_ABI void __cdp_tex_gather_offset(cudaTextureObject_t __object, int __layer,
                                              const float *__xyz, const int *__offset,
                                              int __channel, unsigned int *__out);
__CDP_DEVICE_ABI float __cdp_tex_level(cudaTextureObject_t __object, const float *__dx,
                                       const float *__dy);
__CDP_DEVICE_ABI void __cdp_surf_store(cudaSurfaceObject_t __object, const int *__xyz,
                                       unsigned int __boundary, const unsigned int *__words);
__CDP_DEVICE_ABI void *__cdp_surf(cudaSurfaceObject_t __object, const int *__xyz,
                                  unsigned int __bytes, unsigned int __boundary);

/* Four channels as T: each is a float, or an integer that fits. */
template <class __S, class __T>
__device__ static inline __T __cdp_texel_as(const unsigned int *__channels)
{
    __S __values[4];
    for (int __i = 0; __i < 4; __i++) {
        if (sizeof(__S) == sizeof(unsigned int)) {
            __builtin_memcpy(&__values[__i], &__channels[__i], sizeof(__S));
        } else {
            __values[__i] = (__S)__channels[__i];
        }
    }
    __T __result;
    __builtin_memcpy(&__result, __values, sizeof(__T));
    return __result;
}

/* ---- Textures: each function as T f<T>(...) and as f(T *out, ...) ---- */

/* position: x, y, z and the level of detail. */
template <class __T>
__device__ static inline __T __cdp_tex(cudaTextureObject_t __object, unsigned int __dimensions,
                                       int __layer, float x, float y, float z, float __level)
{
    const float __position[4] = {x, y, z, __level};
    unsigned int __channels[4];
    __cdp_tex_sample(__object, __dimensions, __layer, __position, __channels);
    return __cdp_texel_as<typename __cdp_texel<__T>::__scalar, __T>(__channels);
}

#define __CDP_TEX(name, parameters, ...)                                                           \
    template <class __T>                                                                           \
    __device__ static inline __T name(cudaTextureObject_t __object, __CDP_TEX_LIST parameters)     \
    {                                                                                              \
        return __cdp_tex<__T>(__object, __VA_ARGS__);                                              \
    }                                                                                              \
    template <class __T>                                                                           \
    __device__ static inline void name(__T *__out, cudaTextureObject_t __object,                   \
                                       __CDP_TEX_LIST parameters)                                  \
    {                                                                                              \
        *__out = __cdp_tex<__T>(__object, __VA_ARGS__);                                            \
    }
#define __CDP_TEX_LIST(...) __VA_ARGS__

/* Levels are biased, and then clamped. A fetch without one reads the lowest, without a bias. */
#define __CDP_NO_LEVEL (-__builtin_inff())

__CDP_TEX(tex1D, (float x), 1, 0, x, 0, 0, __CDP_NO_LEVEL)
__CDP_TEX(tex2D, (float x, float y), 2, 0, x, y, 0, __CDP_NO_LEVEL)
__CDP_TEX(tex3D, (float x, float y, float z), 3, 0, x, y, z, __CDP_NO_LEVEL)
__CDP_TEX(tex1DLayered, (float x, int __layer), 1, __layer, x, 0, 0, __CDP_NO_LEVEL)
__CDP_TEX(tex2DLayered, (float x, float y, int __layer), 2, __layer, x, y, 0, __CDP_NO_LEVEL)
__CDP_TEX(texCubemap, (float x, float y, float z), 3, 0, x, y, z, __CDP_NO_LEVEL)
__CDP_TEX(texCubemapLayered, (float x, float y, float z, int __layer), 3, __layer, x, y, z, __CDP_NO_LEVEL)
__CDP_TEX(tex1DLod, (float x, float __level), 1, 0, x, 0, 0, __level)
__CDP_TEX(tex2DLod, (float x, float y, float __level), 2, 0, x, y, 0, __level)
__CDP_TEX(tex3DLod, (float x, float y, float z, float __level), 3, 0, x, y, z, __level)
__CDP_TEX(tex1DLayeredLod, (float x, int __layer, float __level), 1, __layer, x, 0, 0, __level)
__CDP_TEX(tex2DLayeredLod, (float x, float y, int __layer, float __level), 2, __layer, x, y, 0,
          __level)
__CDP_TEX(texCubemapLod, (float x, float y, float z, float __level), 3, 0, x, y, z, __level)
__CDP_TEX(texCubemapLayeredLod, (float x, float y, float z, int __layer, float __level), 3, __layer,
          x, y, z, __level)

/* If the derivatives differ much, a GPU may sample along a line (maxAnisotropy). Here they only
 * choose the level. */
__device__ static inline float __cdp_tex_level_of(cudaTextureObject_t __object, float4 __dx,
                                                  float4 __dy)
{
    const float __along_x[3] = {__dx.x, __dx.y, __dx.z}, __along_y[3] = {__dy.x, __dy.y, __dy.z};
    return __cdp_tex_level(__object, __along_x, __along_y);
}
__device__ static inline float4 __cdp_widen(float __d)
{
    return make_float4(__d, 0, 0, 0);
}
__device__ static inline float4 __cdp_widen(float2 __d)
{
    return make_float4(__d.x, __d.y, 0, 0);
}
__device__ static inline float4 __cdp_widen(float4 __d)
{
    return __d;
}
#define __CDP_TEX_LEVEL __cdp_tex_level_of(__object, __cdp_widen(__dx), __cdp_widen(__dy))
__CDP_TEX(tex1DGrad, (float x, float __dx, float __dy), 1, 0, x, 0, 0, __CDP_TEX_LEVEL)
__CDP_TEX(tex2DGrad, (float x, float y, float2 __dx, float2 __dy), 2, 0, x, y, 0, __CDP_TEX_LEVEL)
__CDP_TEX(tex3DGrad, (float x, float y, float z, float4 __dx, float4 __dy), 3, 0, x, y, z,
          __CDP_TEX_LEVEL)
__CDP_TEX(tex1DLayeredGrad, (float x, int __layer, float __dx, float __dy), 1, __layer, x, 0, 0,
          __CDP_TEX_LEVEL)
__CDP_TEX(tex2DLayeredGrad, (float x, float y, int __layer, float2 __dx, float2 __dy), 2, __layer,
          x, y, 0, __CDP_TEX_LEVEL)
#undef __CDP_TEX_LEVEL
#undef __CDP_TEX
#undef __CDP_TEX_LIST

template <class __T> __device__ static inline __T tex1Dfetch(cudaTextureObject_t __object, int x)
{
    unsigned int __channels[4];
    __cdp_tex_fetch(__object, x, __channels);
    return __cdp_texel_as<typename __cdp_texel<__T>::__scalar, __T>(__channels);
}
template <class __T>
__device__ static inline void tex1Dfetch(__T *__out, cudaTextureObject_t __object, int x)
{
    *__out = tex1Dfetch<__T>(__object, x);
}

template <class __T>
__device__ static inline __T tex2Dgather(cudaTextureObject_t __object, float x, float y,
                                         int __channel = 0)
{
    const float __position[2] = {x, y};
    unsigned int __channels[4];
    __cdp_tex_gather(__object, __position, __channel, __channels);
    return __cdp_texel_as<typename __cdp_texel<__T>::__scalar, __T>(__channels);
}
template <class __T>
__device__ static inline void tex2Dgather(__T *__out, cudaTextureObject_t __object, float x,
                                          float y, int __channel = 0)
{
    *__out = tex2Dgather<__T>(__object, x, y, __channel);
}

/* ---- Surfaces: x counts bytes ---- */

template <class __T>
__device__ static inline __T __cdp_surf_read(cudaSurfaceObject_t __object, int x, int y, int z,
                                             cudaSurfaceBoundaryMode __boundary)
{
    const int __position[3] = {x, y, z};
    const void *__from = __cdp_surf(__object, __position, sizeof(__T), __boundary);
    __T __result;
    if (__from != nullptr) {
        __builtin_memcpy(&__result, __from, sizeof(__T));
    } else {
        __builtin_memset(&__result, 0, sizeof(__T));
    }
    return __result;
}
template <class __T>
__device__ static inline void __cdp_surf_write(__T __value, cudaSurfaceObject_t __object, int x,
                                               int y, int z, cudaSurfaceBoundaryMode __boundary)
{
    const int __position[3] = {x, y, z};
    void *__to = __cdp_surf(__object, __position, sizeof(__T), __boundary);
    if (__to != nullptr) {
        __builtin_memcpy(__to, &__value, sizeof(__T));
    }
}

#define __CDP_SURF(name, parameters, x, y, z)                                                      \
    template <class __T>                                                                           \
    __device__ static inline __T name##read(                                                       \
        cudaSurfaceObject_t __object, __CDP_SURF_LIST parameters,                                  \
        cudaSurfaceBoundaryMode __boundary = cudaBoundaryModeTrap)                                 \
    {                                                                                              \
        return __cdp_surf_read<__T>(__object, x, y, z, __boundary);                                \
    }                                                                                              \
    template <class __T>                                                                           \
    __device__ static inline void name##read(                                                      \
        __T *__out, cudaSurfaceObject_t __object, __CDP_SURF_LIST parameters,                      \
        cudaSurfaceBoundaryMode __boundary = cudaBoundaryModeTrap)                                 \
    {                                                                                              \
        *__out = __cdp_surf_read<__T>(__object, x, y, z, __boundary);                              \
    }                                                                                              \
    template <class __T>                                                                           \
    __device__ static inline void name##write(                                                     \
        __T __value, cudaSurfaceObject_t __object, __CDP_SURF_LIST parameters,                     \
        cudaSurfaceBoundaryMode __boundary = cudaBoundaryModeTrap)                                 \
    {                                                                                              \
        __cdp_surf_write(__value, __object, x, y, z, __boundary);                                  \
    }
#define __CDP_SURF_LIST(...) __VA_ARGS__
__CDP_SURF(surf1D, (int x), x, 0, 0)
__CDP_SURF(surf2D, (int x, int y), x, y, 0)
__CDP_SURF(surf3D, (int x, int y, int z), x, y, z)
__CDP_SURF(surf1DLayered, (int x, int __layer), x, 0, __layer)
__CDP_SURF(surf2DLayered, (int x, int y, int __layer), x, y, __layer)
__CDP_SURF(surfCubemap, (int x, int y, int __face), x, y, __face)
__CDP_SURF(surfCubemapLayered, (int x, int y, int __layer_face), x, y, __layer_face)
#undef __CDP_SURF
#undef __CDP_SURF_LIST

#endif
