// To half and bfloat16 and back: with as many roundings as in the program, each by its stated mode;
// out of range, the nearest value. A NaN's bits are 7fff. The expected GPU results are computed
// here from the exact value, with integers.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum Rounding { RN, RZ, RU, RD };

// sign * mantissa * 2^exponent, exactly.
struct Exact {
    bool negative;
    unsigned long long mantissa;
    int exponent;
};
static Exact exact(long long v)
{
    return {v < 0, v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v, 0};
}
static Exact exact(unsigned long long v)
{
    return {false, v, 0};
}
static Exact exact(int v)
{
    return exact((long long)v);
}
static Exact exact(unsigned v)
{
    return exact((unsigned long long)v);
}
static Exact exact(short v)
{
    return exact((long long)v);
}
static Exact exact(unsigned short v)
{
    return exact((unsigned long long)v);
}
static Exact exact(double v)
{
    int e;
    double m = frexp(fabs(v), &e);
    return {signbit(v) != 0, (unsigned long long)ldexp(m, 53), e - 53};
}
static Exact exact(float v)
{
    return exact((double)v);
}

// The 16 bits of a number with this number of bits after the leading one.
static unsigned round_to(Exact x, int fraction, Rounding r)
{
    const int bias = (1 << (14 - fraction)) - 1, least = 1 - bias - fraction; // in the last place
    if (x.mantissa == 0) {
        return x.negative ? 0x8000 : 0;
    }
    int top = 63 - __builtin_clzll(x.mantissa) + x.exponent;
    int last = top - fraction > least ? top - fraction : least, drop = last - x.exponent;
    unsigned long long kept = drop <= 0 ? x.mantissa << -drop : drop > 63 ? 0 : x.mantissa >> drop;
    unsigned long long rest = drop <= 0 ? 0 : drop > 63 ? x.mantissa : x.mantissa - (kept << drop);
    unsigned long long half = drop <= 0 ? 1 : drop > 63 ? ~0ull : 1ull << (drop - 1);
    bool up = r == RN   ? rest > half || (rest == half && kept % 2 != 0)
              : r == RU ? rest != 0 && !x.negative
              : r == RD ? rest != 0 && x.negative
                        : false;
    kept += up;
    unsigned bits = (unsigned)kept + ((unsigned)(last - least) << fraction);
    const unsigned infinity = 0x7fff >> fraction << fraction;
    if (last - least > 2 * bias || bits >= infinity) {
        bool grows = r == RN || (r == RU && !x.negative) || (r == RD && x.negative);
        bits = grows ? infinity : infinity - 1;
    }
    return bits | (x.negative ? 0x8000 : 0);
}

struct In {
    int i;
    unsigned u;
    long long l;
    unsigned long long q;
    short s;
    unsigned short t;
    float f;
    double d;
};
// Each with the value from which it is computed.
#define ROUNDED(row, name, from, value)                                                            \
    row(__##from##2##name##_rn(value), value, RN) row(__##from##2##name##_rz(value), value, RZ)    \
        row(__##from##2##name##_ru(value), value, RU)                                              \
            row(__##from##2##name##_rd(value), value, RD)
#define ROWS(row, name)                                                                            \
    ROUNDED(row, name, int, x.i)                                                                   \
    ROUNDED(row, name, uint, x.u) ROUNDED(row, name, ll, x.l) ROUNDED(row, name, ull, x.q)         \
        ROUNDED(row, name, short, x.s) ROUNDED(row, name, ushort, x.t)                             \
            ROUNDED(row, name, float, x.f) row(__double2##name(x.d), x.d, RN)                      \
                row(__float2##name((float)x.d), (float)x.d, RN) row(T(x.l), x.l, RN)               \
                    row(T(x.d), x.d, RN) row(T((float)x.d), (float)x.d, RN)

#define NAME(call, value, rounding) #call,
static const char *const half_names[] = {ROWS(NAME, half)};
static const char *const brain_names[] = {ROWS(NAME, bfloat16)};
enum { ROW_COUNT = sizeof half_names / sizeof *half_names, COUNT = 3000 };
static_assert(ROW_COUNT == sizeof brain_names / sizeof *brain_names, "as many");

static __device__ unsigned short bits(half h)
{
    return __half_as_ushort(h);
}
static __device__ unsigned short bits(__nv_bfloat16 b)
{
    return __bfloat16_as_ushort(b);
}
#define COMPUTE(call, value, rounding) *out++ = bits(call);
__global__ void to_half(const In *in, unsigned short *out, int n)
{
    typedef half T;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const In x = in[i];
        out += i * ROW_COUNT;
        ROWS(COMPUTE, half)
    }
}
__global__ void to_brain(const In *in, unsigned short *out, int n)
{
    typedef __nv_bfloat16 T;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const In x = in[i];
        out += i * ROW_COUNT;
        ROWS(COMPUTE, bfloat16)
    }
}

static unsigned long long state = 88172645463325252ull;
static unsigned long long next()
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
}
// Many are halfway between two 16-bit numbers, or next to that.
static unsigned long long some_integer()
{
    unsigned long long bits = next(), v = bits >> (next() % 64);
    if (next() % 2 == 0) {
        v = (1ull << (next() % 64)) + (1ull << (next() % 64)) + next() % 3 - 1;
    }
    return bits & 1 ? v : 0 - v;
}
static In some()
{
    unsigned long long v = some_integer(), d = next();
    In x = {(int)v, (unsigned)v, (long long)v, v, (short)v, (unsigned short)v, 0, 0};
    unsigned f = (unsigned)next(), where = (unsigned)(next() % 4);
    f = (f & 0x807fffff) | (100 + (unsigned)(next() % 50)) << 23;
    d = (d & 0x800fffffffffffffull) | (1000 + next() % 50) << 52;
    // Truncated after a place that decides one or two roundings.
    const unsigned cuts[] = {0, 12, 15, 13};
    f = (f >> cuts[where] << cuts[where]) + (where ? (unsigned)(next() % 3) - 1 : 0);
    const unsigned long_cuts[] = {0, 29, 41, 44};
    d = (d >> long_cuts[where] << long_cuts[where]) + (where ? next() % 3 - 1 : 0);
    memcpy(&x.f, &f, sizeof f);
    memcpy(&x.d, &d, sizeof d);
    return x;
}

static int wrong;
static void check(const char *name, unsigned got, Exact from, int fraction, Rounding rounding)
{
    unsigned want = round_to(from, fraction, rounding);
    if (got != want && wrong++ < 10) {
        printf("%s of %s%llu * 2^%d: %04x, not %04x\n", name, from.negative ? "-" : "",
               from.mantissa, from.exponent, got, want);
    }
}
#define CHECK(call, value, rounding) check(#call, *out++, exact(value), fraction, rounding);
template <class T> static void check_half(const In &x, const unsigned short *out, int fraction)
{
    ROWS(CHECK, half)
}
template <class T> static void check_brain(const In &x, const unsigned short *out, int fraction)
{
    ROWS(CHECK, bfloat16)
}

// And back: a value that does not fit becomes the nearest one that does.
template <class H> __global__ void back(const unsigned short *in, long long *out)
{
    H h;
    memcpy(&h, &in[threadIdx.x], 2);
    long long *o = out + threadIdx.x * 8;
    o[0] = (signed char)h;
    o[1] = (unsigned char)h;
    o[2] = (short)h;
    o[3] = (unsigned short)h;
    o[4] = (int)h;
    o[5] = (unsigned)h;
    o[6] = (long long)h;
    o[7] = (long long)(unsigned long long)h;
}
template <class H>
static void show_back(const char *name, void (*kernel)(const unsigned short *, long long *))
{
    const unsigned short some[] = {0x0000, 0x8000, 0x3fff, 0xc4b0, 0x5c66, 0x7bff,
                                   0xfbff, 0x7c00, 0xfc00, 0x7f80, 0xff80, 0x7fc0};
    const int n = sizeof some / sizeof *some;
    unsigned short *in;
    long long *out;
    cudaMallocManaged(&in, 64 * sizeof *in);
    cudaMallocManaged(&out, 64 * 8 * sizeof *out);
    for (int i = 0; i < 64; i++) {
        in[i] = some[i % n];
    }
    kernel<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        const long long *o = out + 8 * i;
        printf("%s %04x: %lld %lld %lld %lld %lld %lld %lld %llu\n", name, some[i], o[0], o[1],
               o[2], o[3], o[4], o[5], o[6], (unsigned long long)o[7]);
    }
}

// Pairs whose lanes are compared, complex numbers multiplied, NaNs.
__global__ void others(unsigned int *out)
{
    half one(1.0f), two(2.0f), nan = __ushort_as_half(0x7e01);
    half2 a(one, nan), b(two, two), c = __hcmadd(half2(two, one), half2(one, two), half2(one, one));
    half2 results[] = {__hltu2(a, b), __hgeu2(a, b), __heq2(a, b), __hneu2(a, b), c, ++a, b--, b};
    for (int i = 0; i < 8; i++) {
        *out++ = __half_as_ushort(results[i].x) | (unsigned)__half_as_ushort(results[i].y) << 16;
    }
    *out++ = __hltu2_mask(a, b);
    *out++ = __hequ2_mask(a, b);
    *out++ = bits(__hneg(nan)) | (unsigned)bits(__habs(nan)) << 16;
    *out++ = bits(__float2half(NAN)) | (unsigned)bits(__double2bfloat16(NAN)) << 16;
    *out++ = __half2uchar_rz(half(300.0f)) | __bfloat162uchar_rz(__nv_bfloat16(-1.0f)) << 8;
}

int main()
{
    In *in;
    unsigned short *halves, *brains;
    unsigned int *out;
    cudaMallocManaged(&in, COUNT * sizeof *in);
    cudaMallocManaged(&halves, COUNT * ROW_COUNT * sizeof *halves);
    cudaMallocManaged(&brains, COUNT * ROW_COUNT * sizeof *brains);
    cudaMallocManaged(&out, 64 * sizeof *out);
    in[0] = {2049, 2049, 2049, 2049, 2049, 2049, 2049, 2049.0000001};
    for (int i = 1; i < COUNT; i++) {
        in[i] = some();
    }
    to_half<<<(COUNT + 127) / 128, 128>>>(in, halves, COUNT);
    to_brain<<<(COUNT + 127) / 128, 128>>>(in, brains, COUNT);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < COUNT; i++) {
        check_half<half>(in[i], halves + i * ROW_COUNT, 10);
        check_brain<__nv_bfloat16>(in[i], brains + i * ROW_COUNT, 7);
    }
    printf("%d of %d wrong\n", wrong, 2 * COUNT * ROW_COUNT);
    show_back<half>("half", back<half>);
    show_back<__nv_bfloat16>("bfloat16", back<__nv_bfloat16>);
    others<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 13; i++) {
        printf("%08x%s", out[i], i == 12 ? "\n" : " ");
    }
}
