// A product and a sum of inline PTX without a rounding are one operation, as ptxas makes it, where those of CUDA C++
// are one. A rounding prevents it, also a use of the product that is no sum, and -fmad=false. An H200 gave the same.
// optimized: without optimization C++ rounds twice
#include <cstdio>

#define CASES(CASE)                                                                                          \
    CASE(0, "{ .reg .f32 t; mul.f32 t, %1, %2; add.f32 %0, t, %3; }")                                        \
    CASE(1, "{ .reg .f32 t; mul.f32 t, %1, %2; add.f32 %0, %3, t; }")                                        \
    CASE(2, "{ .reg .f32 t, u; mul.f32 t, %1, %2; add.f32 u, %3, %3; mul.f32 u, u, u; add.f32 %0, t, %3; }") \
    CASE(3, "{ .reg .f32 t, u; neg.f32 u, %3; mul.f32 t, %1, %2; sub.f32 %0, t, u; }")                       \
    CASE(4, "{ .reg .f32 t, u; neg.f32 u, %1; mul.f32 t, u, %2; sub.f32 %0, %3, t; }")                       \
    CASE(5, "{ .reg .f32 t; mul.ftz.f32 t, %1, %2; add.ftz.f32 %0, t, %3; }")                                \
    CASE(6, "{ .reg .f32 t, u; mul.f32 t, %1, %2; add.f32 u, t, t; add.f32 %0, t, %3; }")                    \
    CASE(7, "{ .reg .f32 t; mul.f32 t, %1, %2; add.sat.f32 %0, t, %3; }")                                    \
    CASE(8, "{ .reg .f32 t; mul.rn.f32 t, %1, %2; add.f32 %0, t, %3; }")                                     \
    CASE(9, "{ .reg .f32 t; mul.f32 t, %1, %2; add.rn.f32 %0, t, %3; }") \
    CASE(15, "mul.ftz.f32 %0, %1, %2; add.ftz.f32 %0, %0, %3;")
enum { ALL = 16 };
static const char *const names[ALL] = {
    "sum", "sum from the right", "instructions between", "difference", "difference from the right", "ftz",
    "two sums", "saturated sum", "mul.rn", "add.rn", "two asms", "product of C++",
    "sum of C++", "product stored", "__fadd_rn", "ftz in one register"};

__device__ float product(float a, float b)
{
    float t;
    asm("mul.f32 %0, %1, %2;" : "=f"(t) : "f"(a), "f"(b));
    return t;
}
__device__ float sum(float a, float b)
{
    float t;
    asm("add.f32 %0, %1, %2;" : "=f"(t) : "f"(a), "f"(b));
    return t;
}

template <int N> __global__ void run(float *out, const float *in)
{
    float a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2], r = 0;
#define EVALUATE(I, TEXT)                                                                                    \
    if (N == I) asm(TEXT : "=&f"(r) : "f"(a), "f"(b), "f"(c));
    CASES(EVALUATE)
    if (N == 10) r = sum(product(a, b), c);
    if (N == 11) r = sum(a * b, c);
    if (N == 12) r = product(a, b) + c;
    if (N == 13) out[threadIdx.x + 64] = product(a, b), r = sum(out[threadIdx.x + 64], c);
    if (N == 14) r = __fadd_rn(product(a, b), c);
    if (N == ALL) r = a * b + c;
    out[threadIdx.x] = r;
}

static float *in, *out;
template <int N> float result()
{
    run<N><<<1, 32>>>(out, in);
    cudaDeviceSynchronize();
    return out[31];
}
template <int N> void show()
{
    if constexpr (N < ALL) {
        bool is_joined = result<N>() == 0x1p-24f, is_one = result<ALL>() == 0x1p-24f;
        printf("%s: %s\n", names[N], is_joined == is_one ? "as in C++" : is_joined ? "joined" : "apart");
        show<N + 1>();
    }
}

int main()
{
    cudaMallocManaged(&in, 96 * sizeof *in);
    cudaMallocManaged(&out, 96 * sizeof *out);
    for (int i = 0; i < 96; i++) {
        in[i] = i % 3 == 2 ? -(1 + 0x1p-11f) : 1 + 0x1p-12f;
    }
    show<0>();
}
