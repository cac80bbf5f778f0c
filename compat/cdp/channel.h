/* The element types that channel descriptors name; for host and device code. */
#ifndef __CDP_CHANNEL_H
#define __CDP_CHANNEL_H

#include "../cuda_runtime_api.h"
#include "../vector_types.h"

/* Kind, bytes of a channel, and number of channels of T. */
template <class __T> struct __cdp_texel;
#define __CDP_TEXEL(T, scalar_type, channel_kind, bytes, count)                                    \
    template <> struct __cdp_texel<T> {                                                            \
        using __scalar = scalar_type;                                                              \
        enum { __kind = channel_kind, __size = bytes, __lanes = count };                           \
    };
#define __CDP_TEXELS(name, T, kind, bytes)                                                         \
    __CDP_TEXEL(T, T, kind, bytes, 1)                                                              \
    __CDP_TEXEL(name##1, T, kind, bytes, 1)                                                        \
    __CDP_TEXEL(name##2, T, kind, bytes, 2)                                                        \
    __CDP_TEXEL(name##3, T, kind, bytes, 3)                                                        \
    __CDP_TEXEL(name##4, T, kind, bytes, 4)
__CDP_TEXELS(char, signed char, cudaChannelFormatKindSigned, 1)
__CDP_TEXELS(uchar, unsigned char, cudaChannelFormatKindUnsigned, 1)
__CDP_TEXELS(short, short, cudaChannelFormatKindSigned, 2)
__CDP_TEXELS(ushort, unsigned short, cudaChannelFormatKindUnsigned, 2)
__CDP_TEXELS(int, int, cudaChannelFormatKindSigned, 4)
__CDP_TEXELS(uint, unsigned int, cudaChannelFormatKindUnsigned, 4)
__CDP_TEXELS(float, float, cudaChannelFormatKindFloat, 4)
__CDP_TEXEL(char, char, cudaChannelFormatKindSigned, 1, 1)
__CDP_TEXEL(long, long, cudaChannelFormatKindSigned, 8, 1)
__CDP_TEXEL(unsigned long, unsigned long, cudaChannelFormatKindUnsigned, 8, 1)
__CDP_TEXEL(long long, long long, cudaChannelFormatKindSigned, 8, 1)
__CDP_TEXEL(unsigned long long, unsigned long long, cudaChannelFormatKindUnsigned, 8, 1)
#undef __CDP_TEXELS
#undef __CDP_TEXEL

template <class __T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    const int __bits = __cdp_texel<__T>::__size * 8, __lanes = __cdp_texel<__T>::__lanes;
    return cudaCreateChannelDesc(__bits, __lanes > 1 ? __bits : 0, __lanes > 2 ? __bits : 0,
                                 __lanes > 3 ? __bits : 0,
                                 (cudaChannelFormatKind)__cdp_texel<__T>::__kind);
}

static inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1()
{
    return cudaCreateChannelDescHalf();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#endif
