/* Texture and surface references: texture<> and surface<> variables of CUDA 1 to 11.
 *
 * The compiler emits two variables for one, as for a __device__ variable. The host's variable has
 * the properties that the program sets. A bind creates a texture object with these properties and
 * writes its handle into both variables. A fetch reads from that object. */
#ifndef __CDP_REFERENCES_H
#define __CDP_REFERENCES_H

#include "texture.h"

template <class __T, int __Type = cudaTextureType1D,
          enum cudaTextureReadMode __Mode = cudaReadModeElementType>
struct __device_builtin_texture_type__
    __attribute__((__deprecated__("texture references left CUDA in version 12: make a "
                                  "cudaTextureObject_t and pass it to the kernel"))) texture
    : public textureReference {
    __host__ texture(int __normalized = 0,
                     enum cudaTextureFilterMode __filter = cudaFilterModePoint,
                     enum cudaTextureAddressMode __address = cudaAddressModeClamp)
        : texture(__normalized, __filter, __address, cudaCreateChannelDesc<__T>())
    {
    }
    __host__ texture(int __normalized, enum cudaTextureFilterMode __filter,
                     enum cudaTextureAddressMode __address, struct cudaChannelFormatDesc __desc)
        : textureReference()
    {
        normalized = __normalized;
        filterMode = __filter;
        addressMode[0] = addressMode[1] = addressMode[2] = __address;
        channelDesc = __desc;
        __readMode = __Mode;
    }
};
template <class __T, int __Type = 1>
struct __device_builtin_surface_type__
    __attribute__((__deprecated__("surface references left CUDA in version 12: make a "
                                  "cudaSurfaceObject_t and pass it to the kernel"))) surface
    : public surfaceReference {
    __host__ surface() : surfaceReference()
    {
    }
};

/* The warnings are for the program's declarations, not for the templates here. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

/* ---- Fetches ---- */

/* The result of a fetch: the elements, or the same number of floats. */
template <class __T, enum cudaTextureReadMode __Mode> struct __cdp_fetched {
    typedef __T __type;
};
template <int __lanes> struct __cdp_floats;
template <> struct __cdp_floats<1> {
    typedef float __type;
};
template <> struct __cdp_floats<2> {
    typedef float2 __type;
};
template <> struct __cdp_floats<3> {
    typedef float3 __type;
};
template <> struct __cdp_floats<4> {
    typedef float4 __type;
};
template <class __T>
struct __cdp_fetched<__T, cudaReadModeNormalizedFloat> : __cdp_floats<__cdp_texel<__T>::__lanes> {
};

/* A function for one type of texture, by the function of the same name for objects. */
#define __CDP_FETCH(name, kind, parameters, ...)                                                   \
    template <class __T, enum cudaTextureReadMode __Mode>                                          \
    __device__ static inline typename __cdp_fetched<__T, __Mode>::__type name(                     \
        const texture<__T, kind, __Mode> &__texture, __CDP_FETCH_LIST parameters)                  \
    {                                                                                              \
        return name<typename __cdp_fetched<__T, __Mode>::__type>(__texture.__object, __VA_ARGS__); \
    }
#define __CDP_FETCH_LIST(...) __VA_ARGS__
#define __CDP_1D cudaTextureType1D
#define __CDP_2D cudaTextureType2D
#define __CDP_3D cudaTextureType3D
#define __CDP_1DL cudaTextureType1DLayered
#define __CDP_2DL cudaTextureType2DLayered
#define __CDP_CUBE cudaTextureTypeCubemap
#define __CDP_CUBEL cudaTextureTypeCubemapLayered

__CDP_FETCH(tex1Dfetch, __CDP_1D, (int x), x)
__CDP_FETCH(tex1D, __CDP_1D, (float x), x)
__CDP_FETCH(tex2D, __CDP_2D, (float x, float y), x, y)
__CDP_FETCH(tex3D, __CDP_3D, (float x, float y, float z), x, y, z)
__CDP_FETCH(tex1DLayered, __CDP_1DL, (float x, int __layer), x, __layer)
__CDP_FETCH(tex2DLayered, __CDP_2DL, (float x, float y, int __layer), x, y, __layer)
__CDP_FETCH(texCubemap, __CDP_CUBE, (float x, float y, float z), x, y, z)
__CDP_FETCH(texCubemapLayered, __CDP_CUBEL, (float x, float y, float z, int __layer), x, y, z,
            __layer)
__CDP_FETCH(tex1DLod, __CDP_1D, (float x, float __level), x, __level)
__CDP_FETCH(tex2DLod, __CDP_2D, (float x, float y, float __level), x, y, __level)
__CDP_FETCH(tex3DLod, __CDP_3D, (float x, float y, float z, float __level), x, y, z, __level)
__CDP_FETCH(tex1DGrad, __CDP_1D, (float x, float __dx, float __dy), x, __dx, __dy)
__CDP_FETCH(tex2DGrad, __CDP_2D, (float x, float y, float2 __dx, float2 __dy), x, y, __dx, __dy)
__CDP_FETCH(tex3DGrad, __CDP_3D, (float x, float y, float z, float4 __dx, float4 __dy), x, y, z,
            __dx, __dy)

#undef __CDP_FETCH
#undef __CDP_1D
#undef __CDP_2D
#undef __CDP_3D
#undef __CDP_1DL
#undef __CDP_2DL
#undef __CDP_CUBE
#undef __CDP_CUBEL

template <class __T, enum cudaTextureReadMode __Mode>
__device__ static inline typename __cdp_fetched<__T, __Mode>::__type
tex2Dgather(const texture<__T, cudaTextureType2D, __Mode> &__texture, float x, float y,
            int __channel = 0)
{
    return tex2Dgather<typename __cdp_fetched<__T, __Mode>::__type>(__texture.__object, x, y,
                                                                    __channel);
}

/* ---- Surfaces ---- */

#define __CDP_ACCESS(name, kind, parameters, ...)                                                  \
    template <class __T, class __U>                                                                \
    __device__ static inline __T name##read(                                                       \
        const surface<__U, kind> &__surface, __CDP_FETCH_LIST parameters,                          \
        cudaSurfaceBoundaryMode __boundary = cudaBoundaryModeTrap)                                 \
    {                                                                                              \
        return name##read<__T>(__surface.__object, __VA_ARGS__, __boundary);                       \
    }                                                                                              \
    template <class __T, class __U>                                                                \
    __device__ static inline void name##read(                                                      \
        __T *__out, const surface<__U, kind> &__surface, __CDP_FETCH_LIST parameters,              \
        cudaSurfaceBoundaryMode __boundary = cudaBoundaryModeTrap)                                 \
    {                                                                                              \
        *__out = name##read<__T>(__surface.__object, __VA_ARGS__, __boundary);                     \
    }                                                                                              \
    template <class __T, class __U>                                                                \
    __device__ static inline void name##write(                                                     \
        __T __value, const surface<__U, kind> &__surface, __CDP_FETCH_LIST parameters,             \
        cudaSurfaceBoundaryMode __boundary = cudaBoundaryModeTrap)                                 \
    {                                                                                              \
        name##write(__value, __surface.__object, __VA_ARGS__, __boundary);                         \
    }
__CDP_ACCESS(surf1D, cudaSurfaceType1D, (int x), x)
__CDP_ACCESS(surf2D, cudaSurfaceType2D, (int x, int y), x, y)
__CDP_ACCESS(surf3D, cudaSurfaceType3D, (int x, int y, int z), x, y, z)
__CDP_ACCESS(surf1DLayered, cudaSurfaceType1DLayered, (int x, int __layer), x, __layer)
__CDP_ACCESS(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int __layer), x, y, __layer)
__CDP_ACCESS(surfCubemap, cudaSurfaceTypeCubemap, (int x, int y, int __face), x, y, __face)
#undef __CDP_ACCESS
#undef __CDP_FETCH_LIST

/* ---- The host's calls with the types of the variables ---- */

#define __CDP_TEXTURE                                                                              \
    template <class __T, int __Type, enum cudaTextureReadMode __Mode> static inline cudaError_t
__CDP_TEXTURE cudaBindTexture(size_t *__offset, const texture<__T, __Type, __Mode> &__texture,
                              const void *__ptr, const struct cudaChannelFormatDesc &__desc,
                              size_t __size = 0xffffffffu)
{
    return cudaBindTexture(__offset, &__texture, __ptr, &__desc, __size);
}
__CDP_TEXTURE cudaBindTexture(size_t *__offset, const texture<__T, __Type, __Mode> &__texture,
                              const void *__ptr, size_t __size = 0xffffffffu)
{
    return cudaBindTexture(__offset, &__texture, __ptr, &__texture.channelDesc, __size);
}
__CDP_TEXTURE cudaBindTexture2D(size_t *__offset, const texture<__T, __Type, __Mode> &__texture,
                                const void *__ptr, const struct cudaChannelFormatDesc &__desc,
                                size_t __width, size_t __height, size_t __pitch)
{
    return cudaBindTexture2D(__offset, &__texture, __ptr, &__desc, __width, __height, __pitch);
}
__CDP_TEXTURE cudaBindTexture2D(size_t *__offset, const texture<__T, __Type, __Mode> &__texture,
                                const void *__ptr, size_t __width, size_t __height, size_t __pitch)
{
    return cudaBindTexture2D(__offset, &__texture, __ptr, &__texture.channelDesc, __width, __height,
                             __pitch);
}
__CDP_TEXTURE cudaBindTextureToArray(const texture<__T, __Type, __Mode> &__texture,
                                     cudaArray_const_t __array,
                                     const struct cudaChannelFormatDesc &__desc)
{
    return cudaBindTextureToArray(&__texture, __array, &__desc);
}
__CDP_TEXTURE cudaBindTextureToArray(const texture<__T, __Type, __Mode> &__texture,
                                     cudaArray_const_t __array)
{
    return cudaBindTextureToArray(&__texture, __array, &__texture.channelDesc);
}
__CDP_TEXTURE cudaBindTextureToMipmappedArray(const texture<__T, __Type, __Mode> &__texture,
                                              cudaMipmappedArray_const_t __array,
                                              const struct cudaChannelFormatDesc &__desc)
{
    return cudaBindTextureToMipmappedArray(&__texture, __array, &__desc);
}
__CDP_TEXTURE cudaBindTextureToMipmappedArray(const texture<__T, __Type, __Mode> &__texture,
                                              cudaMipmappedArray_const_t __array)
{
    return cudaBindTextureToMipmappedArray(&__texture, __array, &__texture.channelDesc);
}
__CDP_TEXTURE cudaUnbindTexture(const texture<__T, __Type, __Mode> &__texture)
{
    return cudaUnbindTexture(&__texture);
}
__CDP_TEXTURE cudaGetTextureAlignmentOffset(size_t *__offset,
                                            const texture<__T, __Type, __Mode> &__texture)
{
    return cudaGetTextureAlignmentOffset(__offset, &__texture);
}
#undef __CDP_TEXTURE
template <class __T, int __Type>
static inline cudaError_t cudaBindSurfaceToArray(const surface<__T, __Type> &__surface,
                                                 cudaArray_const_t __array,
                                                 const struct cudaChannelFormatDesc &__desc)
{
    return cudaBindSurfaceToArray(&__surface, __array, &__desc);
}
template <class __T, int __Type>
static inline cudaError_t cudaBindSurfaceToArray(const surface<__T, __Type> &__surface,
                                                 cudaArray_const_t __array)
{
    struct cudaChannelFormatDesc __desc;
    const cudaError_t __error = cudaGetChannelDesc(&__desc, __array);
    return __error == cudaSuccess ? cudaBindSurfaceToArray(&__surface, __array, &__desc) : __error;
}

#pragma clang diagnostic pop

#endif
