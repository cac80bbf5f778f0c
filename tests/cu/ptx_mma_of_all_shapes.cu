// slow: 24 products, each compiled as straight-line code
// mma.sync gives an H100's results where they are exact: a hash of the 32 lanes' registers for each
// shape and type. With an argument the program prints the registers.
#include <cstdio>
#include <cuda_fp16.h>

typedef unsigned int u32;
typedef unsigned long long u64;

// A register that is filled with elements of the type: small whole numbers, or any bits.
enum element { F16, BF16, TF32, F32, F64, S32, E4M3, E5M2, ANY };
__device__ u32 random_bits(u32 lane, u32 reg, u32 salt)
{
    u32 x = (lane * 64 + reg) * 2654435761u + salt * 40503u;
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    x *= 0x297a2d39u;
    return x ^ x >> 15;
}
__device__ u32 f16_bits(int v)
{
    return __half_as_ushort(__int2half_rn(v));
}
__device__ u64 fill(element type, u32 lane, u32 reg, u32 salt)
{
    const u32 bits = random_bits(lane, reg, salt);
    const int range = salt == 2 ? 65 : 4;
    const int v = (int)(bits % (2 * range + 1)) - range;
    const int w = (int)(bits / 1024 % (2 * range + 1)) - range;
    switch (type) {
    case F16:
        return f16_bits(v) | f16_bits(w) << 16;
    case BF16:
        return __float_as_uint((float)v) >> 16 | (__float_as_uint((float)w) & 0xffff0000);
    case TF32:
    case F32:
        return __float_as_uint((float)v);
    case F64:
        return (u64)__double_as_longlong((double)v);
    case E4M3: // -4 to 4 in each byte
    {
        const u32 codes[] = {0xc8, 0xc4, 0xc0, 0xb8, 0, 0x38, 0x40, 0x44, 0x48};
        return codes[bits % 9] | codes[bits / 16 % 9] << 8 | codes[bits / 256 % 9] << 16 |
               codes[bits / 4096 % 9] << 24;
    }
    case E5M2: {
        const u32 codes[] = {0xc4, 0xc2, 0xc0, 0xbc, 0, 0x3c, 0x40, 0x42, 0x44};
        return codes[bits % 9] | codes[bits / 16 % 9] << 8 | codes[bits / 256 % 9] << 16 |
               codes[bits / 4096 % 9] << 24;
    }
    case S32:
        return salt == 2 && lane == 5 ? 0x7fffff00u : bits >> 8;
    default:
        return bits;
    }
}

#define D2 "{%0,%1}"
#define D4 "{%0,%1,%2,%3}"
#define SHAPE_2112(T, TYPE)                                                                        \
    asm volatile(T " {%0,%1}, {%2}, {%3}, {%4,%5};"                                                \
                 : "=" #TYPE(d[0]), "=" #TYPE(d[1])                                                \
                 : #TYPE(a[0]), #TYPE(b[0]), #TYPE(c[0]), #TYPE(c[1]));
#define SHAPE_2212(T, TYPE)                                                                        \
    asm volatile(T " {%0,%1}, {%2,%3}, {%4}, {%5,%6};"                                             \
                 : "=" #TYPE(d[0]), "=" #TYPE(d[1])                                                \
                 : #TYPE(a[0]), #TYPE(a[1]), #TYPE(b[0]), #TYPE(c[0]), #TYPE(c[1]));
#define SHAPE_2422(T, TYPE)                                                                        \
    asm volatile(T " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"                                    \
                 : "=" #TYPE(d[0]), "=" #TYPE(d[1])                                                \
                 : #TYPE(a[0]), #TYPE(a[1]), #TYPE(a[2]), #TYPE(a[3]), #TYPE(b[0]), #TYPE(b[1]),   \
                   #TYPE(c[0]), #TYPE(c[1]));
#define SHAPE_4214(T, TYPE)                                                                        \
    asm volatile(T " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"                                \
                 : "=" #TYPE(d[0]), "=" #TYPE(d[1]), "=" #TYPE(d[2]), "=" #TYPE(d[3])              \
                 : #TYPE(a[0]), #TYPE(a[1]), #TYPE(b[0]), #TYPE(c[0]), #TYPE(c[1]), #TYPE(c[2]),   \
                   #TYPE(c[3]));
#define SHAPE_4424(T, TYPE)                                                                        \
    asm volatile(T " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                    \
                 : "=" #TYPE(d[0]), "=" #TYPE(d[1]), "=" #TYPE(d[2]), "=" #TYPE(d[3])              \
                 : #TYPE(a[0]), #TYPE(a[1]), #TYPE(a[2]), #TYPE(a[3]), #TYPE(b[0]), #TYPE(b[1]),   \
                   #TYPE(c[0]), #TYPE(c[1]), #TYPE(c[2]), #TYPE(c[3]));
#define SHAPE_4844(T, TYPE)                                                                        \
    asm volatile(T " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15},"               \
                   " {%16,%17,%18,%19};"                                                           \
                 : "=" #TYPE(d[0]), "=" #TYPE(d[1]), "=" #TYPE(d[2]), "=" #TYPE(d[3])              \
                 : #TYPE(a[0]), #TYPE(a[1]), #TYPE(a[2]), #TYPE(a[3]), #TYPE(a[4]), #TYPE(a[5]),   \
                   #TYPE(a[6]), #TYPE(a[7]), #TYPE(b[0]), #TYPE(b[1]), #TYPE(b[2]), #TYPE(b[3]),   \
                   #TYPE(c[0]), #TYPE(c[1]), #TYPE(c[2]), #TYPE(c[3]));
#define REGISTERS_r u32
#define REGISTERS_d double
__device__ u64 bits_of(u32 x)
{
    return x;
}
__device__ u64 bits_of(double x)
{
    return (u64)__double_as_longlong(x);
}
__device__ void set(u32 &x, u64 v)
{
    x = (u32)v;
}
__device__ void set(double &x, u64 v)
{
    x = __longlong_as_double((long long)v);
}

#define SHAPES_OF_HALVES(X)                                                                        \
    X(2212, r, F16, F16, "m16n8k8.row.col.f16.f16.f16.f16")                                        \
    X(2422, r, F16, F16, "m16n8k16.row.col.f16.f16.f16.f16")                                       \
    X(4214, r, F16, F32, "m16n8k8.row.col.f32.f16.f16.f32")                                        \
    X(4424, r, F16, F32, "m16n8k16.row.col.f32.f16.f16.f32")                                       \
    X(4214, r, BF16, F32, "m16n8k8.row.col.f32.bf16.bf16.f32")                                     \
    X(4424, r, BF16, F32, "m16n8k16.row.col.f32.bf16.bf16.f32")                                    \
    X(4214, r, TF32, F32, "m16n8k4.row.col.f32.tf32.tf32.f32")                                     \
    X(4424, r, TF32, F32, "m16n8k8.row.col.f32.tf32.tf32.f32")                                     \
    X(4424, r, E4M3, F32, "m16n8k32.row.col.f32.e4m3.e4m3.f32")                                    \
    X(4424, r, E5M2, F32, "m16n8k32.row.col.f32.e5m2.e5m2.f32")                                    \
    X(2112, d, F64, F64, "m8n8k4.row.col.f64.f64.f64.f64")                                         \
    X(4214, d, F64, F64, "m16n8k4.row.col.f64.f64.f64.f64")                                        \
    X(4424, d, F64, F64, "m16n8k8.row.col.f64.f64.f64.f64")                                        \
    X(4844, d, F64, F64, "m16n8k16.row.col.f64.f64.f64.f64")
#define SHAPES_OF_BYTES(X)                                                                         \
    X(2112, r, ANY, S32, "m8n8k16.row.col.s32.s8.s8.s32")                                          \
    X(4214, r, ANY, S32, "m16n8k16.row.col.s32.u8.s8.s32")                                         \
    X(4424, r, ANY, S32, "m16n8k32.row.col.s32.s8.u8.s32")                                         \
    X(4424, r, ANY, S32, "m16n8k32.row.col.satfinite.s32.u8.u8.s32")                               \
    X(2112, r, ANY, S32, "m8n8k32.row.col.s32.s4.s4.s32")                                          \
    X(4214, r, ANY, S32, "m16n8k32.row.col.s32.u4.s4.s32")                                         \
    X(4424, r, ANY, S32, "m16n8k64.row.col.satfinite.s32.u4.u4.s32")                               \
    X(2112, r, ANY, S32, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")                                \
    X(4214, r, ANY, S32, "m16n8k128.row.col.s32.b1.b1.s32.and.popc")                               \
    X(4424, r, ANY, S32, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc")

#define MULTIPLY(COUNTS, CLASS, TYPE, SUM, TEXT)                                                   \
    {                                                                                              \
        REGISTERS_##CLASS a[8], b[4], c[4], d[4] = {};                                             \
        for (int i = 0; i < 8; i++) {                                                              \
            set(a[i], fill(TYPE, lane, i, 0));                                                     \
        }                                                                                          \
        for (int i = 0; i < 4; i++) {                                                              \
            set(b[i], fill(TYPE, lane, i, 1));                                                     \
            set(c[i], fill(SUM, lane, i, 2));                                                      \
        }                                                                                          \
        SHAPE_##COUNTS("mma.sync.aligned." TEXT, CLASS) for (int i = 0; i < 4; i++)                \
        {                                                                                          \
            out[i * 32 + lane] = bits_of(d[i]);                                                    \
        }                                                                                          \
        out += 128;                                                                                \
    }
#define TEXT_OF(COUNTS, CLASS, TYPE, SUM, TEXT) TEXT,

__global__ void halves(u64 *out)
{
    const u32 lane = threadIdx.x;
    SHAPES_OF_HALVES(MULTIPLY)
}
__global__ void bytes(u64 *out)
{
    const u32 lane = threadIdx.x;
    SHAPES_OF_BYTES(MULTIPLY)
}
static u64 results[16 * 128];
static void print(const char *const *texts, int count, bool all)
{
    for (int i = 0; i < count; i++) {
        u64 hash = 14695981039346656037ull;
        for (int t = 0; t < 128; t++) {
            hash = (hash ^ results[i * 128 + t]) * 1099511628211ull;
        }
        printf("%08x %s\n", (u32)(hash >> 32), texts[i]);
        for (int t = 0; all && t < 128; t++) {
            printf("%llx%c", results[i * 128 + t], t % 32 == 31 ? '\n' : ' ');
        }
    }
}
static const char *const halves_texts[] = {SHAPES_OF_HALVES(TEXT_OF)};
static const char *const bytes_texts[] = {SHAPES_OF_BYTES(TEXT_OF)};
#define RUN(NAME)                                                                                  \
    NAME<<<1, 32>>>(out);                                                                          \
    printf("%s\n",                                                                                 \
           cudaGetErrorName(cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost)));    \
    print(NAME##_texts, sizeof NAME##_texts / sizeof *NAME##_texts, all);

int main(int argc, char **argv)
{
#ifdef PROBE
    bool all = true;
#else
    bool all = argc > 1;
#endif
    u64 *out;
    cudaMalloc(&out, sizeof results);
    RUN(halves)
    RUN(bytes)
}
