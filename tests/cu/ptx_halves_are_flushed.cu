// .ftz of min, max, neg, abs and comparisons of half reads subnormal numbers as zeros of their sign, as a GPU does.
#include "show.h"

#define FORMS(FORM)                                                                                          \
    FORM("min.f16x2", "min.f16x2 %0, %1, %2;") FORM("min.ftz.f16x2", "min.ftz.f16x2 %0, %1, %2;")            \
    FORM("max.ftz.NaN.f16x2", "max.ftz.NaN.f16x2 %0, %1, %2;")                                               \
    FORM("neg.f16x2", "neg.f16x2 %0, %1;") FORM("neg.ftz.f16x2", "neg.ftz.f16x2 %0, %1;")                    \
    FORM("abs.ftz.f16", "{ .reg .f16 a, b; mov.b32 {a, b}, %1; abs.ftz.f16 b, b; mov.b32 %0, {a, b}; }")     \
    FORM("set.lt", "set.lt.u32.f16x2 %0, %1, %2;") FORM("set.lt.ftz", "set.lt.ftz.u32.f16x2 %0, %1, %2;")    \
    FORM("setp.neu.ftz", "{ .reg .pred p, q; setp.neu.ftz.f16x2 p|q, %1, %2; selp.b32 %0, 1, 0, p; @q add.s32 %0, %0, 2; }") \
    FORM("setp.eq", "{ .reg .f16 a, b, c; .reg .pred p; mov.b32 {a, b}, %1; mov.b32 {c, b}, %2;"             \
                    " setp.eq.ftz.f16 p, a, c; selp.b32 %0, 1, 0, p; }")
#define NAME(TEXT, ASM) TEXT,
static const char *const names[] = {FORMS(NAME)};
enum { COUNT = sizeof names / sizeof *names };

__global__ void run(unsigned *out)
{
    unsigned a = 0x83ff0001, b = 0x00010002; // subnormal numbers
#define EVALUATE(TEXT, ASM) asm(ASM : "=r"(*out++) : "r"(a), "r"(b));
    FORMS(EVALUATE)
}

int main()
{
    unsigned *out;
    MUST(cudaMallocManaged(&out, COUNT * sizeof *out));
    run<<<1, 1>>>(out);
    SHOW(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++) printf("%s %08x\n", names[i], out[i]);
}
