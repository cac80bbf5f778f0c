/* Instructions of inline PTX in CUDA, for those that are more than a few instructions of LLVM.
 *
 * They are compiled to bitcode, which cdpcc contains and adds to a program's module
 * (ptx/library.c). forms.def has their arguments: registers as integers, then the words that the
 * opcode has, from 1 in the row's order, 0 if it has none. These numbers are constants in each
 * call, so the optimizer keeps one case of each function. Nothing here may be undefined for any
 * argument. */
#ifndef CDPCC_PTX_LIBRARY_H
#define CDPCC_PTX_LIBRARY_H

/* A function, under the name that ptx/library.c calls. */
#define PTX(RESULT, NAME, ...)                                                                     \
    extern "C" __device__ RESULT ptx_##NAME(__VA_ARGS__) __asm__("cdp.ptx." #NAME);                \
    extern "C" __device__ RESULT ptx_##NAME(__VA_ARGS__)
#define MEMBER __device__ inline __attribute__((__always_inline__))
#define INTERNAL static MEMBER

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;

/* The words of ROUNDING. */
enum { NEAREST = 1, TO_ZERO = 2, DOWN = 3, UP = 4 };

/* The header's number of a directed rounding. */
INTERNAL int direction(u32 rounding)
{
    return rounding == TO_ZERO ? __cdp_rz : rounding == DOWN ? __cdp_rd : __cdp_ru;
}

INTERNAL float real(u32 bits)
{
    return __builtin_bit_cast(float, bits);
}
INTERNAL double real(u64 bits)
{
    return __builtin_bit_cast(double, bits);
}
INTERNAL u32 bits(float x)
{
    return __builtin_bit_cast(u32, x);
}
INTERNAL u64 bits(double x)
{
    return __builtin_bit_cast(u64, x);
}
/* Zero of the same sign instead of a subnormal number. */
INTERNAL float flushed(float x, u32 is_on)
{
    return is_on != 0 && (bits(x) & 0x7f800000) == 0 ? real(bits(x) & 0x80000000) : x;
}
/* From 0 to 1; a NaN gives 0. */
INTERNAL float clamped(float x)
{
    return x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
}

#endif
