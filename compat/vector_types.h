/* The built-in vector types: plain aggregates, aligned as the programming guide
 * says, so that C and device code share them. */
#ifndef __CDP_VECTOR_TYPES_H
#define __CDP_VECTOR_TYPES_H

#include "cdp/hide.h"

#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define __CDP_VECTOR(name, align, ...)                                                             \
    struct __attribute__((__aligned__(align))) name {                                              \
        __VA_ARGS__;                                                                               \
    };                                                                                             \
    typedef struct name name;
/* One- and three-element types are aligned as their element. */
#define __CDP_VECTORS(name, T, align1, align2, align4)                                             \
    __CDP_VECTOR(name##1, align1, T x)                                                             \
    __CDP_VECTOR(name##2, align2, T x, y)                                                          \
    __CDP_VECTOR(name##3, align1, T x, y, z)                                                       \
    __CDP_VECTOR(name##4, align4, T x, y, z, w)

__CDP_VECTORS(char, signed char, 1, 2, 4)
__CDP_VECTORS(uchar, unsigned char, 1, 2, 4)
__CDP_VECTORS(short, short, 2, 4, 8)
__CDP_VECTORS(ushort, unsigned short, 2, 4, 8)
__CDP_VECTORS(int, int, 4, 8, 16)
__CDP_VECTORS(uint, unsigned int, 4, 8, 16)
__CDP_VECTORS(long, long int, 8, 16, 16)
__CDP_VECTORS(ulong, unsigned long int, 8, 16, 16)
__CDP_VECTORS(longlong, long long int, 8, 16, 16)
__CDP_VECTORS(ulonglong, unsigned long long int, 8, 16, 16)
__CDP_VECTORS(float, float, 4, 8, 16)
__CDP_VECTORS(double, double, 8, 16, 16)

/* CUDA 13 spells the alignment of the 32-byte types. */
#define __CDP_VECTORS_32(name, T)                                                                  \
    __CDP_VECTOR(name##4_16a, 16, T x, y, z, w)                                                    \
    __CDP_VECTOR(name##4_32a, 32, T x, y, z, w)
__CDP_VECTORS_32(long, long int)
__CDP_VECTORS_32(ulong, unsigned long int)
__CDP_VECTORS_32(longlong, long long int)
__CDP_VECTORS_32(ulonglong, unsigned long long int)
__CDP_VECTORS_32(double, double)

#undef __CDP_VECTORS_32
#undef __CDP_VECTORS
#undef __CDP_VECTOR

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned int __vx = 1, unsigned int __vy = 1,
                                       unsigned int __vz = 1)
        : x(__vx), y(__vy), z(__vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#include "cdp/show.h"

#endif
