// The minimum and the maximum of two numbers: -0 is less than +0 in either order, and a NaN, also a
// signalling one, is ignored. In float, double, half and bfloat16, by every name and in PTX; "_nan"
// gives a NaN if there is one.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Float {
    typedef float T;
    typedef unsigned int Bits;
    static const Bits sign = 0x80000000, infinity = 0x7f800000, one = 0x3f800000;
    static __device__ T number(Bits bits)
    {
        return __uint_as_float(bits);
    }
    static __device__ Bits bits(T x)
    {
        return __float_as_uint(x);
    }
    static __device__ T from_ptx(T a, T b, bool least)
    {
        float r, s;
        asm("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
        asm("max.f32 %0, %1, %2;" : "=f"(s) : "f"(a), "f"(b));
        return least ? r : s;
    }
};
struct Double {
    typedef double T;
    typedef unsigned long long Bits;
    static const Bits sign = 1ull << 63, infinity = 0x7ffull << 52, one = 0x3ffull << 52;
    static __device__ T number(Bits bits)
    {
        return __longlong_as_double((long long)bits);
    }
    static __device__ Bits bits(T x)
    {
        return (Bits)__double_as_longlong(x);
    }
    static __device__ T from_ptx(T a, T b, bool least)
    {
        double r, s;
        asm("min.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
        asm("max.f64 %0, %1, %2;" : "=d"(s) : "d"(a), "d"(b));
        return least ? r : s;
    }
};
struct Half {
    typedef half T;
    typedef unsigned short Bits;
    static const Bits sign = 0x8000, infinity = 0x7c00, one = 0x3c00;
    static __device__ T number(Bits bits)
    {
        return __ushort_as_half(bits);
    }
    static __device__ Bits bits(T x)
    {
        return __half_as_ushort(x);
    }
};
struct Brain {
    typedef __nv_bfloat16 T;
    typedef unsigned short Bits;
    static const Bits sign = 0x8000, infinity = 0x7f80, one = 0x3f80;
    static __device__ T number(Bits bits)
    {
        return __ushort_as_bfloat16(bits);
    }
    static __device__ Bits bits(T x)
    {
        return __bfloat16_as_ushort(x);
    }
};

template <class F> struct Pair {
    typename F::Bits a, b;
};
enum { NAMES = 3, LIST = 12 };
template <class F> struct Result {
    typename F::Bits least[NAMES], greatest[NAMES], least_nan, greatest_nan;
};

static __device__ float library(float a, float b, bool least)
{
    return least ? fminf(a, b) : fmaxf(a, b);
}
static __device__ double library(double a, double b, bool least)
{
    return least ? fmin(a, b) : fmax(a, b);
}
template <class F> __global__ void choose(const Pair<F> *in, Result<F> *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        typename F::T a = F::number(in[i].a), b = F::number(in[i].b);
        out[i].least[0] = F::bits(min(a, b));
        out[i].greatest[0] = F::bits(max(a, b));
        out[i].least[1] = F::bits(library(a, b, true));
        out[i].greatest[1] = F::bits(library(a, b, false));
        out[i].least[2] = F::bits(F::from_ptx(a, b, true));
        out[i].greatest[2] = F::bits(F::from_ptx(a, b, false));
    }
}
static __device__ half2 pair_of(half a, half b)
{
    return half2(a, b);
}
static __device__ __nv_bfloat162 pair_of(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
template <class F> __global__ void choose_halves(const Pair<F> *in, Result<F> *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        typename F::T a = F::number(in[i].a), b = F::number(in[i].b), one = F::number(F::one);
        auto x = pair_of(a, one), y = pair_of(b, one);
        out[i].least[0] = F::bits(__hmin(a, b));
        out[i].greatest[0] = F::bits(__hmax(a, b));
        out[i].least[1] = F::bits(__hmin2(x, y).x);
        out[i].greatest[1] = F::bits(__hmax2(x, y).x);
        out[i].least_nan = F::bits(__hmin_nan(a, b));
        out[i].greatest_nan = F::bits(__hmax2_nan(x, y).x);
    }
}

template <class F> static bool is_nan(typename F::Bits x)
{
    return (x & (F::sign - 1)) > F::infinity;
}
// Compares the bits as signed magnitudes, -0 before +0.
template <class F> static bool is_less(typename F::Bits a, typename F::Bits b)
{
    typedef typename F::Bits Bits;
    Bits x = a & F::sign ? (Bits)~a : (Bits)(a | F::sign),
         y = b & F::sign ? (Bits)~b : (Bits)(b | F::sign);
    return x < y;
}
template <class F> static bool is_right(typename F::Bits got, const Pair<F> &p, bool least)
{
    if (is_nan<F>(p.a) || is_nan<F>(p.b)) {
        return is_nan<F>(p.a) && is_nan<F>(p.b) ? is_nan<F>(got)
                                                : got == (is_nan<F>(p.a) ? p.b : p.a);
    }
    return got == (is_less<F>(p.a, p.b) == least ? p.a : p.b);
}
template <class F> static bool is_right_nan(typename F::Bits got, const Pair<F> &p, bool least)
{
    return is_nan<F>(p.a) || is_nan<F>(p.b) ? got == 0x7fff : is_right<F>(got, p, least);
}

template <class F> static int fill(Pair<F> *in)
{
    typedef typename F::Bits Bits;
    const Bits list[LIST] = {0,
                             1,
                             F::one,
                             F::infinity,
                             (Bits)(F::infinity - 1),
                             (Bits)(F::infinity + 1),
                             (Bits)(F::infinity | F::infinity >> 1),
                             (Bits)(F::sign - 1),
                             (Bits)(F::one - 1),
                             (Bits)(F::one / 3),
                             (Bits)(F::one / 5 * 4),
                             2};
    int n = 0;
    for (int i = 0; i < 2 * LIST; i++) {
        for (int j = 0; j < 2 * LIST; j++) {
            in[n++] = {(Bits)(list[i / 2] | (i % 2 ? F::sign : 0)),
                       (Bits)(list[j / 2] | (j % 2 ? F::sign : 0))};
        }
    }
    return n;
}
template <class F>
static void run(const char *name, int names, bool has_nan,
                void (*kernel)(const Pair<F> *, Result<F> *, int))
{
    Pair<F> *in;
    Result<F> *out;
    int wrong = 0;
    cudaMallocManaged(&in, 4 * LIST * LIST * sizeof *in);
    cudaMallocManaged(&out, 4 * LIST * LIST * sizeof *out);
    int n = fill(in);
    kernel<<<(n + 127) / 128, 128>>>(in, out, n);
    const char *status = cudaGetErrorName(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        bool right = !has_nan || (is_right_nan<F>(out[i].least_nan, in[i], true) &&
                                  is_right_nan<F>(out[i].greatest_nan, in[i], false));
        for (int k = 0; k < names; k++) {
            right &= is_right<F>(out[i].least[k], in[i], true) &&
                     is_right<F>(out[i].greatest[k], in[i], false);
        }
        if (!right && wrong++ < 5) {
            printf("%s: %llx and %llx: least %llx %llx %llx, greatest %llx %llx %llx\n", name,
                   (unsigned long long)in[i].a, (unsigned long long)in[i].b,
                   (unsigned long long)out[i].least[0], (unsigned long long)out[i].least[1],
                   (unsigned long long)out[i].least[2], (unsigned long long)out[i].greatest[0],
                   (unsigned long long)out[i].greatest[1], (unsigned long long)out[i].greatest[2]);
        }
    }
    printf("%s: %s, %d of %d pairs wrong\n", name, status, wrong, n);
}

// One of the numbers is known: if it is a zero, the compiler uses other code.
__global__ void with_constants(const float *in, unsigned int *out)
{
    float x = in[threadIdx.x];
    unsigned int *o = out + threadIdx.x * 6;
    float least, greatest;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(x), "f"(0.0f));
    asm("max.ftz.NaN.f32 %0, %1, %2;" : "=f"(greatest) : "f"(-1.0f), "f"(x));
    o[0] = __float_as_uint(fmaxf(x, 0.0f));
    o[1] = __float_as_uint(fminf(0.0f, x));
    o[2] = __float_as_uint(fmaxf(-0.0f, x));
    o[3] = __float_as_uint(fminf(x, -0.0f));
    o[4] = least == least ? __float_as_uint(least) : 0x7fffffff;
    o[5] = greatest == greatest ? __float_as_uint(greatest) : 0x7fffffff;
}

int main()
{
    run<Float>("float", 3, false, choose<Float>);
    run<Double>("double", 3, false, choose<Double>);
    run<Half>("half", 2, true, choose_halves<Half>);
    run<Brain>("bfloat16", 2, true, choose_halves<Brain>);
    float *in;
    unsigned int *out;
    cudaMallocManaged(&in, 64 * sizeof *in);
    cudaMallocManaged(&out, 64 * 6 * sizeof *out);
    const unsigned int some[] = {0, 0x80000000, 0x7fc00000, 0x7f800001, 1, 0x80000001};
    for (int i = 0; i < 64; i++) {
        memcpy(&in[i], &some[i % 6], 4);
    }
    with_constants<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++) {
        const unsigned int *o = out + 6 * i;
        printf("%08x: %x %x %x %x, %x %x\n", some[i], o[0], o[1], o[2], o[3], o[4], o[5]);
    }
}
