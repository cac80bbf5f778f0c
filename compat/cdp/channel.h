/* The element types that channel descriptors name; for host and device code. */
#ifndef CDP_CHANNEL_H
#define CDP_CHANNEL_H

#include "../cuda_runtime_api.h"
#include "../vector_types.h"

/* Kind, bytes of a channel, and number of channels of T. */
template <class T> struct __cdp_texel;
#define CDP_TEXEL(T, scalar_type, channel_kind, bytes, count)                                      \
    template <> struct __cdp_texel<T> {                                                            \
        using scalar = scalar_type;                                                                \
        enum { kind = cudaChannelFormatKind##channel_kind, size = bytes, lanes = count };          \
    };
#define CDP_TEXELS(name, T, kind, bytes)                                                           \
    CDP_TEXEL(T, T, kind, bytes, 1)                                                                \
    CDP_TEXEL(name##1, T, kind, bytes, 1)                                                          \
    CDP_TEXEL(name##2, T, kind, bytes, 2)                                                          \
    CDP_TEXEL(name##3, T, kind, bytes, 3)                                                          \
    CDP_TEXEL(name##4, T, kind, bytes, 4)
CDP_TEXELS(char, signed char, Signed, 1)
CDP_TEXELS(uchar, unsigned char, Unsigned, 1)
CDP_TEXELS(short, short, Signed, 2)
CDP_TEXELS(ushort, unsigned short, Unsigned, 2)
CDP_TEXELS(int, int, Signed, 4)
CDP_TEXELS(uint, unsigned int, Unsigned, 4)
CDP_TEXELS(float, float, Float, 4)
CDP_TEXEL(char, char, Signed, 1, 1)
CDP_TEXEL(long, long, Signed, 8, 1)
CDP_TEXEL(unsigned long, unsigned long, Unsigned, 8, 1)
CDP_TEXEL(long long, long long, Signed, 8, 1)
CDP_TEXEL(unsigned long long, unsigned long long, Unsigned, 8, 1)
#undef CDP_TEXELS
#undef CDP_TEXEL

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    const int bits = __cdp_texel<T>::size * 8, lanes = __cdp_texel<T>::lanes;
    return cudaCreateChannelDesc(bits, lanes > 1 ? bits : 0, lanes > 2 ? bits : 0,
                                 lanes > 3 ? bits : 0, (cudaChannelFormatKind)__cdp_texel<T>::kind);
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
