// Arithmetic with a stated rounding is exact for all numbers: also where results, products or
// rounding errors are below the smallest normal number. The processor's own rounding modes say what
// is right.
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "show.h"

enum { OPS = 6, RESULTS = 2 * 3 * OPS, NUMBERS = 20000 };

#define EACH(suffix, at)                                                                                              \
    out[at] = __dadd##suffix(a, b), out[at + 1] = __dmul##suffix(a, b), out[at + 2] = __ddiv##suffix(a, b);           \
    out[at + 3] = __dsqrt##suffix(a), out[at + 4] = __fma##suffix(a, b, c), out[at + 5] = __drcp##suffix(a);
#define PTX(suffix, at)                                                                                               \
    asm("add" suffix ".f64 %0, %1, %2;" : "=d"(out[at]) : "d"(a), "d"(b));                                            \
    asm("mul" suffix ".f64 %0, %1, %2;" : "=d"(out[at + 1]) : "d"(a), "d"(b));                                        \
    asm("div" suffix ".f64 %0, %1, %2;" : "=d"(out[at + 2]) : "d"(a), "d"(b));                                        \
    asm("sqrt" suffix ".f64 %0, %1;" : "=d"(out[at + 3]) : "d"(a));                                                   \
    asm("fma" suffix ".f64 %0, %1, %2, %3;" : "=d"(out[at + 4]) : "d"(a), "d"(b), "d"(c));                            \
    asm("rcp" suffix ".f64 %0, %1;" : "=d"(out[at + 5]) : "d"(a));

__global__ void compute(const double *in, double *results)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], *out = results + RESULTS * i;
    EACH(_rz, 0)
    EACH(_rd, OPS)
    EACH(_ru, 2 * OPS)
    PTX(".rz", 3 * OPS)
    PTX(".rm", 4 * OPS)
    PTX(".rp", 5 * OPS)
}

static unsigned long long state = 88172645463325252ull;
static unsigned long long random_bits()
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
// Often small, often with few bits, sometimes special.
static double number()
{
    static const double special[] = {0.0, -0.0, 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp+1023, 1.0,
                                     -1.0, INFINITY, 0x1p-537, 0x1.8p-450, -0x1.000000000001p-600};
    unsigned long long bits = random_bits(), kind = random_bits() >> 60;
    if (kind < 2) {
        return special[bits % (sizeof special / sizeof *special)];
    }
    if (kind < 9) { // exponents that make products and quotients small
        bits = (bits & 0x800fffffffffffffull) | (random_bits() % 700) << 52;
    }
    if (kind % 3 == 0) {
        bits &= 0xffffff8000000000ull;
    }
    double x;
    memcpy(&x, &bits, sizeof x);
    return std::isnan(x) ? 1.5 : x;
}
static double expected(int op, double x, double y, double z)
{
    volatile double a = x, b = y, c = z, result;
    switch (op) {
    case 0:
        result = a + b;
        break;
    case 1:
        result = a * b;
        break;
    case 2:
        result = a / b;
        break;
    case 3:
        result = std::sqrt(a);
        break;
    case 4:
        result = std::fma(a, b, c);
        break;
    default:
        result = 1.0 / a;
    }
    return result;
}

int main()
{
    static const int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    double *in, *out;
    int wrong[RESULTS] = {};
    MUST(cudaMallocManaged(&in, 3 * NUMBERS * sizeof *in));
    MUST(cudaMallocManaged(&out, RESULTS * NUMBERS * sizeof *out));
    for (int i = 0; i < 3 * NUMBERS; i++) {
        in[i] = number();
    }
    compute<<<NUMBERS / 100, 100>>>(in, out);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < NUMBERS; i++) {
        for (int r = 0; r < RESULTS; r++) {
            const double *n = in + 3 * i;
            fesetround(modes[r / OPS % 3]);
            double want = expected(r % OPS, n[0], n[1], n[2]);
            fesetround(FE_TONEAREST);
            double got = out[RESULTS * i + r];
            bool same = (std::isnan(want) && std::isnan(got)) || memcmp(&want, &got, sizeof got) == 0;
            if (!same && wrong[r]++ == 0) {
                printf("result %d of %a %a %a: %a, must be %a\n", r, n[0], n[1], n[2], got, want);
            }
        }
    }
    puts("compared");
    return 0;
}
