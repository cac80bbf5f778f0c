// cdpcc: -O2
// block stderr: cdp: 8 blocks ran by block entries, 0 had an unsupported shape
// env: CDP_STATS=1 CDP_SEED=0
// stderr: cdp: 0 launches by device code
// Words put together of bytes, in either order: results are those of the host.
#include "show.h"
#include <stdlib.h>
typedef unsigned char byte;
typedef unsigned long long word;
enum { N = 1000, STRIDE = 24 };

static __host__ __device__ unsigned low_first(const byte *p, unsigned i)
{
    return p[4 * i] | p[4 * i + 1] << 8 | p[4 * i + 2] << 16 | (unsigned)p[4 * i + 3] << 24;
}
static __host__ __device__ unsigned high_first(const byte *p, int i)
{
    return (unsigned)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3];
}
static __host__ __device__ word shifts_what_it_has(const byte *p)
{
    word v = 0;
    for (int n = 0; n < 8; n++) {
        v = v << 8 | p[n];
    }
    return v;
}
static __host__ __device__ word shifts_by_counter(const byte *p, unsigned i)
{
    word v = 0;
    for (unsigned n = 0; n < 8; n++) {
        v |= (word)p[8 * i + n] << (8 * n);
    }
    return v;
}
static __host__ __device__ word counts_down(const byte *p)
{
    word v = 0;
    for (int n = 3; n >= 0; n--) {
        v = v << 8 | p[n];
    }
    return v;
}
// The sum and the exclusive or are joined as well as an or.
static __host__ __device__ word other_operators(const byte *p)
{
    return ((p[0] << 8) + p[1]) ^ ((word)((p[5] << 8) ^ p[4]) << 40);
}
static __host__ __device__ word halves(const unsigned *p)
{
    return p[0] | (word)p[1] << 32;
}
static __host__ __device__ unsigned three(const byte *p)
{
    return p[0] | p[1] << 8 | p[2] << 16;
}
// Not joined: bits that are cut off, places that overlap, an order of its own, signs, other uses.
static __host__ __device__ word others(const byte *p)
{
    unsigned cut = p[0] << 28 | p[1] << 4, overlap = (p[2] << 4) + p[3];
    unsigned mixed = p[4] << 8 | p[5] << 24 | p[6] << 16 | p[7];
    int sign = (signed char)p[8] << 8 | p[9];
    unsigned used = (p[10] << 8 | p[11]) * p[11];
    byte narrow = (byte)(p[12] << 8 | p[13]);
    return cut + 3ull * overlap + 5ull * mixed + 7ll * sign + 11ull * used + 13ull * narrow;
}
// A store between the loads, perhaps of one of these bytes.
static __host__ __device__ unsigned store_between(byte *p, byte *q)
{
    unsigned first = p[0];
    *q = (byte)(first + 1);
    return first << 8 | p[1];
}
static __host__ __device__ word of_all(byte *p, unsigned i)
{
    byte *at = p + STRIDE * i;
    word v = 3 * low_first(p, i) + 5ull * high_first(p, (int)i) + 7 * shifts_what_it_has(at);
    v += 11 * shifts_by_counter(p, i) + 13 * counts_down(at + 8) + 17 * other_operators(at + 12);
    v += 19 * halves((unsigned *)at + 1) + 23ull * three(at + 5) + 29 * others(at + 9);
    return v;
}
// The index of the last word is negative.
static __global__ void words(byte *p, word *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        out[i] = of_all(p, i) + 31 * high_first(p + 4 * N, (int)i - N);
    }
}
static __global__ void stores(byte *p, word *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        byte *at = p + STRIDE * i;
        out[i] = store_between(at, at + i % 2) + 3ull * store_between(at + 8, at + 10);
    }
}

int main()
{
    byte *p, *q;
    word *out;
    cudaMallocManaged(&p, STRIDE * N + 64);
    cudaMallocManaged(&out, 2 * N * sizeof *out);
    q = (byte *)malloc(STRIDE * N + 64);
    for (int i = 0; i < STRIDE * N + 64; i++) {
        q[i] = p[i] = (byte)(i * 2654435761u >> 13);
    }
    words<<<4, 256>>>(p, out);
    stores<<<4, 256>>>(p, out + N);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (unsigned i = 0; i < N; i++) {
        wrong += out[i] != of_all(q, i) + 31 * high_first(q + 4 * N, (int)i - N);
    }
    for (unsigned i = 0; i < N; i++) {
        byte *at = q + STRIDE * i;
        wrong += out[N + i] != store_between(at, at + i % 2) + 3ull * store_between(at + 8, at + 10);
    }
    printf("%d wrong\n", wrong);
    free(q);
}
