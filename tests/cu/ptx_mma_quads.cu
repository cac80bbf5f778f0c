// mma.m8n8k4 of half: four products, each by two groups of four lanes, in all layouts and types. Products of
// small whole numbers are exact. And mma of double rounds as it says.
#include "show.h"
#include <cuda_fp16.h>

typedef unsigned int u32;

// Product q: row or column i of one of its matrices belongs to this lane.
static __host__ __device__ int lane_of(int q, int i)
{
    return q * 4 + i % 4 + i / 4 * 16;
}

struct registers {
    __half2 a[32][2], b[32][2];
    __half2 c_half[32][4], d_half[32][4];
    float c[32][8], d[32][8];
};

#define FOUR(NAME) "=r"(NAME[0]), "=r"(NAME[1]), "=r"(NAME[2]), "=r"(NAME[3])
#define AB "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1])
#define C_HALF "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3])
#define PRODUCTS(LAYOUTS)                                                                                   \
    asm volatile("mma.sync.aligned.m8n8k4." LAYOUTS ".f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, "   \
                 "{%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"                          \
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]),      \
                   "=f"(d[7])                                                                               \
                 : AB, "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]),         \
                   "f"(c[7]));                                                                              \
    asm volatile("mma.sync.aligned.m8n8k4." LAYOUTS ".f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5}, "         \
                 "{%6, %7}, {%8, %9, %10, %11};"                                                            \
                 : FOUR(to)                                                                                 \
                 : AB, C_HALF);                                                                             \
    asm volatile("mma.sync.aligned.m8n8k4." LAYOUTS ".f32.f16.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, "   \
                 "{%8, %9}, {%10, %11}, {%12, %13, %14, %15};"                                              \
                 : "=f"(e[0]), "=f"(e[1]), "=f"(e[2]), "=f"(e[3]), "=f"(e[4]), "=f"(e[5]), "=f"(e[6]),      \
                   "=f"(e[7])                                                                               \
                 : AB, C_HALF);

__device__ int mixed_differ;
__global__ void products(int layout, registers *r)
{
    const int lane = threadIdx.x;
    const u32 *a = (const u32 *)r->a[lane], *b = (const u32 *)r->b[lane], *h = (const u32 *)r->c_half[lane];
    u32 *to = (u32 *)r->d_half[lane];
    const float *c = r->c[lane];
    float *d = r->d[lane], e[8];
    switch (layout) {
    case 0: PRODUCTS("row.row") break;
    case 1: PRODUCTS("row.col") break;
    case 2: PRODUCTS("col.row") break;
    case 3: PRODUCTS("col.col") break;
    }
    for (int i = 0; i < 8; i++) { // c has the same numbers in both types
        if (d[i] != e[i]) atomicAdd(&mixed_differ, 1);
    }
}

static __half *element(__half2 *from, int i)
{
    return (__half *)from + i;
}
static int value(int q, int i, int j, int salt)
{
    return (q * 31 + i * 7 + j * 13 + salt * 5) % 9 - 4;
}

__global__ void rounded(double *out)
{
    const double a = 0x1p-30, b = 0x1p-30, c = threadIdx.x % 2 == 0 ? 1.0 : -1.0;
    double d0, d1, *to = out + threadIdx.x % 2 * 4;
#define ROUNDED(NUMBER, ROUNDING)                                                                           \
    asm volatile("mma.sync.aligned.m8n8k4.row.col" ROUNDING ".f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" \
                 : "=d"(d0), "=d"(d1)                                                                       \
                 : "d"(a), "d"(b), "d"(c), "d"(c));                                                         \
    to[NUMBER] = d0;
    ROUNDED(0, ".rn")
    ROUNDED(1, ".rz")
    ROUNDED(2, ".rm")
    ROUNDED(3, ".rp")
}

int main()
{
    registers *r;
    MUST(cudaMallocManaged(&r, sizeof *r));
    for (int layout = 0; layout < 4; layout++) {
        for (int i = 0; i < 4 * 8 * 4; i++) {
            const int q = i / 32, row = i / 4 % 8, k = i % 4;
            const bool a_by_columns = layout >= 2, b_by_rows = layout % 2 == 0;
            const int across = lane_of(q, row / 4 * 4 + k), along = lane_of(q, row);
            *element(r->a[a_by_columns ? across : along], a_by_columns ? row % 4 : k) = value(q, row, k, 1);
            *element(r->b[b_by_rows ? across : along], b_by_rows ? row % 4 : k) = value(q, row, k, 2);
        }
        for (int i = 0; i < 4 * 64; i++) {
            const int q = i / 64, row = i / 8 % 8, column = i % 8, v = value(q, row, column, 3);
            *element(r->c_half[lane_of(q, row)], column) = v;
            r->c[lane_of(q, row / 4 * 4 + row % 2 + (column & 2))][(column & 4) + (row & 2) + column % 2] = (float)v;
        }
        products<<<1, 32>>>(layout, r);
        MUST(cudaDeviceSynchronize());
        int wrong = 0, wrong_halves = 0;
        for (int i = 0; i < 4 * 64; i++) {
            const int q = i / 64, row = i / 8 % 8, column = i % 8;
            int sum = value(q, row, column, 3);
            for (int k = 0; k < 4; k++) sum += value(q, row, k, 1) * value(q, column, k, 2);
            wrong += r->d[lane_of(q, row / 4 * 4 + row % 2 + (column & 2))][(column & 4) + (row & 2) + column % 2] !=
                     (float)sum;
            wrong_halves += __half2float(*element(r->d_half[lane_of(q, row)], column)) != (float)sum;
        }
        printf("layout %d: %d and %d wrong\n", layout, wrong, wrong_halves);
    }
    int differ;
    MUST(cudaMemcpyFromSymbol(&differ, mixed_differ, sizeof differ));
    printf("halves and floats: %d differ\n", differ);
    double *out;
    MUST(cudaMallocManaged(&out, 8 * sizeof *out));
    rounded<<<1, 32>>>(out);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++) printf("%a ", out[i]);
    puts("");
    return 0;
}
