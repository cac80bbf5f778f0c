// The results of CUDA's functions equal an H100's if they are defined to the last bit, at special
// arguments, and in the sign of zeros. Otherwise they differ from an H100's by no more than the
// errors of both.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned long long u64;
enum Kind {
    ULPS,
    BESSEL,
    FAST_EXP,
    FAST_EXP10,
    FAST_LOG,
    FAST_SIN,
    FAST_TAN,
    FAST_POW,
    FAST_DIVIDE
};

static __device__ u64 bits(float x)
{
    return x != x ? 0x7fc00000 : __float_as_uint(x);
}
static __device__ u64 bits(double x)
{
    return x != x ? 0x7ff8000000000000 : (u64)__double_as_longlong(x);
}

#define ONE(type, name, cuda, ours, kind) KERNEL(type, name, name(x))
#define TWO(type, name, cuda, ours, kind) KERNEL(type, name, name(x, y))
#define KERNEL(T, name, call)                                                                      \
    __global__ void kernel_##name(const void *a, const void *b, u64 *out, int n)                   \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        if (i < n) {                                                                               \
            [[maybe_unused]] T x = ((const T *)a)[i], y = ((const T *)b)[i];                       \
            out[i] = bits(call);                                                                   \
        }                                                                                          \
    }
#include "functions_h100.def"
#undef ONE
#undef TWO

struct Function {
    const char *name;
    void (*kernel)(const void *, const void *, u64 *, int);
    bool is_of_float;
    int cuda, ours;
    Kind kind;
};
static const Function functions[] = {
#define ONE(type, name, cuda, ours, kind)                                                          \
    {#name, kernel_##name, sizeof(type) == 4, cuda, ours, kind},
#define TWO(type, name, cuda, ours, kind)                                                          \
    {#name, kernel_##name, sizeof(type) == 4, cuda, ours, kind},
#include "functions_h100.def"
#undef ONE
#undef TWO
};

static const char table[] =
#include "functions_h100.inc"
    ;
static std::vector<u64> numbers_of(const char *name)
{
    std::vector<u64> numbers;
    char head[40];
    snprintf(head, sizeof head, "=%s\n", name);
    const char *at = strstr(table, head);
    if (at == nullptr) {
        printf("no table of %s\n", name);
        exit(1);
    }
    at += strlen(head);
    while (*at != '=' && *at != 0) {
        char *end;
        numbers.push_back(strtoull(at, &end, 16));
        at = end + strspn(end, " \n");
    }
    return numbers;
}

struct Arguments {
    std::vector<u64> a, b;
    void *device_a, *device_b;
    bool is_float;
    double number(u64 bits) const
    {
        unsigned low = (unsigned)bits;
        float f;
        double d;
        memcpy(&f, &low, sizeof f);
        memcpy(&d, &bits, sizeof d);
        return is_float ? f : d;
    }
};
static void *upload(const std::vector<u64> &numbers, bool is_float)
{
    void *memory;
    cudaMallocManaged(&memory, numbers.size() * 8);
    for (size_t i = 0; i < numbers.size(); i++) {
        if (is_float) {
            ((unsigned *)memory)[i] = (unsigned)numbers[i];
        } else {
            ((u64 *)memory)[i] = numbers[i];
        }
    }
    return memory;
}
static Arguments read_arguments(bool is_float)
{
    Arguments r;
    r.is_float = is_float;
    r.a = numbers_of(is_float ? "float_a" : "double_a");
    r.b = numbers_of(is_float ? "float_b" : "double_b");
    r.device_a = upload(r.a, is_float);
    r.device_b = upload(r.b, is_float);
    return r;
}

// The number of steps from one number to the other: 0 between two zeros.
static double steps(u64 a, u64 b, bool is_float)
{
    const u64 sign = is_float ? 1u << 31 : 1ull << 63;
    double x = a & sign ? -(double)(a - sign) : (double)a,
           y = b & sign ? -(double)(b - sign) : (double)b;
    long long exact = (long long)(a & (sign - 1)) - (long long)(b & (sign - 1));
    return ((a ^ b) & sign) == 0 ? fabs((double)exact) : fabs(x - y);
}

enum Verdict { NEAR, FAR, OPEN };
static Verdict fast(const Function &f, double x, double y, double want, double got)
{
    const double off = fabs(want - got), log_bound[] = {0x1p-21, 0x1p-22, 0x1p-24};
    switch (f.kind) {
    case FAST_LOG: { // absolute near 1
        int which = f.name[5] == 'f' ? 0 : f.name[5] == '2' ? 1 : 2;
        return x >= 0.5 && x <= 2 && off <= log_bound[which] + 0x1p-24 * fabs(want) ? NEAR : FAR;
    }
    case FAST_SIN:
        return fabs(x) > 3.1415927 ? OPEN : off <= 0x1p-21 + 0x1p-24 ? NEAR : FAR;
    case FAST_TAN: // the quotient of these two
        return fabs(x) > 1.5 ? OPEN : off <= 0x1p-20 * (1 + fabs(want)) / cos(x) ? NEAR : FAR;
    case FAST_POW: // exp2f(y * __log2f(x))
        return !(x > 0) || !std::isfinite(got) || y == 0                           ? OPEN
               : off <= fabs(want) * (0x1p-21 * (1 + fabs(y) + fabs(y * log2(x)))) ? NEAR
                                                                                   : FAR;
    case FAST_DIVIDE:
        return fabs(y) >= 0x1p-126 && fabs(y) <= 0x1p126 ? FAR : OPEN;
    default:
        return FAR;
    }
}
static Verdict judge(const Function &f, const Arguments &arguments, int i, u64 want, u64 got)
{
    const double x = arguments.number(arguments.a[i]), y = arguments.number(arguments.b[i]);
    const double w = arguments.number(want), g = arguments.number(got),
                 apart = steps(want, got, f.is_of_float);
    if (want == got) {
        return NEAR;
    }
    const bool is_special = w != w || g != g || (w == 0 && g == 0) || std::isinf(x);
    double bound = f.cuda + f.ours;
    if (f.kind == FAST_EXP || f.kind == FAST_EXP10) {
        bound += floor(fabs((f.kind == FAST_EXP ? 1.173 : 2.97) * x));
    }
    if (f.kind == BESSEL && !is_special) {
        double absolute = f.is_of_float ? 2.2e-6 : 5e-12, near_zero = f.is_of_float ? 1e-7 : 2e-16;
        return apart <= bound || fabs(w - g) <= (fabs(x) >= 8 ? absolute : near_zero) ? NEAR : FAR;
    }
    if (!is_special && apart <= bound) {
        return NEAR;
    }
    return f.kind >= FAST_LOG ? fast(f, x, y, w, g) : FAR;
}

// The table of this machine's results.
[[maybe_unused]] static void record(const char *name, const u64 *numbers, size_t n)
{
    printf("=%s", name);
    for (size_t i = 0, length = 100; i < n; i++) {
        char text[20];
        size_t more = (size_t)snprintf(text, sizeof text, "%llx", numbers[i]);
        length += more + 1;
        printf("%c%s", length > 97 ? '\n' : ' ', text);
        length = length > 97 ? more + 1 : length;
    }
    printf("\n");
}

struct Counts {
    int far, open, all, same;
};
[[maybe_unused]] static void compare(const Function &f, const Arguments &arguments,
                                     const std::vector<u64> &want, const u64 *got, Counts *counts)
{
    for (int i = 0; i < (int)want.size(); i++) {
        Verdict verdict = judge(f, arguments, i, want[i], got[i]);
        counts->all++;
        counts->open += verdict == OPEN;
        counts->same += want[i] == got[i];
        if (verdict == FAR && counts->far++ < 50) {
            printf("%s(%.9g, %.9g) is %.17g, an H100's %.17g, %g steps away\n", f.name,
                   arguments.number(arguments.a[i]), arguments.number(arguments.b[i]),
                   arguments.number(got[i]), arguments.number(want[i]),
                   steps(want[i], got[i], f.is_of_float));
        }
    }
}

int main()
{
    const Arguments of_float = read_arguments(true), of_double = read_arguments(false);
    Counts counts = {};
    u64 *out;
    cudaMallocManaged(&out, 1024 * sizeof *out);
#ifdef RECORD
    record("float_a", of_float.a.data(), of_float.a.size());
    record("float_b", of_float.b.data(), of_float.b.size());
    record("double_a", of_double.a.data(), of_double.a.size());
    record("double_b", of_double.b.data(), of_double.b.size());
#endif
    for (const Function &f : functions) {
        const Arguments &arguments = f.is_of_float ? of_float : of_double;
        const std::vector<u64> want = numbers_of(f.name);
        const int n = (int)want.size();
        f.kernel<<<(n + 31) / 32, 32>>>(arguments.device_a, arguments.device_b, out, n);
        if (cudaDeviceSynchronize() != cudaSuccess) {
            printf("%s fails\n", f.name);
        }
#ifdef RECORD
        record(f.name, out, want.size());
#else
        compare(f, arguments, want, out, &counts);
#endif
    }
    printf("%d functions, %d results: %d too far, %s are the same bits\n",
           (int)(sizeof functions / sizeof *functions), counts.all, counts.far,
           counts.same * 10 > counts.all * 7 ? "most" : "few");
    printf("of the fast forms %s that CUDA leaves open differ\n",
           counts.open < 500 ? "few" : "many");
}
