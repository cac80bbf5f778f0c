// cdpcc: --entry=block -O2
// races: threads of several blocks store the same number to one element
// Fields with two or three dimensions and one number for each thread, as i / w and i % w: contiguous
// accesses, and one address for many threads, if a vector lies in one row. Rows longer and shorter
// than a vector, from positions that may be below zero or wrap, with all threads and with some.
#include <stdio.h>
#include <string.h>

enum { N = 3000, MOST = 3072, BLOCK = 256, GRID = (N + BLOCK - 1) / BLOCK, PAD = 64 };

#define HERE __host__ __device__

struct Sizes {
    int w, h, k;
    long long from; /* the first thread's number */
};

/* The computation of each thread, on the device and on the host. */
template <class T> HERE unsigned field(const unsigned *in, T i, T w, T h)
{
    T x = i % w, y = i / w % h, z = i / w / h;
    return in[(y * (w + 3) + x) % 4096] * 3 + in[y & 1023] + in[z % 512] * 5 +
           in[(z * h + y) % 4096];
}
template <class T> HERE unsigned product(const unsigned *in, T i, T w, int k)
{
    T row = i / w, column = i % w;
    unsigned sum = 0;
    for (T j = 0; j < (T)k; j++) {
        sum += in[(unsigned)(row * k + j) % 4096] * in[j * w + column];
    }
    return sum;
}
/* The loop's addresses do not depend on what it computes, except in some iterations. */
HERE unsigned turns(const unsigned *in, int i, int w, int k)
{
    const unsigned *row = in + i / w * 4, *column = in + i % w;
    unsigned sum = 0;
    for (int j = 0; j < k; j++) {
        if (j % 3 == 1) {
            continue;
        }
        for (int l = 0; l < 3; l++) {
            sum += row[j] * column[j * 16 + l];
        }
        if (row[j] > column[j]) {
            sum ^= column[j + 1] + row[1];
        }
    }
    return sum;
}
HERE unsigned shifted(const unsigned *in, int i)
{
    return in[(i >> 5) + PAD] + in[(unsigned)i >> 28] + in[((unsigned)i >> 6 & 63) + (i & 15)];
}
/* Contiguous until the byte wraps around. */
HERE unsigned bytes(const unsigned *in, int i, int w, int k)
{
    unsigned sum = 0;
    for (int j = 0; j < k; j++) {
        sum += in[(unsigned char)(i % w + j + 250)] * in[(signed char)(i / w + i % w + j) + 128];
    }
    return sum;
}
HERE unsigned pairs(const uint2 *in, unsigned i, unsigned w)
{
    uint2 one = in[i / w % 512], other = in[i % w % 512];
    return one.x * 3 + one.y + (other.x ^ other.y);
}

template <class T> __global__ void fields(const unsigned *in, unsigned *out, Sizes s)
{
    T i = (T)(blockIdx.x * blockDim.x + threadIdx.x) + (T)s.from;
    out[blockIdx.x * blockDim.x + threadIdx.x] = field<T>(in, i, s.w, s.h);
}
template <class T> __global__ void products(const unsigned *in, unsigned *out, Sizes s)
{
    T i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        out[i] = product<T>(in, i, s.w, s.k);
    }
}
__global__ void others(const unsigned *in, unsigned *out, Sizes s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = turns(in, i, s.w, s.k) + shifted(in, i - 37) + bytes(in, i, s.w, s.k) +
             pairs((const uint2 *)in, i, s.w);
    if (i % 3 == 0 && in[i] & 1) {
        out[i] += in[i / s.w] + field<int>(in, i, s.w, s.h) + product<int>(in, i, s.w, s.k);
    }
}
/* A zero divisor in threads that do not divide; and numbers that start below zero. */
__global__ void some(const unsigned *in, unsigned *out, int w, int from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i + from;
    out[i] = 1;
    if (w != 0) {
        out[i] = in[at / w + 4096] + in[at % w + 4096];
    }
}
/* Contiguous stores, and sums at addresses that many threads share. */
__global__ void writes(unsigned *out, unsigned *sums, int w, int padded)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        out[i / w * padded + i % w] = i * 3;
        atomicAdd(&sums[i / w], i);
        sums[MOST + i / w] = i / w;
    }
}
/* Memory that the block shares. */
__global__ void shares(const unsigned *in, unsigned *out, int w)
{
    __shared__ unsigned s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    s[t] = in[i];
    __syncthreads();
    unsigned sum = 0;
    for (int j = 0; j < 4; j++) {
        sum += s[t / w] * s[t % w] + s[t / w / 2 + j];
    }
    out[i] = sum;
}

static unsigned *in, *out, *sums;
static int wrong;

static void expect(int i, unsigned value)
{
    wrong += out[i] != value;
}

template <class T> static void check_fields(Sizes s)
{
    fields<T><<<GRID, BLOCK>>>(in, out, s);
    cudaDeviceSynchronize();
    for (int i = 0; i < MOST; i++) {
        expect(i, field<T>(in, (T)((T)i + (T)s.from), s.w, s.h));
    }
    memset(out, 0, MOST * sizeof *out);
    products<T><<<GRID, BLOCK>>>(in, out, s);
    cudaDeviceSynchronize();
    for (int i = 0; i < MOST; i++) {
        expect(i, i < N ? product<T>(in, i, s.w, s.k) : 0);
    }
}

static void check_others(Sizes s)
{
    others<<<GRID, BLOCK>>>(in, out, s);
    cudaDeviceSynchronize();
    for (int i = 0; i < MOST; i++) {
        unsigned value = turns(in, i, s.w, s.k) + shifted(in, i - 37) + bytes(in, i, s.w, s.k) +
                         pairs((const uint2 *)in, i, s.w);
        if (i % 3 == 0 && in[i] & 1) {
            value += in[i / s.w] + field<int>(in, i, s.w, s.h) + product<int>(in, i, s.w, s.k);
        }
        expect(i, value);
    }
}

static void check_some(int w, int from)
{
    some<<<GRID, BLOCK>>>(in, out, w, from);
    cudaDeviceSynchronize();
    for (int i = 0; i < MOST; i++) {
        int at = i + from;
        expect(i, w == 0 ? 1 : in[at / w + 4096] + in[at % w + 4096]);
    }
}

static void check_writes(int w)
{
    memset(out, 0, 2 * MOST * sizeof *out);
    memset(sums, 0, 2 * MOST * sizeof *sums);
    writes<<<GRID, BLOCK>>>(out, sums, w, w + 1);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        expect(i / w * (w + 1) + i % w, i * 3);
        if (i % w == 0) {
            unsigned sum = 0;
            for (int j = i; j < i + w && j < N; j++) {
                sum += j;
            }
            wrong += sums[i / w] != sum || sums[MOST + i / w] != (unsigned)(i / w);
        }
    }
}

static void check_shares(int w)
{
    shares<<<GRID, BLOCK>>>(in, out, w);
    cudaDeviceSynchronize();
    for (int i = 0; i < MOST; i++) {
        const unsigned *s = in + i / BLOCK * BLOCK;
        unsigned sum = 0;
        int t = i % BLOCK;
        for (int j = 0; j < 4; j++) {
            sum += s[t / w] * s[t % w] + s[t / w / 2 + j];
        }
        expect(i, sum);
    }
}

int main()
{
    cudaMallocManaged(&in, 16384 * sizeof *in);
    cudaMallocManaged(&out, 2 * MOST * sizeof *out);
    cudaMallocManaged(&sums, 2 * MOST * sizeof *sums);
    for (int i = 0; i < 16384; i++) {
        in[i] = i * 2654435761u >> 7;
    }
    for (int w : {1, 3, 4, 15, 16, 17, 31, 48, 64, 100, 255, 256, 700, 1000}) {
        Sizes s = {w, w % 7 + 2, w % 11 + 1, 0};
        check_fields<int>(s);
        check_fields<unsigned>(s);
        check_fields<long long>(s);
        check_fields<unsigned long long>(s);
        check_fields<unsigned short>(s);
        s.from = 0xffffff03;
        check_fields<unsigned>(s); /* from there the numbers wrap around */
        s.from = 1ll << 40;
        check_fields<long long>(s);
        check_fields<unsigned long long>(s);
        s.from = 0;
        check_others(s);
        check_some(w, 0);
        check_some(w, -1000);
        check_some(-w, -1000);
        check_some(0, 5);
        check_writes(w);
        if (w < BLOCK) {
            check_shares(w);
        }
    }
    printf("%d wrong, %s\n", wrong, cudaGetErrorName(cudaGetLastError()));
}
