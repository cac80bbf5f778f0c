// A GPU's float instructions give one NaN, 0x7fffffff, whatever the operands. Those on double keep an operand's NaN,
// with its sign also in abs and neg, and conversions between float and double keep its upper bits. The numbers
// are an H100's and an H200's.
#include <cstdio>

#define FLOATS(FORM)                                                                                         \
    FORM("add.rn.f32 %0, %1, %2;") FORM("sub.rz.f32 %0, %2, %1;") FORM("mul.f32 %0, %1, %2;")                \
    FORM("div.rn.f32 %0, %2, %1;") FORM("add.rn.ftz.f32 %0, %1, %2;") FORM("div.rm.ftz.f32 %0, %1, %2;")     \
    FORM("fma.rn.f32 %0, %1, %2, %2;") FORM("fma.rp.ftz.f32 %0, %2, %2, %1;") FORM("mad.rm.f32 %0, %1, %2, %2;") \
    FORM("rcp.rn.f32 %0, %1;") FORM("sqrt.rn.f32 %0, %1;") FORM("sqrt.rp.f32 %0, %1;")                       \
    FORM("sqrt.rn.f32 %0, %3;") FORM("sqrt.rz.ftz.f32 %0, %3;") FORM("sqrt.approx.f32 %0, %3;")              \
    FORM("min.f32 %0, %1, %1;") FORM("max.ftz.f32 %0, %1, %1;") FORM("min.xorsign.abs.f32 %0, %1, %1;")      \
    FORM("abs.f32 %0, %1;") FORM("neg.f32 %0, %1;") FORM("neg.ftz.f32 %0, %1;")                              \
    FORM("cvt.rni.f32.f32 %0, %1;") FORM("cvt.ftz.f32.f32 %0, %1;")                                          \
    FORM("{ .reg .b16 h, u; mov.b32 {u, h}, %1; cvt.f32.f16 %0, h; }")                                       \
    FORM("cvt.rna.tf32.f32 %0, %1;")

#define DOUBLES(FORM)                                                                                        \
    FORM("abs.f64 %0, %1;") FORM("neg.f64 %0, %1;") FORM("min.f64 %0, %1, %1;")                              \
    FORM("rcp.approx.ftz.f64 %0, %1;") FORM("rsqrt.approx.ftz.f64 %0, %1;")                                  \
    FORM("{ .reg .u16 t; cvt.rzi.u16.f64 t, %1; cvt.u64.u16 %0, t; }")                                       \
    FORM("{ .reg .u16 t; cvt.rni.u8.f64 t, %1; cvt.u64.u16 %0, t; }")                                        \
    FORM("{ .reg .f32 f; cvt.rn.f32.f64 f, %1; mov.b64 %0, {f, f}; }")                                       \
    FORM("{ .reg .f32 f, g; mov.b64 {f, g}, %1; cvt.ftz.f64.f32 %0, g; }")

#define COUNT(TEXT) +1
#define NAME(TEXT) TEXT,
enum { FLOAT_FORMS = 0 FLOATS(COUNT), DOUBLE_FORMS = 0 DOUBLES(COUNT) };
static const char *const float_names[] = {FLOATS(NAME)}, *const double_names[] = {DOUBLES(NAME)};

__constant__ unsigned floats[] = {0x7fc12345, 0xffc54321, 0x7f8434bc, 0xff800001};
__constant__ unsigned long long doubles[] = {0x7ff8123456789abc, 0xfff4cba987654321, 0x7ff0000000000123};

__global__ void of_floats(unsigned *out)
{
    unsigned a = floats[threadIdx.x], one = 0x3f800000, minus = 0xbf800000;
    unsigned *to = out + FLOAT_FORMS * threadIdx.x;
#define EVALUATE(TEXT) asm(TEXT : "=r"(*to++) : "r"(a), "r"(one), "r"(minus));
    FLOATS(EVALUATE)
}
__global__ void of_doubles(unsigned long long *out)
{
    unsigned long long *to = out + DOUBLE_FORMS * threadIdx.x;
#define EVALUATE_DOUBLE(TEXT) asm(TEXT : "=l"(*to++) : "l"(doubles[threadIdx.x]));
    DOUBLES(EVALUATE_DOUBLE)
}

int main()
{
    unsigned *f;
    unsigned long long *d;
    cudaMallocManaged(&f, 4 * FLOAT_FORMS * sizeof *f);
    cudaMallocManaged(&d, 3 * DOUBLE_FORMS * sizeof *d);
    of_floats<<<1, 4>>>(f);
    of_doubles<<<1, 3>>>(d);
    cudaDeviceSynchronize();
    for (int i = 0; i < FLOAT_FORMS; i++) {
        printf("%s", float_names[i]);
        for (int k = 0; k < 4; k++) printf(" %08x", f[k * FLOAT_FORMS + i]);
        printf("\n");
    }
    for (int i = 0; i < DOUBLE_FORMS; i++) {
        printf("%s %016llx %016llx %016llx\n", double_names[i], d[i], d[DOUBLE_FORMS + i], d[2 * DOUBLE_FORMS + i]);
    }
}
