// Inline PTX gives an H100's results, form by form: a hash of the results for 64 operands each.
// With an argument the program prints all results.
#include <cstdio>
#include "ptx_forms.h"
#include "ptx_forms_cvt.h"

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ const u32 words[32] = {
    0,          1,          0x80000000, 0xffffffff, 0x7fffffff, 0x12345678, 0x9abcdef0, 0xfffe7001,
    0x3f800000, 0xbfc00000, 0x40490fdb, 0x000116c2, 0x00800000, 0x7f800000, 0xff800000, 0x7fc00000,
    0x40200000, 0x3f000000, 0xbf000000, 0x477fe000, 0x477ff000, 0x43e00000, 0x43e80000, 0x7149f2ca,
    0x322bcc77, 0x4f32d05e, 0xcf32d05e, 0x3effffff, 0x807fffff, 0x42fe999a, 0x33800001, 0xc2e5b3d1};
__device__ const u64 doubles[16] = {0,
                                    0x8000000000000000,
                                    0x3ff0000000000000,
                                    0xbff8000000000000,
                                    0x400921fb54442d18,
                                    0x7ff0000000000000,
                                    0x7ff8000000000000,
                                    0x41e0000000200000,
                                    0xc1e00000001fffff,
                                    0x43dfffffffffffff,
                                    0x3fb999999999999a,
                                    0x47efffffefffffff,
                                    0x36a0000000000001,
                                    0x123456789abcdef0,
                                    0xffffffffffffffff,
                                    0xc03f5c28f5c28f5c};
__device__ const u16 halves[32] = {0,      0x8000, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7fff,
                                   0x0001, 0x8001, 0x03ff, 0x0400, 0x3555, 0xb555, 0x4248, 0x5bff,
                                   0x5f00, 0xdf80, 0x3801, 0x3bff, 0x4500, 0xc500, 0x6400, 0x63ff,
                                   0x1234, 0x9678, 0x3f80, 0xbfc0, 0x42fe, 0x7f00, 0x0080, 0x5678};
__device__ const u32 amounts[16] = {0, 1, 4, 7, 8, 9, 15, 16, 24, 28, 31, 32, 33, 40, 63, 64};

__device__ u32 in_r(u32 i)
{
    return words[i % 32];
}
__device__ u64 in_l(u32 i)
{
    return i % 3 == 2 ? (u64)words[i % 32] << 32 | words[i / 2 % 32] : doubles[i % 16];
}
__device__ u16 in_h(u32 i)
{
    return halves[i % 32];
}
__device__ u32 in_p(u32 i)
{
    return halves[i % 32] | (u32)halves[(i * 5 + 9) % 32] << 16;
}
__device__ u32 in_s(u32 i)
{
    return amounts[i % 16];
}
#define REGISTER_r "r"
#define REGISTER_f "r"
#define REGISTER_l "l"
#define REGISTER_d "l"
#define REGISTER_h "h"
#define REGISTER_p "r"
#define REGISTER_s "r"
#define TYPE_r u32
#define TYPE_f u32
#define TYPE_l u64
#define TYPE_d u64
#define TYPE_h u16
__device__ u64 out_r(u32 x)
{
    return x;
}
__device__ u64 out_l(u64 x)
{
    return x;
}
__device__ u64 out_h(u16 x)
{
    return x;
}
__device__ u64 out_f(u32 x)
{
    return (x & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : x;
}
__device__ u64 out_d(u64 x)
{
    return (x & ~0ull >> 1) > 0x7ff0000000000000 ? ~0ull >> 1 : x;
}

#define IN1(A) REGISTER_##A(in_##A(a))
#define IN2(A, B) REGISTER_##A(in_##A(a)), REGISTER_##B(in_##B(b))
#define IN3(A, B, C) REGISTER_##A(in_##A(a)), REGISTER_##B(in_##B(b)), REGISTER_##C(in_##C(c))
#define COUNTED(_1, _2, _3, IN, ...) IN
#define INPUTS(...) COUNTED(__VA_ARGS__, IN3, IN2, IN1, )(__VA_ARGS__)
// Operands for which a directed rounding of double may be one off: a product or a square below
// 2^-960.
#define TOO_SMALL (1ull << 2 | 1ull << 5 | 1ull << 11 | 1ull << 32)
#define MASK_r 0
#define MASK_f 0
#define MASK_l 0
#define MASK_h 0
#define MASK_d TOO_SMALL
#define EVALUATE(RESULT, TEXT, ...)                                                                \
    {                                                                                              \
        TYPE_##RESULT d = 0;                                                                       \
        asm volatile(TEXT : "=" REGISTER_##RESULT(d) : INPUTS(__VA_ARGS__));                       \
        *out = (MASK_##RESULT >> t & 1) != 0 ? 0 : out_##RESULT(d);                                \
        out += 64;                                                                                 \
    }
#define TEXT_OF(RESULT, TEXT, ...) TEXT,

#define GROUP(NAME)                                                                                \
    __global__ void NAME##_kernel(u64 *out)                                                        \
    {                                                                                              \
        const u32 t = threadIdx.x, a = t, b = t * 7 + 3 + t / 32, c = t * 11 + 5;                  \
        out += t;                                                                                  \
        FORMS_OF_##NAME(EVALUATE)                                                                  \
    }                                                                                              \
    const char *const NAME##_texts[] = {FORMS_OF_##NAME(TEXT_OF)};
GROUP(CARRIES)
GROUP(INTEGERS)
GROUP(FLOATS)
GROUP(CONVERSIONS)

static u64 results[100 * 64];

static void print(const char *const *texts, int count, bool all)
{
    for (int i = 0; i < count; i++) {
        u64 hash = 14695981039346656037ull;
        for (int t = 0; t < 64; t++) {
            hash = (hash ^ results[i * 64 + t]) * 1099511628211ull;
        }
        printf("%08x %s\n", (u32)(hash >> 32), texts[i]);
        for (int t = 0; all && t < 64; t++) {
            printf("    %d: %llx\n", t, results[i * 64 + t]);
        }
    }
}
#define RUN(NAME)                                                                                  \
    {                                                                                              \
        NAME##_kernel<<<1, 64>>>(out);                                                             \
        cudaError_t error = cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);      \
        if (error != cudaSuccess) {                                                                \
            printf("%s\n", cudaGetErrorName(error));                                               \
        }                                                                                          \
        print(NAME##_texts, sizeof NAME##_texts / sizeof *NAME##_texts, all);                      \
    }

int main(int argc, char **argv)
{
#ifdef PROBE
    bool all = true;
#else
    bool all = argc > 1;
#endif
    u64 *out;
    cudaMalloc(&out, sizeof results);
    RUN(CARRIES)
    RUN(INTEGERS)
    RUN(FLOATS)
    RUN(CONVERSIONS)
}
