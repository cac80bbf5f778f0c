// workers: 2
// Functions that block entries run as vectors give the same bits there as in thread entries, and
// are as accurate as the CUDA C++ Programming Guide states for a GPU: for numbers of all sizes and
// signs, infinities, NaN, subnormals and zeros of both signs.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

enum { COUNT = 1 << 17 };

#define FUNCTION(name, call)                                                                       \
    struct name {                                                                                  \
        template <class T> static __device__ T run(T x, T y)                                       \
        {                                                                                          \
            return call;                                                                           \
        }                                                                                          \
        template <class T> static T exact(T x, T y)                                                \
        {                                                                                          \
            return call;                                                                           \
        }                                                                                          \
    };
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cbrt;
using std::cos;
using std::cosh;
using std::erf;
using std::exp;
using std::exp2;
using std::hypot;
using std::log;
using std::log10;
using std::log2;
using std::pow;
using std::sin;
using std::sinh;
using std::tan;
using std::tanh;
FUNCTION(Exp, exp(x))
FUNCTION(Log, log(x))
FUNCTION(Sin, sin(x))
FUNCTION(Cos, cos(x))
FUNCTION(Pow, pow(x, y))
FUNCTION(Square, pow(x, (T)2))
FUNCTION(Exp2, exp2(x))
FUNCTION(Log2, log2(x))
FUNCTION(Log10, log10(x))
FUNCTION(Tanh, tanh(x))
FUNCTION(Erf, erf(x))
FUNCTION(Tan, tan(x))
FUNCTION(Asin, asin(x))
FUNCTION(Acos, acos(x))
FUNCTION(Atan, atan(x))
FUNCTION(Atan2, atan2(x, y))
FUNCTION(Sinh, sinh(x))
FUNCTION(Cosh, cosh(x))
FUNCTION(Cbrt, cbrt(x))
FUNCTION(Hypot, hypot(x, y))
struct Exp10 {
    static __device__ float run(float x, float) { return exp10f(x); }
    static long double exact(long double x, long double) { return pow(10.0L, x); }
};
struct Turn {
    static __device__ float run(float x, float y)
    {
        float s, c;
        sincosf(x, &s, &c);
        return y > 0 ? s : c;
    }
    static __device__ double run(double x, double y)
    {
        double s, c;
        sincos(x, &s, &c);
        return y > 0 ? s : c;
    }
    static long double exact(long double x, long double y) { return y > 0 ? sin(x) : cos(x); }
};
struct Fast {
    static __device__ float run(float x, float y)
    {
        return y > 0 ? __expf(x) : __logf(x) + 0 * __sinf(x) + 0 * __cosf(x);
    }
    static long double exact(long double x, long double y)
    {
        return y > 0 ? exp(x) : std::isinf(x) ? NAN : log(x);
    }
};

template <class F, class T> __global__ void by_blocks(T *out, const T *x, const T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = F::run(x[i], y[i]);
}

// Volatile: a block entry refuses it.
template <class F, class T> __global__ void by_threads(volatile T *out, const T *x, const T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = F::run(x[i], y[i]);
}

static int exponent_of(long double x, int least)
{
    int e = least;
    if (x != 0) {
        std::frexp(x, &e);
    }
    return e > least ? e : least;
}

// The distance in units in the last place; a value beyond the type's range counts as the next power
// of two.
template <class T> static double distance(T got, long double exact)
{
    const bool is_float = sizeof(T) == sizeof(float);
    T nearest = (T)exact;
    if (std::isnan(exact) || std::isnan(got)) {
        return std::isnan(exact) && std::isnan(got) ? 0 : 1e9;
    }
    if (got == nearest && (got == 0 || std::isinf(got))) {
        return std::signbit(got) == std::signbit(nearest) ? 0 : 1e9;
    }
    long double far = std::ldexp(1.0L, is_float ? 128 : 1024);
    long double a = std::fmin(std::fmax((long double)got, -far), far);
    long double b = std::fmin(std::fmax(exact, -far), far);
    int unit = exponent_of(b, is_float ? -125 : -1021) - (is_float ? 24 : 53);
    return (double)(std::fabs(a - b) / std::ldexp(1.0L, unit));
}

template <class T> struct Arrays {
    T *out, *again, *x, *y;
};
static Arrays<float> floats;
static Arrays<double> doubles;

template <class F, class T> static void test(const char *name, double most, const Arrays<T> &a)
{
    by_blocks<F><<<COUNT / 256, 256>>>(a.out, a.x, a.y);
    by_threads<F, T><<<COUNT / 256, 256>>>(a.again, a.x, a.y);
    cudaDeviceSynchronize();
    double worst = 0;
    int at = 0;
    for (int i = 0; i < COUNT; i++) {
        double found = distance(a.out[i], F::exact((long double)a.x[i], (long double)a.y[i]));
        if (found > worst) {
            worst = found;
            at = i;
        }
        if (memcmp(&a.out[i], &a.again[i], sizeof(T)) != 0 && !std::isnan(a.out[i])) {
            printf("%s(%a, %a): %a by block, %a by thread\n", name, a.x[i], a.y[i], a.out[i],
                   a.again[i]);
            return;
        }
    }
    if (worst > most) {
        printf("%s(%a, %a) = %a: off by %.3g\n", name, a.x[at], a.y[at], a.out[at], worst);
    } else {
        printf("%s\n", name);
    }
}

template <class T, class B> static T number(B bits)
{
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T> static void allocate(Arrays<T> *a)
{
    cudaMallocManaged(&a->out, COUNT * sizeof(T));
    cudaMallocManaged(&a->again, COUNT * sizeof(T));
    cudaMallocManaged(&a->x, COUNT * sizeof(T));
    cudaMallocManaged(&a->y, COUNT * sizeof(T));
}

// Numbers of all sizes, or those that programs use; and all pairs of some special numbers.
static void fill()
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40000000,
                                       0xc0400000, 0x3f000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                       1,          0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                       0x42b17217, 0x42b17218, 0xc2cff1b5, 0xc2aeac50, 0x4b7fffff,
                                       0xcb7fffff, 0x478b9a00, 0x478b9a01, 0x3f7fffff, 0x3f800001};
    static const double also[] = {0x1p-1074,  -0x1p-1022,      709.782712893384,  709.78271289338409,
                                  -745.13322, -708.4,          -745.133219101941, 0x1p20,
                                  1048576.5,  0x1p-1023 + 0.0, 0x1p1023,          0.70710678118654757};
    const int n = sizeof special / sizeof *special, m = sizeof also / sizeof *also;
    uint64_t random = 88172645463325252ull;
    for (int i = 0; i < COUNT; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint32_t one = (uint32_t)random, other = (uint32_t)(random >> 32);
        uint64_t mixed = random * 0x9e3779b97f4a7c15u;
        floats.x[i] = number<float>(i & 1 ? one : (one & 0x87ffffff) | 0x3c000000);
        floats.y[i] = number<float>(i & 2 ? other : (other & 0x83ffffff) | 0x3c000000);
        floats.x[i] = i & 4 ? floats.x[i] : fabsf(floats.x[i]);
        doubles.x[i] = number<double>(i & 1 ? mixed : (mixed & ~(0xfull << 59)) | 0xfull << 58);
        doubles.x[i] = i & 4 ? doubles.x[i] : fabs(doubles.x[i]);
        doubles.y[i] = floats.y[i];
        if (i < n * n) {
            doubles.x[i] = floats.x[i] = number<float>(special[i / n]);
            doubles.y[i] = floats.y[i] = number<float>(special[i % n]);
        } else if (i < n * n + m) {
            doubles.x[i] = also[i - n * n];
        }
    }
}

int main()
{
    allocate(&floats);
    allocate(&doubles);
    fill();
    test<Exp>("expf", 1, floats);
    test<Log>("logf", 1, floats);
    test<Sin>("sinf", 2, floats);
    test<Cos>("cosf", 2, floats);
    test<Turn>("sincosf", 2, floats);
    test<Pow>("powf", 1, floats);
    test<Square>("a power of 2", 0.5, floats);
    test<Exp2>("exp2f", 2, floats);
    test<Exp10>("exp10f", 2, floats);
    test<Log2>("log2f", 1, floats);
    test<Log10>("log10f", 2, floats);
    test<Tanh>("tanhf", 2, floats);
    test<Erf>("erff", 2, floats);
    test<Tan>("tanf", 4, floats);
    test<Asin>("asinf", 2, floats);
    test<Acos>("acosf", 2, floats);
    test<Atan>("atanf", 2, floats);
    test<Atan2>("atan2f", 3, floats);
    test<Sinh>("sinhf", 3, floats);
    test<Cosh>("coshf", 2, floats);
    test<Cbrt>("cbrtf", 1, floats);
    test<Hypot>("hypotf", 3, floats);
    test<Fast>("fast forms", 1, floats);
    test<Exp>("exp", 1, doubles);
    test<Log>("log", 1, doubles);
    test<Sin>("sin", 1, doubles);
    test<Cos>("cos", 1, doubles);
    test<Turn>("sincos", 1, doubles);
    test<Pow>("pow", 2, doubles);
    test<Square>("a power of 2", 0.5, doubles);
}
