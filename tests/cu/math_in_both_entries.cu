// Functions that block entries run as vectors give the same bits there as in thread entries, and
// are as near to the exact result as the CUDA C++ Programming Guide says of a GPU's: for numbers
// of all sizes and signs, infinities, NaN, subnormals and zeros of both signs.
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
using std::cos;
using std::exp;
using std::log;
using std::pow;
using std::sin;
FUNCTION(Exp, exp(x))
FUNCTION(Log, log(x))
FUNCTION(Sin, sin(x))
FUNCTION(Cos, cos(x))
FUNCTION(Pow, pow(x, y))
FUNCTION(Square, pow(x, (T)2))
struct Turn {
    static __device__ float run(float x, float y)
    {
        float s, c;
        sincosf(x, &s, &c);
        return y > 0 ? s : c;
    }
    static double exact(double x, double y) { return y > 0 ? sin(x) : cos(x); }
};
struct Fast {
    static __device__ float run(float x, float y)
    {
        return y > 0 ? __expf(x) : __logf(x) + 0 * __sinf(x) + 0 * __cosf(x);
    }
    static double exact(double x, double y)
    {
        return y > 0 ? exp(x) : fabs(x) == INFINITY ? NAN : log(x);
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

static int exponent_of(double x, int least)
{
    int e = least;
    if (x != 0) {
        frexp(x, &e);
    }
    return e > least ? e : least;
}

// The distance in units of the last place of a float; what lies past its range counts as the
// next power of two.
static double distance(float got, double exact)
{
    float nearest = (float)exact;
    if (std::isnan(exact) || std::isnan(got)) {
        return std::isnan(exact) && std::isnan(got) ? 0 : 1e9;
    }
    if (got == nearest && (got == 0 || std::isinf(got))) {
        return signbit(got) == signbit(nearest) ? 0 : 1e9;
    }
    double far = 0x1p128, a = fmin(fmax(got, -far), far), b = fmin(fmax(exact, -far), far);
    return fabs(a - b) / ldexp(1, exponent_of(b, -125) - 24);
}

static float *out, *again, *x, *y;

template <class F> static void test(const char *name, double most)
{
    by_blocks<F><<<COUNT / 256, 256>>>(out, x, y);
    by_threads<F, float><<<COUNT / 256, 256>>>(again, x, y);
    cudaDeviceSynchronize();
    double worst = 0;
    int at = 0;
    for (int i = 0; i < COUNT; i++) {
        double found = distance(out[i], F::exact((double)x[i], (double)y[i]));
        if (found > worst) {
            worst = found;
            at = i;
        }
        if (memcmp(&out[i], &again[i], sizeof out[i]) != 0 && !std::isnan(out[i])) {
            printf("%s(%a, %a): %a by block, %a by thread\n", name, x[i], y[i], out[i], again[i]);
            return;
        }
    }
    if (worst > most) {
        printf("%s(%a, %a) = %a: off by %.3g\n", name, x[at], y[at], out[at], worst);
    } else {
        printf("%s\n", name);
    }
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void fill()
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40000000,
                                       0xc0400000, 0x3f000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                       1,          0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                       0x42b17217, 0x42b17218, 0xc2cff1b5, 0xc2aeac50, 0x4b7fffff,
                                       0xcb7fffff, 0x478b9a00, 0x478b9a01, 0x3f7fffff, 0x3f800001};
    const int n = sizeof special / sizeof *special;
    uint32_t random = 1;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525 + 1013904223;
        uint32_t other = random * 22695477 ^ random >> 15;
        // All numbers alike, or what programs compute with.
        x[i] = i & 1 ? float_of(random) : float_of((random & 0x87ffffff) | 0x3c000000);
        y[i] = i & 2 ? float_of(other) : float_of((other & 0x83ffffff) | 0x3c000000);
        x[i] = i & 4 ? x[i] : fabsf(x[i]);
        if (i < n * n) {
            x[i] = float_of(special[i / n]);
            y[i] = float_of(special[i % n]);
        }
    }
}

int main()
{
    cudaMallocManaged(&out, COUNT * sizeof *out);
    cudaMallocManaged(&again, COUNT * sizeof *again);
    cudaMallocManaged(&x, COUNT * sizeof *x);
    cudaMallocManaged(&y, COUNT * sizeof *y);
    fill();
    test<Exp>("expf", 1);
    test<Log>("logf", 1);
    test<Sin>("sinf", 2);
    test<Cos>("cosf", 2);
    test<Turn>("sincosf", 2);
    test<Pow>("powf", 1);
    test<Square>("a power of 2", 0.5);
    test<Fast>("fast forms", 1);
}
