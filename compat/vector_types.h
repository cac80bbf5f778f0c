/* The built-in vector types: plain aggregates, aligned as the programming guide
 * says, so that C and device code share them. */
#ifndef CDP_VECTOR_TYPES_H
#define CDP_VECTOR_TYPES_H

#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define CDP_VECTOR(name, align, ...)                                                               \
    struct __attribute__((aligned(align))) name {                                                  \
        __VA_ARGS__;                                                                               \
    };                                                                                             \
    typedef struct name name;
/* One- and three-element types are aligned as their element. */
#define CDP_VECTORS(name, T, align1, align2, align4)                                               \
    CDP_VECTOR(name##1, align1, T x)                                                               \
    CDP_VECTOR(name##2, align2, T x, y)                                                            \
    CDP_VECTOR(name##3, align1, T x, y, z)                                                         \
    CDP_VECTOR(name##4, align4, T x, y, z, w)

CDP_VECTORS(char, signed char, 1, 2, 4)
CDP_VECTORS(uchar, unsigned char, 1, 2, 4)
CDP_VECTORS(short, short, 2, 4, 8)
CDP_VECTORS(ushort, unsigned short, 2, 4, 8)
CDP_VECTORS(int, int, 4, 8, 16)
CDP_VECTORS(uint, unsigned int, 4, 8, 16)
CDP_VECTORS(long, long int, 8, 16, 16)
CDP_VECTORS(ulong, unsigned long int, 8, 16, 16)
CDP_VECTORS(longlong, long long int, 8, 16, 16)
CDP_VECTORS(ulonglong, unsigned long long int, 8, 16, 16)
CDP_VECTORS(float, float, 4, 8, 16)
CDP_VECTORS(double, double, 8, 16, 16)

/* CUDA 13 spells the alignment of the 32-byte types. */
#define CDP_VECTORS_32(name, T)                                                                    \
    CDP_VECTOR(name##4_16a, 16, T x, y, z, w)                                                      \
    CDP_VECTOR(name##4_32a, 32, T x, y, z, w)
CDP_VECTORS_32(long, long int)
CDP_VECTORS_32(ulong, unsigned long int)
CDP_VECTORS_32(longlong, long long int)
CDP_VECTORS_32(ulonglong, unsigned long long int)
CDP_VECTORS_32(double, double)

#undef CDP_VECTORS_32
#undef CDP_VECTORS
#undef CDP_VECTOR

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                       unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
