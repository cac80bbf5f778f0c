// cdpcc: --entry=block -O2
// Difficult cases for threads that run as vectors: nested divergent loops with breaks and
// continues, division under a mask, barriers in loops and branches, early returns before a barrier,
// arrays of one thread across barriers, indices that wrap around within a vector, null pointers
// that no active thread dereferences, values that leave a loop by several exits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NB 5
#define HD __host__ __device__ __attribute__((always_inline)) static inline
HD int f1(int i, int n)
{
    int s = 0;
    for (int a = 0; a < (i & 7); ++a) {
        if ((a + i) % 5 == 3)
            continue;
        for (int b = a; b < n; ++b) {
            s += a * b + i;
            if (s % 11 == 4)
                break;
        }
        if (s > 5000)
            break;
    }
    return s;
}
__global__ void t1(int n, int *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = f1(i, n);
}
HD int f2(int i, const int *d)
{
    int v = d[i], r;
    if (v > 0)
        r = 1000 / v;
    else if (v < 0)
        r = 77 % v;
    else
        r = -1;
    return r;
}
__global__ void t2(const int *d, int *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = f2(i, d);
    if (d[i] == 3)
        o[i] += 5;
}
__global__ void t3(int n, int m, const int *d, int *o)
{ // barriers in a uniform loop in a uniform if; int, bool and pointer values live across
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int acc = d[i];
    bool odd = d[i] & 1;
    const int *p = d + ((i * 7) % 64);
    if (m > 2)
        for (int k = 0; k < n; ++k) {
            s[t] = acc + k;
            __syncthreads();
            int v = s[(t * 5 + k) & 63];
            if (odd)
                v += *p;
            __syncthreads();
            acc += v;
        }
    o[i] = acc;
}
__global__ void t4(int n, int *o)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n)
        return;
    s[t] = t;
    __syncthreads();
    o[blockIdx.x * blockDim.x + t] = s[n - 1 - t];
}
__global__ void t5(int n, const int *d, int *o)
{ // barrier under a uniform condition inside a uniform loop: value defined before, used after the
  // join
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, acc = 0;
    s[t] = d[i];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        int v = d[i] * k + acc;
        if (k & 1) {
            __syncthreads();
            s[t] += v & 15;
            __syncthreads();
        }
        acc += v + s[(t + k) & 63];
    }
    o[i] = acc;
}
__global__ void t6(const int *d, int *o)
{ // a per-thread array, dynamically indexed, living across a barrier
    int a[8], t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    __shared__ int s[64];
    for (int k = 0; k < 8; ++k)
        a[(k * 3 + d[i]) & 7] = k + i;
    s[t] = a[d[i] & 7];
    __syncthreads();
    o[i] = s[63 - t] + a[(s[t] + 1) & 7];
}
HD int f7(unsigned v)
{
    int c = 0;
    for (;;) {
        if (v == 1)
            return c;
        if (c > 40)
            return -c;
        v = v & 1 ? 3 * v + 1 : v >> 1;
        ++c;
    }
}
__global__ void t7(int *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = f7((unsigned)i + 1);
}
__global__ void t8(const int *p, int n, int *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = -1;
    if (p && i > n)
        x = p[blockIdx.x];
    if (i < n)
        x += (int)((unsigned)(i - n) >> 28);
    o[i] = x;
}
__global__ void t9(unsigned off, const int *d, int *o)
{ // unsigned index arithmetic that really wraps inside a block; reads d[0..63]
    unsigned t = threadIdx.x;
    o[blockIdx.x * blockDim.x + t] = d[(unsigned)(t + off) < 64u ? t + off : 0];
}
__global__ void t10(int *o, int *h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int old = atomicAdd(&h[i % 3], 1);
    if (i & 1)
        atomicAdd(&h[3 + (i & 3)], old >= 0);
    o[i] = 0;
}
HD int f12(unsigned v, const int *d)
{
    int c = 0, r, w = 0;
    for (;;) {
        w += d[c & 63];
        if (v == 1) {
            r = c * 3 + d[w & 63];
            break;
        }
        if (w * c > 300) {
            r = c + 1000 * d[c & 31];
            break;
        }
        if (c > 60) {
            r = w;
            break;
        }
        v = v & 1 ? 3 * v + 1 : v >> 1;
        ++c;
    }
    return r ^ (w << 4);
}
__global__ void t12(const int *d, int *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = f12((unsigned)i + 1, d);
}
__device__ __noinline__ int note(int x)
{
    return 2 * x + 1;
}
__global__ void t11(int n, int *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    for (int k = 0; k < i % n; ++k)
        if ((i + k) % 3 == 1)
            r += note(i + k);
    o[i] = r;
}
static int *dbuf, *obuf, *ref, N;
static int bad;
static void cmp(const char *n)
{
    cudaDeviceSynchronize();
    int c = 0;
    for (int i = 0; i < N; ++i)
        if (obuf[i] != ref[i]) {
            if (!c++)
                printf("%s: [%d] got %d want %d\n", n, i, obuf[i], ref[i]);
        }
    printf("%s %s\n", n, c ? "FAIL" : "ok");
    bad += !!c;
    memset(obuf, 0xaa, 4 * N);
}
int main()
{
    const int BD = 64;
    N = NB * BD;
    dbuf = (int *)malloc(4 * N);
    obuf = (int *)malloc(4 * N);
    ref = (int *)malloc(4 * N);
    srand(1);
    for (int i = 0; i < N; ++i)
        dbuf[i] = rand() % 13 - 6;
    t1<<<NB, BD>>>(9, obuf);
    for (int i = 0; i < N; ++i)
        ref[i] = f1(i, 9);
    cmp("t1 nested divergent loops");
    t2<<<NB, BD>>>(dbuf, obuf);
    for (int i = 0; i < N; ++i)
        ref[i] = f2(i, dbuf) + (dbuf[i] == 3 ? 5 : 0);
    cmp("t2 masked division");
    for (int m = 2; m < 4; ++m) {
        t3<<<NB, BD>>>(6, m, dbuf, obuf);
        for (int b = 0; b < NB; ++b) {
            int acc[64], s[64];
            for (int t = 0; t < 64; ++t)
                acc[t] = dbuf[b * 64 + t];
            if (m > 2)
                for (int k = 0; k < 6; ++k) {
                    for (int t = 0; t < 64; ++t)
                        s[t] = acc[t] + k;
                    for (int t = 0; t < 64; ++t) {
                        int i = b * 64 + t;
                        acc[t] += s[(t * 5 + k) & 63] + (dbuf[i] & 1 ? dbuf[(i * 7) % 64] : 0);
                    }
                }
            for (int t = 0; t < 64; ++t)
                ref[b * 64 + t] = acc[t];
        }
        cmp("t3 barriers in a loop in an if");
    }
    t4<<<NB, BD>>>(40, obuf);
    for (int i = 0; i < N; ++i)
        ref[i] = i % 64 < 40 ? 39 - i % 64 : (int)0xaaaaaaaa;
    cmp("t4 early return before barrier");
    t5<<<NB, BD>>>(5, dbuf, obuf);
    for (int b = 0; b < NB; ++b) {
        int acc[64] = {0}, s[64], v[64];
        for (int t = 0; t < 64; ++t)
            s[t] = dbuf[b * 64 + t];
        for (int k = 0; k < 5; ++k) {
            for (int t = 0; t < 64; ++t)
                v[t] = dbuf[b * 64 + t] * k + acc[t];
            if (k & 1)
                for (int t = 0; t < 64; ++t)
                    s[t] += v[t] & 15;
            for (int t = 0; t < 64; ++t)
                acc[t] += v[t] + s[(t + k) & 63];
        }
        for (int t = 0; t < 64; ++t)
            ref[b * 64 + t] = acc[t];
    }
    cmp("t5 conditional barrier in a loop");
    t6<<<NB, BD>>>(dbuf, obuf);
    for (int b = 0; b < NB; ++b) {
        int a[64][8], s[64];
        for (int t = 0; t < 64; ++t) {
            int i = b * 64 + t;
            for (int k = 0; k < 8; ++k)
                a[t][(k * 3 + dbuf[i]) & 7] = k + i;
            s[t] = a[t][dbuf[i] & 7];
        }
        for (int t = 0; t < 64; ++t)
            ref[b * 64 + t] = s[63 - t] + a[t][(s[t] + 1) & 7];
    }
    cmp("t6 per-thread array");
    t7<<<NB, BD>>>(obuf);
    for (int i = 0; i < N; ++i)
        ref[i] = f7((unsigned)i + 1);
    cmp("t7 loop with two exits");
    t8<<<NB, BD>>>(NULL, 100, obuf);
    for (int i = 0; i < N; ++i)
        ref[i] = i < 100 ? 14 : -1;
    cmp("t8 uniform load under a mask, null");
    t8<<<NB, BD>>>(dbuf, 100, obuf);
    for (int i = 0; i < N; ++i)
        ref[i] = i > 100 ? dbuf[i / 64] : i < 100 ? 14 : -1;
    cmp("t8 uniform load under a mask");
    for (unsigned off = 0xffffffe0u; off != 40; off += 8) {
        t9<<<NB, BD>>>(off, dbuf, obuf);
        for (int i = 0; i < N; ++i) {
            unsigned t = i % 64, j = t + off;
            ref[i] = dbuf[j < 64 ? j : 0];
        }
        cmp("t9 wrapping index");
    }
    int h[8] = {0}, hr[8] = {0};
    t10<<<NB, BD>>>(obuf, h);
    for (int i = 0; i < N; ++i) {
        hr[i % 3]++;
        if (i & 1)
            hr[3 + (i & 3)]++;
        ref[i] = 0;
    }
    cmp("t10 atomics");
    if (memcmp(h, hr, sizeof h)) {
        printf("t10 FAIL %d %d %d | %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6]);
        ++bad;
    }
    t12<<<NB, BD>>>(dbuf, obuf);
    for (int i = 0; i < N; ++i)
        ref[i] = f12((unsigned)i + 1, dbuf);
    cmp("t12 one value, three exits");
    t11<<<NB, BD>>>(5, obuf);
    for (int i = 0; i < N; ++i) {
        int r = 0;
        for (int k = 0; k < i % 5; ++k)
            if ((i + k) % 3 == 1)
                r += 2 * (i + k) + 1;
        ref[i] = r;
    }
    cmp("t11 call under a mask");
    printf("%d failed\n", bad);
    free(dbuf);
    free(obuf);
    free(ref);
    return bad != 0;
}
