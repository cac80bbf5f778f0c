/* Textures and surfaces in device code. */
#ifndef CDP_TEXTURE_H
#define CDP_TEXTURE_H

#include "../texture_types.h"
#include "channel.h"

/* ---- What the runtime does: runtime/api/device_texture.c ---- */

CDP_DEVICE_ABI void __cdp_tex_fetch(cudaTextureObject_t object, int index, unsigned int *out);
CDP_DEVICE_ABI void __cdp_tex_sample(cudaTextureObject_t object, unsigned int dimensions, int layer,
                                     const float *xyz_level, unsigned int *out);
CDP_DEVICE_ABI void __cdp_tex_gather(cudaTextureObject_t object, const float *xy, int channel,
                                     unsigned int *out);
CDP_DEVICE_ABI float __cdp_tex_level(cudaTextureObject_t object, const float *dx, const float *dy);
CDP_DEVICE_ABI void *__cdp_surf(cudaSurfaceObject_t object, const int *xyz, unsigned int bytes,
                                unsigned int boundary);

/* Four channels as T: each is a float, or an integer that fits. */
template <class S, class T> __device__ static inline T __cdp_texel_as(const unsigned int *channels)
{
    S values[4];
    for (int i = 0; i < 4; i++) {
        if (sizeof(S) == sizeof(unsigned int)) {
            __builtin_memcpy(&values[i], &channels[i], sizeof(S));
        } else {
            values[i] = (S)channels[i];
        }
    }
    T result;
    __builtin_memcpy(&result, values, sizeof(T));
    return result;
}

/* ---- Textures: each function as T f<T>(...) and as f(T *out, ...) ---- */

/* position: x, y, z and the level of detail. */
template <class T>
__device__ static inline T __cdp_tex(cudaTextureObject_t object, unsigned int dimensions, int layer,
                                     float x, float y, float z, float level)
{
    const float position[4] = {x, y, z, level};
    unsigned int channels[4];
    __cdp_tex_sample(object, dimensions, layer, position, channels);
    return __cdp_texel_as<typename __cdp_texel<T>::scalar, T>(channels);
}

#define CDP_TEX(name, parameters, ...)                                                             \
    template <class T>                                                                             \
    __device__ static inline T name(cudaTextureObject_t object, CDP_TEX_LIST parameters)           \
    {                                                                                              \
        return __cdp_tex<T>(object, __VA_ARGS__);                                                  \
    }                                                                                              \
    template <class T>                                                                             \
    __device__ static inline void name(T *out, cudaTextureObject_t object,                         \
                                       CDP_TEX_LIST parameters)                                    \
    {                                                                                              \
        *out = __cdp_tex<T>(object, __VA_ARGS__);                                                  \
    }
#define CDP_TEX_LIST(...) __VA_ARGS__

CDP_TEX(tex1D, (float x), 1, 0, x, 0, 0, 0)
CDP_TEX(tex2D, (float x, float y), 2, 0, x, y, 0, 0)
CDP_TEX(tex3D, (float x, float y, float z), 3, 0, x, y, z, 0)
CDP_TEX(tex1DLayered, (float x, int layer), 1, layer, x, 0, 0, 0)
CDP_TEX(tex2DLayered, (float x, float y, int layer), 2, layer, x, y, 0, 0)
CDP_TEX(texCubemap, (float x, float y, float z), 3, 0, x, y, z, 0)
CDP_TEX(texCubemapLayered, (float x, float y, float z, int layer), 3, layer, x, y, z, 0)
CDP_TEX(tex1DLod, (float x, float level), 1, 0, x, 0, 0, level)
CDP_TEX(tex2DLod, (float x, float y, float level), 2, 0, x, y, 0, level)
CDP_TEX(tex3DLod, (float x, float y, float z, float level), 3, 0, x, y, z, level)
CDP_TEX(tex1DLayeredLod, (float x, int layer, float level), 1, layer, x, 0, 0, level)
CDP_TEX(tex2DLayeredLod, (float x, float y, int layer, float level), 2, layer, x, y, 0, level)
CDP_TEX(texCubemapLod, (float x, float y, float z, float level), 3, 0, x, y, z, level)
CDP_TEX(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), 3, layer, x, y,
        z, level)

/* A GPU samples along a line where the derivatives differ much (anisotropy); here the
 * larger one chooses the level. */
__device__ static inline float __cdp_tex_level_of(cudaTextureObject_t object, float4 dx, float4 dy)
{
    const float along_x[3] = {dx.x, dx.y, dx.z}, along_y[3] = {dy.x, dy.y, dy.z};
    return __cdp_tex_level(object, along_x, along_y);
}
__device__ static inline float4 __cdp_widen(float d)
{
    return make_float4(d, 0, 0, 0);
}
__device__ static inline float4 __cdp_widen(float2 d)
{
    return make_float4(d.x, d.y, 0, 0);
}
__device__ static inline float4 __cdp_widen(float4 d)
{
    return d;
}
#define CDP_TEX_LEVEL __cdp_tex_level_of(object, __cdp_widen(dx), __cdp_widen(dy))
CDP_TEX(tex1DGrad, (float x, float dx, float dy), 1, 0, x, 0, 0, CDP_TEX_LEVEL)
CDP_TEX(tex2DGrad, (float x, float y, float2 dx, float2 dy), 2, 0, x, y, 0, CDP_TEX_LEVEL)
CDP_TEX(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), 3, 0, x, y, z, CDP_TEX_LEVEL)
CDP_TEX(tex1DLayeredGrad, (float x, int layer, float dx, float dy), 1, layer, x, 0, 0,
        CDP_TEX_LEVEL)
CDP_TEX(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), 2, layer, x, y, 0,
        CDP_TEX_LEVEL)
#undef CDP_TEX_LEVEL
#undef CDP_TEX
#undef CDP_TEX_LIST

template <class T> __device__ static inline T tex1Dfetch(cudaTextureObject_t object, int x)
{
    unsigned int channels[4];
    __cdp_tex_fetch(object, x, channels);
    return __cdp_texel_as<typename __cdp_texel<T>::scalar, T>(channels);
}
template <class T>
__device__ static inline void tex1Dfetch(T *out, cudaTextureObject_t object, int x)
{
    *out = tex1Dfetch<T>(object, x);
}

template <class T>
__device__ static inline T tex2Dgather(cudaTextureObject_t object, float x, float y,
                                       int channel = 0)
{
    const float position[2] = {x, y};
    unsigned int channels[4];
    __cdp_tex_gather(object, position, channel, channels);
    return __cdp_texel_as<typename __cdp_texel<T>::scalar, T>(channels);
}
template <class T>
__device__ static inline void tex2Dgather(T *out, cudaTextureObject_t object, float x, float y,
                                          int channel = 0)
{
    *out = tex2Dgather<T>(object, x, y, channel);
}

/* ---- Surfaces: x counts bytes ---- */

template <class T>
__device__ static inline T __cdp_surf_read(cudaSurfaceObject_t object, int x, int y, int z,
                                           cudaSurfaceBoundaryMode boundary)
{
    const int position[3] = {x, y, z};
    const void *from = __cdp_surf(object, position, sizeof(T), boundary);
    T result;
    if (from != nullptr) {
        __builtin_memcpy(&result, from, sizeof(T));
    } else {
        __builtin_memset(&result, 0, sizeof(T));
    }
    return result;
}
template <class T>
__device__ static inline void __cdp_surf_write(T value, cudaSurfaceObject_t object, int x, int y,
                                               int z, cudaSurfaceBoundaryMode boundary)
{
    const int position[3] = {x, y, z};
    void *to = __cdp_surf(object, position, sizeof(T), boundary);
    if (to != nullptr) {
        __builtin_memcpy(to, &value, sizeof(T));
    }
}

#define CDP_SURF(name, parameters, x, y, z)                                                        \
    template <class T>                                                                             \
    __device__ static inline T name##read(cudaSurfaceObject_t object, CDP_SURF_LIST parameters,    \
                                          cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) \
    {                                                                                              \
        return __cdp_surf_read<T>(object, x, y, z, boundary);                                      \
    }                                                                                              \
    template <class T>                                                                             \
    __device__ static inline void name##read(                                                      \
        T *out, cudaSurfaceObject_t object, CDP_SURF_LIST parameters,                              \
        cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap)                                   \
    {                                                                                              \
        *out = __cdp_surf_read<T>(object, x, y, z, boundary);                                      \
    }                                                                                              \
    template <class T>                                                                             \
    __device__ static inline void name##write(                                                     \
        T value, cudaSurfaceObject_t object, CDP_SURF_LIST parameters,                             \
        cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap)                                   \
    {                                                                                              \
        __cdp_surf_write(value, object, x, y, z, boundary);                                        \
    }
#define CDP_SURF_LIST(...) __VA_ARGS__
CDP_SURF(surf1D, (int x), x, 0, 0)
CDP_SURF(surf2D, (int x, int y), x, y, 0)
CDP_SURF(surf3D, (int x, int y, int z), x, y, z)
CDP_SURF(surf1DLayered, (int x, int layer), x, 0, layer)
CDP_SURF(surf2DLayered, (int x, int y, int layer), x, y, layer)
CDP_SURF(surfCubemap, (int x, int y, int face), x, y, face)
CDP_SURF(surfCubemapLayered, (int x, int y, int layer_face), x, y, layer_face)
#undef CDP_SURF
#undef CDP_SURF_LIST

#endif
