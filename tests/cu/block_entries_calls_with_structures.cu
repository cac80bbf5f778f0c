// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 9 blocks ran by block entries, 0 had an unsupported shape
// stderr: cdp: 0 launches by device code
// plain: not all of its kernels have block entries with sanitizers
// Small structures as operands and results of functions that are not inlined.
#include "show.h"
#include <string.h>
enum { N = 500 };
struct mixed {
    double a;
    int b;
    char c;
};
struct large {
    int v[9];
};
struct wide_word {
    unsigned __int128 v;
};
__noinline__ __host__ __device__ float2 scale(float2 a, float b)
{
    return make_float2(a.x * b, a.y - b);
}
__noinline__ __host__ __device__ float3 rotate(float3 a, float2 b)
{
    return make_float3(a.y + b.x, a.z, a.x - b.y);
}
__noinline__ __host__ __device__ double2 mean(double2 a, double2 b)
{
    return make_double2((a.x + b.x) / 2, (a.y + b.y) / 2);
}
__noinline__ __host__ __device__ float4 swap(float4 a)
{
    return make_float4(a.w, a.z, a.y, a.x);
}
__noinline__ __host__ __device__ mixed change(mixed m, int by)
{
    m.a += by;
    m.b -= by;
    m.c = (char)(m.c ^ by);
    return m;
}
__noinline__ __host__ __device__ large turn(large l, unsigned by)
{
    l.v[by % 9] += (int)by;
    return l;
}
__noinline__ __host__ __device__ wide_word square(wide_word a)
{
    a.v *= a.v;
    return a;
}
__noinline__ __host__ __device__ void sum_into(float2 a, float4 b, float *to)
{
    *to += a.x + a.y + b.x * b.w;
}
struct record {
    float2 f2;
    float3 f3;
    double2 d2;
    float4 f4;
    mixed m;
    large l;
    wide_word w;
    float sum;
};
static __host__ __device__ void compute(record *r, unsigned i)
{
    for (unsigned k = 0; k <= i % 4; k++) {
        r->f2 = scale(r->f2, (float)k + 1);
        if (i % 3 != 0) {
            r->f3 = rotate(r->f3, r->f2);
        }
    }
    r->d2 = i % 5 == 1 ? r->d2 : mean(r->d2, make_double2(i, 1));
    r->f4 = swap(r->f4);
    r->m = change(r->m, (int)i);
    r->l = turn(r->l, i);
    r->w = square(r->w);
    sum_into(r->f2, r->f4, &r->sum);
}
__global__ void all(record *records, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        compute(&records[i], i);
    }
}
__global__ void across_barriers(float2 *values)
{
    __shared__ float2 row[64];
    unsigned t = threadIdx.x;
    float2 mine = scale(values[t], 2);
    row[t] = mine;
    __syncthreads();
    float2 other = scale(row[63 - t], 3);
    __syncthreads();
    values[t] = make_float2(mine.x + other.x, mine.y - other.y);
}
int main()
{
    static record records[N], expected[N];
    float2 row[64], before[64];
    int wrong = 0;
    memset(records, 0, sizeof records);
    for (int i = 0; i < N; i++) {
        record *r = &records[i];
        r->f2 = make_float2((float)i, 3);
        r->f3 = make_float3(1, (float)i, -2);
        r->d2 = make_double2(-i, 8);
        r->f4 = make_float4(1, 2, (float)i, 4);
        r->m.a = i;
        r->m.b = 5 * i;
        r->m.c = (char)i;
        r->l.v[i % 9] = -i;
        r->w.v = (unsigned __int128)i << 60 | 12345;
        r->sum = 1;
        expected[i] = *r;
        compute(&expected[i], (unsigned)i);
    }
    all<<<(N + 63) / 64, 64>>>(records, N);
    for (int i = 0; i < 64; i++) {
        row[i] = before[i] = make_float2((float)i, (float)(i * i));
    }
    MUST(cudaDeviceSynchronize());
    float2 *device;
    MUST(cudaMalloc(&device, sizeof row));
    MUST(cudaMemcpy(device, row, sizeof row, cudaMemcpyHostToDevice));
    across_barriers<<<1, 64>>>(device);
    MUST(cudaMemcpy(row, device, sizeof row, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        wrong += memcmp(&records[i], &expected[i], sizeof(record)) != 0;
    }
    for (int i = 0; i < 64; i++) {
        float2 mine = scale(before[i], 2), other = scale(scale(before[63 - i], 2), 3);
        wrong += row[i].x != mine.x + other.x || row[i].y != mine.y - other.y;
    }
    MUST(cudaFree(device));
    printf("%d wrong\n", wrong);
}
