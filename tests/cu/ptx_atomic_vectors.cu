// cdpcc: -arch=sm_90
// Vector atomics of inline PTX: each element is atomic, sums and extremes of float, halves and pairs.
#include "show.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { THREADS = 64, BLOCKS = 4 };

__device__ unsigned wrong_values;

__device__ void note(bool is_right)
{
    if (!is_right) {
        atomicAdd(&wrong_values, 1);
    }
}

__global__ void floats(float *to)
{
    float a, b, c, d;
    asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
                 : "=f"(a), "=f"(b)
                 : "l"(to), "f"(1.0f), "f"(2.0f)
                 : "memory");
    note(a >= 0 && a < THREADS * BLOCKS && b >= 0 && b < 2 * THREADS * BLOCKS);
    asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0 + 16], {%1, %2, %3, %4};" ::"l"(to), "f"(1.0f),
                 "f"(2.0f), "f"(3.0f), "f"(4.0f)
                 : "memory");
    asm volatile("atom.global.add.v4.f32 {%0, %1, %2, _}, [%3], {%4, %4, %4, %4};"
                 : "=f"(a), "=f"(b), "=f"(c)
                 : "l"(to + 8), "f"(0.5f)
                 : "memory");
    d = a + b + c;
    note(d >= 0 && d < 3 * THREADS * BLOCKS);
}

template <class T> __device__ unsigned short bits_of(float value)
{
    return __builtin_bit_cast(unsigned short, T(value));
}

#define HALVES(NAME, TYPE, T)                                                                         \
    __global__ void NAME(unsigned short *to)                                                         \
    {                                                                                                 \
        unsigned short one = bits_of<T>(1), x = bits_of<T>((float)threadIdx.x), old[8];               \
        asm volatile("red.global.add.noftz.v2." TYPE " [%0], {%1, %1};" ::"l"(to), "h"(one)           \
                     : "memory");                                                                     \
        asm volatile("red.global.max.noftz.v4." TYPE " [%0], {%1, %2, %1, %2};" ::"l"(to + 4),        \
                     "h"(x), "h"(one)                                                                 \
                     : "memory");                                                                     \
        asm volatile("atom.global.min.noftz.v8." TYPE                                                 \
                     " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], {%9, %9, %9, %9, %10, %10, %10, %10};" \
                     : "=h"(old[0]), "=h"(old[1]), "=h"(old[2]), "=h"(old[3]), "=h"(old[4]),          \
                       "=h"(old[5]), "=h"(old[6]), "=h"(old[7])                                       \
                     : "l"(to + 8), "h"(x), "h"(one)                                                  \
                     : "memory");                                                                     \
        for (int i = 0; i < 8; i++) {                                                                 \
            float before = (float)__builtin_bit_cast(T, old[i]);                                      \
            note(before >= 0 && before <= 100);                                                       \
        }                                                                                             \
    }                                                                                                 \
    __global__ void NAME##_pairs(unsigned *to)                                                       \
    {                                                                                                 \
        unsigned pair = bits_of<T>(1) | (unsigned)bits_of<T>((float)threadIdx.x) << 16, a, b;         \
        asm volatile("atom.global.add.noftz.v2." TYPE "x2 {%0, %1}, [%2], {%3, %3};"                  \
                     : "=r"(a), "=r"(b)                                                               \
                     : "l"(to), "r"(bits_of<T>(1) * 0x10001u)                                         \
                     : "memory");                                                                     \
        note((float)__builtin_bit_cast(T, (unsigned short)a) < THREADS * BLOCKS);                     \
        asm volatile("red.global.max.noftz.v4." TYPE "x2 [%0], {%1, %1, %1, %1};" ::"l"(to + 4),      \
                     "r"(pair)                                                                        \
                     : "memory");                                                                     \
    }

HALVES(halves, "f16", __half)
HALVES(bfloats, "bf16", __nv_bfloat16)

template <class T> static int show(const char *name, void (*one)(unsigned short *), void (*two)(unsigned *))
{
    T *to;
    MUST(cudaMallocManaged(&to, 64 * sizeof(T)));
    for (int i = 0; i < 64; i++) {
        to[i] = T(i >= 8 && i < 16 ? 100.0f : 0.0f);
    }
    one<<<BLOCKS, THREADS>>>((unsigned short *)to);
    two<<<BLOCKS, THREADS>>>((unsigned *)(to + 16));
    MUST(cudaDeviceSynchronize());
    printf("%s:", name);
    for (int i = 0; i < 32; i++) {
        printf(" %g", (float)to[i]);
    }
    puts("");
    return 0;
}

/* The same registers on both sides. */
__global__ void swapped(float *to)
{
    float a = 1, b = 10;
    asm volatile("atom.global.add.v2.f32 {%1, %0}, [%2], {%0, %1};" : "+f"(a), "+f"(b) : "l"(to) : "memory");
    note(a == 200 && b == 100);
}

int main()
{
    float *to;
    unsigned wrong;
    MUST(cudaMallocManaged(&to, 64));
    floats<<<BLOCKS, THREADS>>>(to);
    MUST(cudaDeviceSynchronize());
    printf("floats:");
    for (int i = 0; i < 12; i++) {
        printf(" %g", to[i]);
    }
    puts("");
    if (show<__half>("halves", halves, halves_pairs) || show<__nv_bfloat16>("bfloats", bfloats, bfloats_pairs)) {
        return 1;
    }
    to[0] = 100;
    to[1] = 200;
    swapped<<<1, 1>>>(to);
    MUST(cudaDeviceSynchronize());
    printf("swapped: %g %g\n", to[0], to[1]);
    MUST(cudaMemcpyFromSymbol(&wrong, wrong_values, sizeof wrong));
    printf("%u wrong\n", wrong);
    return 0;
}
