// The types of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: all encodings, and conversions of many
// numbers in all modes, as an H100 converts them; and the same on the host. With an argument the
// program prints all results.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

typedef unsigned int u32;
typedef unsigned long long u64;
#define BOTH __host__ __device__
#define COUNT 1024

// The bits of a float: round numbers and their neighbours in the range of the small types, then
// any.
BOTH u32 input_bits(u32 i)
{
    if (i < 512) { // 17 exponents around 1, all values of the upper mantissa bits, and near ties
        const u32 exponent = 108 + i % 32, mantissa = i / 32 % 16,
                  tail[] = {0, 1, 0x7ffff, 0x40000};
        return (exponent << 23 | mantissa << 19 | tail[i % 4]) ^ (i & 1) << 31;
    }
    if (i < 528) {
        const u32 special[] = {0,          0x80000000, 1,          0x80000001,
                               0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
                               0x7f7fffff, 0xff7fffff, 0x43e00000, 0x43e80000,
                               0x43e7ffff, 0x47600000, 0x476fffff, 0x47700000};
        return special[i - 512];
    }
    u32 x = i * 2654435761u;
    return x ^ x >> 13;
}
BOTH float float_of(u32 bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
BOTH u32 bits_of(float x)
{
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? 0x7fffffff : bits;
}
BOTH __half_raw half_of(u32 i)
{
    __half_raw raw;
    raw.x = (unsigned short)(i < 512 ? i * 128 + i % 3 : input_bits(i) >> 11);
    return raw;
}
BOTH __nv_bfloat16_raw bfloat_of(u32 i)
{
    __nv_bfloat16_raw raw;
    raw.x = (unsigned short)(input_bits(i) >> 16);
    return raw;
}
// Near float values, but between them.
BOTH double double_of(u32 i)
{
    return (double)float_of(input_bits(i)) * (i % 3 ? 1.0 : 1.0 + 0x1p-40);
}

#define NUMBERS(ROW)                                                                               \
    ROW("float to e4m3", __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3))                      \
    ROW("float to e4m3, no saturation", __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3))           \
    ROW("float to e5m2", __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2))                      \
    ROW("float to e5m2, no saturation", __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2))           \
    ROW("double to e4m3", __nv_cvt_double_to_fp8(y, __NV_SATFINITE, __NV_E4M3))                    \
    ROW("double to e4m3, no saturation", __nv_cvt_double_to_fp8(y, __NV_NOSAT, __NV_E4M3))         \
    ROW("double to e5m2", __nv_cvt_double_to_fp8(y, __NV_SATFINITE, __NV_E5M2))                    \
    ROW("half to e4m3", __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E4M3))                     \
    ROW("half to e5m2, no saturation", __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E5M2))          \
    ROW("bfloat16 to e4m3", __nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, __NV_E4M3))             \
    ROW("bfloat16 to e5m2", __nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, __NV_E5M2))                 \
    ROW("float to e8m0, up", __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf))           \
    ROW("float to e8m0, up, no saturation",                                                        \
        __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf))                                    \
    ROW("float to e8m0, to zero", __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero))            \
    ROW("double to e8m0, up", __nv_cvt_double_to_e8m0(y, __NV_SATFINITE, cudaRoundPosInf))         \
    ROW("bfloat16 to e8m0, up", __nv_cvt_bfloat16raw_to_e8m0(b, __NV_SATFINITE, cudaRoundPosInf))  \
    ROW("float to e3m2", __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest))                    \
    ROW("float to e2m3", __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest))                    \
    ROW("double to e3m2", __nv_cvt_double_to_fp6(y, __NV_E3M2, cudaRoundNearest))                  \
    ROW("half to e2m3", __nv_cvt_halfraw_to_fp6(h, __NV_E2M3, cudaRoundNearest))                   \
    ROW("bfloat16 to e3m2", __nv_cvt_bfloat16raw_to_fp6(b, __NV_E3M2, cudaRoundNearest))           \
    ROW("float to e2m1", __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest))                    \
    ROW("double to e2m1", __nv_cvt_double_to_fp4(y, __NV_E2M1, cudaRoundNearest))                  \
    ROW("half to e2m1", __nv_cvt_halfraw_to_fp4(h, __NV_E2M1, cudaRoundNearest))                   \
    ROW("two floats to e4m3",                                                                      \
        __nv_cvt_float2_to_fp8x2(float2{x, 2 * x}, __NV_SATFINITE, __NV_E4M3))                     \
    ROW("two floats to e3m2",                                                                      \
        __nv_cvt_float2_to_fp6x2(float2{x, 2 * x}, __NV_E3M2, cudaRoundNearest))                   \
    ROW("two floats to e2m1",                                                                      \
        __nv_cvt_float2_to_fp4x2(float2{x, 2 * x}, __NV_E2M1, cudaRoundNearest))                   \
    ROW("class e4m3", __nv_fp8_e4m3(x).__x)                                                        \
    ROW("class e5m2 of a double", __nv_fp8_e5m2(y).__x)                                            \
    ROW("class e8m0", __nv_fp8_e8m0(x).__x)                                                        \
    ROW("class e3m2 of a half", __nv_fp6_e3m2(__half(h)).__x)                                      \
    ROW("class e2m1 of a bfloat16", __nv_fp4_e2m1(__nv_bfloat16(b)).__x)                           \
    ROW("class e4m3 of an int", __nv_fp8_e4m3((int)i - 512).__x)                                   \
    ROW("class e2m1 of a short", __nv_fp4_e2m1((short)((int)i - 512)).__x)                         \
    ROW("class e5m2x4", __nv_fp8x4_e5m2(float4{x, -x, x / 2, 1}).__x)                              \
    ROW("class e2m3x4", __nv_fp6x4_e2m3(float4{x, -x, x / 2, 1}).__x)                              \
    ROW("class e2m1x4", __nv_fp4x4_e2m1(float4{x, -x, x / 2, 1}).__x)

BOTH __nv_fp8_e4m3 e4m3(u32 i)
{
    __nv_fp8_e4m3 v;
    v.__x = (__nv_fp8_storage_t)i;
    return v;
}
BOTH __nv_fp8_e5m2 e5m2(u32 i)
{
    __nv_fp8_e5m2 v;
    v.__x = (__nv_fp8_storage_t)i;
    return v;
}
BOTH __nv_fp8_e8m0 e8m0(u32 i)
{
    __nv_fp8_e8m0 v;
    v.__x = (__nv_fp8_storage_t)i;
    return v;
}
BOTH __nv_fp6_e3m2 e3m2(u32 i)
{
    __nv_fp6_e3m2 v;
    v.__x = (__nv_fp6_storage_t)(i % 64);
    return v;
}
BOTH __nv_fp6_e2m3 e2m3(u32 i)
{
    __nv_fp6_e2m3 v;
    v.__x = (__nv_fp6_storage_t)(i % 64);
    return v;
}
BOTH __nv_fp4_e2m1 e2m1(u32 i)
{
    __nv_fp4_e2m1 v;
    v.__x = (__nv_fp4_storage_t)(i % 16);
    return v;
}
BOTH float sum(float4 v)
{
    return v.x + 2 * v.y + 4 * v.z + 8 * v.w;
}
BOTH float4 four(u32 i)
{
    __nv_fp8x4_e4m3 v;
    v.__x = i * 0x01030507u & 0x77777777u;
    return (float4)v;
}

#define ENCODINGS(ROW)                                                                             \
    ROW("e4m3", bits_of((float)e4m3(i)))                                                           \
    ROW("e5m2", bits_of((float)e5m2(i)))                                                           \
    ROW("e8m0", bits_of((float)e8m0(i)))                                                           \
    ROW("e3m2", bits_of((float)e3m2(i)))                                                           \
    ROW("e2m3", bits_of((float)e2m3(i)))                                                           \
    ROW("e2m1", bits_of((float)e2m1(i)))                                                           \
    ROW("e4m3 as half", __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E4M3).x)               \
    ROW("e5m2 as half", __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E5M2).x)               \
    ROW("e2m3 as half", __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(i % 64), __NV_E2M3).x)        \
    ROW("e8m0 as bfloat16", __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)i).x)                     \
    ROW("e4m3 as int", (u32)(int)e4m3(i))                                                          \
    ROW("e4m3 as unsigned char", (unsigned char)e4m3(i))                                           \
    ROW("e5m2 as signed char", (u32)(signed char)e5m2(i))                                          \
    ROW("e5m2 as short", (u32)(short)e5m2(i))                                                      \
    ROW("e5m2 as unsigned long long", (u32)(unsigned long long)e5m2(i))                            \
    ROW("e8m0 as unsigned", (unsigned)e8m0(i))                                                     \
    ROW("e3m2 as bool", (bool)e3m2(i))                                                             \
    ROW("e2m1 as double", bits_of((float)(double)e2m1(i)))                                         \
    ROW("four e4m3", bits_of(sum(four(i))))

#define NAME(TEXT, RESULT) TEXT,
#define EVALUATE(TEXT, RESULT) out[COUNT * row++] = RESULT;
static const char *const number_rows[] = {NUMBERS(NAME)};
static const char *const encoding_rows[] = {ENCODINGS(NAME)};

BOTH void convert(u32 i, u32 *out)
{
    const float x = float_of(input_bits(i));
    const double y = double_of(i);
    const __half_raw h = half_of(i);
    const __nv_bfloat16_raw b = bfloat_of(i);
    int row = 0;
    out += i;
    NUMBERS(EVALUATE)
}
BOTH void widen(u32 i, u32 *out)
{
    int row = 0;
    out += i;
    ENCODINGS(EVALUATE)
}
__global__ void convert_all(u32 *out)
{
    convert(blockIdx.x * blockDim.x + threadIdx.x, out);
}
__global__ void widen_all(u32 *out)
{
    widen(threadIdx.x, out);
}

static u32 device[40 * COUNT], host[40 * COUNT];

static void print(const char *const *names, int rows, u32 count, bool all)
{
    for (int row = 0; row < rows; row++) {
        u64 hash = 14695981039346656037ull;
        u32 different = 0;
        for (u32 i = 0; i < count; i++) {
            hash = (hash ^ device[row * COUNT + i]) * 1099511628211ull;
            different += device[row * COUNT + i] != host[row * COUNT + i];
        }
        printf("%08x %s", (u32)(hash >> 32), names[row]);
        printf(different ? ": the host has %u others\n" : "\n", different);
        for (u32 i = 0; all && i < count; i++) {
            printf("%x%c", device[row * COUNT + i], i % 16 == 15 ? '\n' : ' ');
        }
    }
}

int main(int argc, char **argv)
{
#ifdef PROBE
    bool all = true;
#else
    bool all = argc > 1;
#endif
    u32 *out;
    cudaMalloc(&out, sizeof device);
    convert_all<<<COUNT / 64, 64>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
    for (u32 i = 0; i < COUNT; i++) {
        convert(i, host);
    }
    print(number_rows, sizeof number_rows / sizeof *number_rows, COUNT, all);
    widen_all<<<1, 256>>>(out);
    printf("%s\n",
           cudaGetErrorName(cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost)));
    for (u32 i = 0; i < 256; i++) {
        widen(i, host);
    }
    print(encoding_rows, sizeof encoding_rows / sizeof *encoding_rows, 256, all);
}
