/* Textures and surfaces: the element types that channel descriptors name.  Fetching
 * from a texture is not supported; the names exist so that the message says so. */
#ifndef CDP_TEXTURE_H
#define CDP_TEXTURE_H

#include "../texture_types.h"

/* Kind, bytes of a channel, and number of channels of T. */
template <class T> struct __cdp_texel;
#define CDP_TEXEL(T, channel_kind, bytes, count)                                                   \
    template <> struct __cdp_texel<T> {                                                            \
        enum { kind = cudaChannelFormatKind##channel_kind, size = bytes, lanes = count };          \
    };
#define CDP_TEXELS(name, T, kind, bytes)                                                           \
    CDP_TEXEL(T, kind, bytes, 1)                                                                   \
    CDP_TEXEL(name##1, kind, bytes, 1)                                                             \
    CDP_TEXEL(name##2, kind, bytes, 2)                                                             \
    CDP_TEXEL(name##3, kind, bytes, 3)                                                             \
    CDP_TEXEL(name##4, kind, bytes, 4)
CDP_TEXELS(char, signed char, Signed, 1)
CDP_TEXELS(uchar, unsigned char, Unsigned, 1)
CDP_TEXELS(short, short, Signed, 2)
CDP_TEXELS(ushort, unsigned short, Unsigned, 2)
CDP_TEXELS(int, int, Signed, 4)
CDP_TEXELS(uint, unsigned int, Unsigned, 4)
CDP_TEXELS(float, float, Float, 4)
CDP_TEXEL(char, Signed, 1, 1)
CDP_TEXEL(long, Signed, 8, 1)
CDP_TEXEL(unsigned long, Unsigned, 8, 1)
CDP_TEXEL(long long, Signed, 8, 1)
CDP_TEXEL(unsigned long long, Unsigned, 8, 1)
#undef CDP_TEXELS
#undef CDP_TEXEL

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    const int bits = __cdp_texel<T>::size * 8, lanes = __cdp_texel<T>::lanes;
    return cudaCreateChannelDesc(bits, lanes > 1 ? bits : 0, lanes > 2 ? bits : 0,
                                 lanes > 3 ? bits : 0, (cudaChannelFormatKind)__cdp_texel<T>::kind);
}

/* Every fetch in one signature: with and without an output parameter. */
#define CDP_NO_FETCH(name)                                                                         \
    template <class T, class... A>                                                                 \
    __device__ __attribute__((unavailable("texture and surface access is not supported"))) T name( \
        cudaTextureObject_t object, A... position);                                                \
    template <class T, class... A>                                                                 \
    __device__ __attribute__((unavailable("texture and surface access is not supported"))) void    \
    name(T *out, cudaTextureObject_t object, A... position);
#define CDP_NO_WRITE(name)                                                                         \
    template <class T, class... A>                                                                 \
    __device__ __attribute__((unavailable("texture and surface access is not supported"))) void    \
    name(T value, cudaSurfaceObject_t object, A... position);
CDP_NO_FETCH(tex1Dfetch)
CDP_NO_FETCH(tex1D)
CDP_NO_FETCH(tex2D)
CDP_NO_FETCH(tex3D)
CDP_NO_FETCH(tex1DLod)
CDP_NO_FETCH(tex2DLod)
CDP_NO_FETCH(tex3DLod)
CDP_NO_FETCH(tex1DGrad)
CDP_NO_FETCH(tex2DGrad)
CDP_NO_FETCH(tex3DGrad)
CDP_NO_FETCH(tex1DLayered)
CDP_NO_FETCH(tex2DLayered)
CDP_NO_FETCH(tex2Dgather)
CDP_NO_FETCH(texCubemap)
CDP_NO_FETCH(texCubemapLayered)
CDP_NO_FETCH(surf1Dread)
CDP_NO_FETCH(surf2Dread)
CDP_NO_FETCH(surf3Dread)
CDP_NO_FETCH(surf2DLayeredread)
CDP_NO_FETCH(surfCubemapread)
CDP_NO_WRITE(surf1Dwrite)
CDP_NO_WRITE(surf2Dwrite)
CDP_NO_WRITE(surf3Dwrite)
CDP_NO_WRITE(surf2DLayeredwrite)
CDP_NO_WRITE(surfCubemapwrite)
#undef CDP_NO_WRITE
#undef CDP_NO_FETCH

#endif
