// __fdividef and div.approx.f32 give 0 for divisors between 2^126 and 2^128, and NaN if the dividend is
// infinite; other quotients are a * (1 / b), as PTX says, also where a sum follows. div.full.f32 divides
// in the whole range.
#include <cmath>
#include <cstdio>

#include "show.h"

__global__ void divide(const float (*in)[2], float (*out)[2], int count)
{
    int i = threadIdx.x;
    if (i < count) {
        out[i][0] = __fdividef(in[i][0], in[i][1]);
        asm("div.approx.f32 %0, %1, %2;" : "=f"(out[i][1]) : "f"(in[i][0]), "f"(in[i][1]));
    }
}
__global__ void products(int *wrong, int *rounded)
{
    float a = (float)(threadIdx.x + 1), b = (float)(blockIdx.x + 3), full, reciprocal = __frcp_rn(b);
    float sum = __fdividef(a, b) + 1.0f;
    asm("div.full.f32 %0, %1, %2;" : "=f"(full) : "f"(a * 0x1p117f), "f"(b * 0x1p122f));
    bool is_right = __fdividef(a, b) == __fmul_rn(a, reciprocal) && full == a / b * 0x1p-5f &&
                    sum == __fadd_rn(__fmul_rn(a, reciprocal), 1.0f);
    atomicAdd(wrong, !is_right);
    atomicAdd(rounded, __fdividef(a, b) != a / b);
}

int main()
{
    static const float pairs[][2] = {{1, 3e38f},      {-1, 3e38f},       {INFINITY, 3e38f}, {1, -1e38f},  {1, 0x1p126f},
                                     {1, 0x1.2p126f}, {6, 3},            {1, INFINITY},     {1, 0},       {0, 0},
                                     {2e38f, 1e38f},  {3e38f, 0x1p125f}, {1, NAN},          {NAN, 2e38f}, {7, 0.5f}};
    enum { COUNT = sizeof pairs / sizeof *pairs };
    float(*in)[2], (*out)[2];
    MUST(cudaMallocManaged(&in, sizeof pairs));
    MUST(cudaMallocManaged(&out, sizeof pairs));
    MUST(cudaMemcpy(in, pairs, sizeof pairs, cudaMemcpyDefault));
    divide<<<1, 32>>>(in, out, COUNT);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 2; k++) {
            float x = out[i][k];
            if (std::isnan(x)) {
                printf("nan:%x ", __builtin_bit_cast(unsigned, x));
            } else {
                printf("%g ", x);
            }
        }
        puts("");
    }
    int *counts;
    MUST(cudaMallocManaged(&counts, 2 * sizeof *counts));
    products<<<61, 96>>>(counts, counts + 1);
    MUST(cudaDeviceSynchronize());
    printf("wrong: %d, not the nearest: %d\n", counts[0], counts[1]);
    return 0;
}
