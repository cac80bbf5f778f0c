// Arguments for which CUDA defines its own results: rounding to integers that cannot represent the
// value saturates as conversions do; in lengths an infinity has priority over a NaN; the C
// library's erfcx, Bessel functions, and quotients that do not exist.
#include <cmath>
#include <cstdio>

struct Rounded {
    long long f[8], d[8];
};
__global__ void round_them(const double *in, Rounded *out)
{
    double d = in[threadIdx.x];
    float f = (float)d;
    Rounded r = {{lrintf(f), llrintf(f), lroundf(f), llroundf(f), std::lrint(f), std::llround(f),
                  (int)lrintf(f), (unsigned)lroundf(f)},
                 {lrint(d), llrint(d), lround(d), llround(d), std::lrint(d), std::llround(d),
                  (int)lrint(d), (unsigned)lround(d)}};
    out[threadIdx.x] = r;
}

// An unknown zero in each lane, so that nothing is computed from constants.
static __device__ float same(float x, float zero)
{
    return __int_as_float(__float_as_int(x) ^ (int)zero);
}
static __device__ double same(double x, float zero)
{
    return __longlong_as_double(__double_as_longlong(x) ^ (long long)zero);
}

struct Row {
    const char *text;
    double value;
};
#define CASES(F, D)                                                                                \
    CASE(erfcxf(F(-INFINITY)))                                                                     \
    CASE(erfcxf(F(-9.5f)))                                                                         \
    CASE(erfcxf(F(INFINITY))) CASE(erfcx(D(-1e87))) CASE(erfcx(D(-26.6))) CASE(                    \
        erfcx(D(-26.7))) CASE(erfcx(D(-INFINITY))) CASE(erfcx(D(NAN)))                             \
        CASE(cyl_bessel_i0f(F(INFINITY))) CASE(cyl_bessel_i0f(F(-INFINITY))) CASE(                 \
            cyl_bessel_i0(D(713.5))) CASE(cyl_bessel_i0(D(714.5))) CASE(cyl_bessel_i0(D(1e300)))   \
            CASE(cyl_bessel_i1(D(-INFINITY))) CASE(cyl_bessel_i1f(F(-0.0f))) CASE(                 \
                cyl_bessel_i1(D(-1e300))) CASE(cyl_bessel_i1(D(NAN)))                              \
                CASE(norm3df(F(NAN), F(INFINITY), F(1))) CASE(norm3df(F(NAN), F(2), F(1))) CASE(   \
                    norm3df(F(3e38f), F(0), F(0))) CASE(norm4df(F(1), F(2), F(INFINITY), F(NAN)))  \
                    CASE(norm4df(F(-INFINITY), F(2), F(1), F(NAN))) CASE(                          \
                        norm3d(D(NAN), D(INFINITY), D(1)))                                         \
                        CASE(norm4d(D(NAN), D(1), D(1), D(-INFINITY))) CASE(                       \
                            rnorm3df(F(NAN), F(INFINITY), F(1)))                                   \
                            CASE(rnorm4df(F(1), F(NAN), F(1), F(-INFINITY))) CASE(                 \
                                rhypotf(F(INFINITY), F(NAN))) CASE(hypot(D(NAN), D(-INFINITY)))    \
                                CASE(normcdfinv(D(0.5))) CASE(normcdfinvf(F(0.5f)))                \
                                    CASE(jn(-2, D(1))) CASE(jnf(-1, F(1))) CASE(yn(-2, D(1)))      \
                                        CASE(ynf(-1, F(1)))                                        \
                                            CASE(jn(2, D(1)) > 0.1149 && jn(2, D(1)) < 0.115)      \
                                                CASE(ilogb(D(0))) CASE(ilogbf(F(NAN))) CASE(       \
                                                    ilogbf(F(INFINITY))) CASE(ilogb(D(1e-320)))    \
                                                    CASE(cbrt(D(27))) CASE(cbrt(D(-27)))           \
                                                        CASE(cbrt(D(4e-323))) CASE(cbrt(D(-0.0)))  \
                                                            CASE(cbrt(D(-INFINITY))) CASE(rcbrt(   \
                                                                D(64))) CASE(fmax(D(-0.0), D(0)))  \
                                                                CASE(fminf(F(0), F(-0.0f)))
#define CASE(expression) #expression,
static const char *const texts[] = {CASES(, )};
#undef CASE
enum { CASE_COUNT = sizeof texts / sizeof *texts, LANES = 64 };

#define F(x) same((float)(x), zero)
#define D(x) same((double)(x), zero)
#define CASE(expression) *out++ = expression;
__global__ void compute(const float *zeros, double *out)
{
    float zero = zeros[threadIdx.x];
    out += threadIdx.x * CASE_COUNT;
    CASES(F, D)
}
#undef F
#undef D

// Quotients: of 29 / 3, and if there is no remainder.
__global__ void divide(const float *zeros, int *out)
{
    float zero = zeros[threadIdx.x];
    const float x[] = {29, -29, INFINITY, 5, NAN, 5}, y[] = {3, 3, 3, 0, 2, INFINITY};
    out += threadIdx.x * 12;
    for (int i = 0; i < 6; i++) {
        int quotient = 77;
        remquof(same(x[i], zero), y[i], &quotient);
        *out++ = quotient;
        quotient = 77;
        remquo(same((double)x[i], zero), (double)y[i], &quotient);
        *out++ = quotient;
    }
}

// The largest error of cube roots, in units in the last place: of cubes of whole numbers, and of
// other numbers, by fma.
__global__ void roots(double *worst)
{
    double most = 0;
    for (int i = threadIdx.x; i < 20000; i += blockDim.x) {
        double root = i + 1, cube = root * root * root, step = ldexp(1.0, ilogb(root) - 52);
        most = fmax(most, fabs(cbrt(cube) - root) / step);
        double x = 1 + i * 3.5e-4, r = cbrt(x), rest = fma(-r * r, r, x) - fma(r, r, -r * r) * r;
        most = fmax(most, fabs(rest / (3 * r * r)) / ldexp(1.0, ilogb(r) - 52));
    }
    worst[threadIdx.x] = most;
}

static void print(double x)
{
    if (x != x) {
        printf(" nan");
    } else {
        printf(" %.9g", x);
    }
}

int main()
{
    const double some[] = {
        2.5, -2.5, 3.5, -0.4, 1e20, -1e20, 5e9, INFINITY, -INFINITY, NAN, 0.49999999999999994};
    const int n = sizeof some / sizeof *some;
    double *in, *out;
    Rounded *rounded;
    float *zeros;
    int *quotients;
    cudaMallocManaged(&in, LANES * sizeof *in);
    cudaMallocManaged(&rounded, LANES * sizeof *rounded);
    cudaMallocManaged(&zeros, LANES * sizeof *zeros);
    cudaMallocManaged(&out, LANES * CASE_COUNT * sizeof *out);
    cudaMallocManaged(&quotients, LANES * 12 * sizeof *quotients);
    for (int i = 0; i < LANES; i++) {
        in[i] = some[i % n];
        zeros[i] = 0;
    }
    round_them<<<1, LANES>>>(in, rounded);
    compute<<<1, LANES>>>(zeros, out);
    divide<<<1, LANES>>>(zeros, quotients);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; i++) {
        print(some[i]);
        for (int k = 0; k < 8; k++) {
            printf("%s%lld/%lld", k == 0 ? ": " : " ", rounded[i].f[k], rounded[i].d[k]);
        }
        printf("\n");
    }
    for (int i = 0; i < CASE_COUNT; i++) {
        printf("%s:", texts[i]);
        print(out[i]);
        for (int lane = 1; lane < LANES; lane++) {
            double a = out[i], b = out[lane * CASE_COUNT + i];
            if (a != b && (a == a || b == b)) {
                printf(" (lane %d: %g)", lane, b);
            }
        }
        printf("\n");
    }
    for (int i = 0; i < 12; i++) {
        printf("%d%s", quotients[i], i == 11 ? "\n" : " ");
    }
    roots<<<1, LANES>>>(out);
    cudaDeviceSynchronize();
    double worst = 0;
    for (int i = 0; i < LANES; i++) {
        worst = fmax(worst, out[i]);
    }
    printf("cube roots are off by %s ulp\n", worst < 0.51 ? "less than 0.51" : "too much of an");
}
