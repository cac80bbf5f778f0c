// Sums of products of bytes, some signed and some not, in straight-line code: LLVM 22's vectorizer of such code
// computes wrong sums on processors with AVX2, so cdpcc does not run it.
// cdpcc: -O3
#include "show.h"

typedef unsigned int u32;
typedef unsigned long long u64;

__noinline__ __device__ u64 mixed(u64 v, int i)
{
    v ^= (u64)(i + 1) * 0x9e3779b97f4a7c15ull;
    v *= 0xbf58476d1ce4e5b9ull;
    return v ^ v >> 29;
}
template <bool IS_SIGNED> __device__ __forceinline__ int element(u32 x, int at)
{
    const u32 top = x << (24 - at);
    return IS_SIGNED ? (int)top >> 24 : (int)(top >> 24);
}
__device__ __forceinline__ int add(int sum, u32 a, u32 b)
{
#pragma unroll
    for (int i = 0; i < 32; i += 8) sum += element<false>(a, i) * element<true>(b, i);
    return sum;
}

// The registers of mma.m16n8k32 in one lane.
__global__ void products(int *out, u64 a0, u64 a1, u64 b, int lane)
{
    u32 row[4][4], column[2][4][2];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const u64 first = mixed(a0, lane / 4 * 4 + j), second = mixed(a1, lane / 4 * 4 + j);
        const u64 left = mixed(b, lane % 4 * 8 + j), right = mixed(b, lane % 4 * 8 + 4 + j);
        row[j][0] = (u32)first, row[j][1] = (u32)(first >> 32);
        row[j][2] = (u32)second, row[j][3] = (u32)(second >> 32);
        column[0][j][0] = (u32)left, column[0][j][1] = (u32)(left >> 32);
        column[1][j][0] = (u32)right, column[1][j][1] = (u32)(right >> 32);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int sum = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) sum = add(sum, row[k % 4][i / 2 + 2 * (k / 4)], column[i % 2][k % 4][k / 4]);
        out[i] = sum;
    }
}

int main()
{
    int *out;
    MUST(cudaMallocManaged(&out, 4 * sizeof *out));
    products<<<1, 1>>>(out, 0x123456789abcdef0ull, 0xfedcba9876543210ull, 0x0f1e2d3c4b5a6978ull, 5);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 4; i++) printf("%d ", out[i]);
    puts("");
    return 0;
}
