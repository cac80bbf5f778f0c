// cdpcc: --entry=block -O2
// Functions that are not inlined, called for all threads of a vector at once: in divergent branches, in
// loops, with early returns, for uniform and varying operands, from several kernels, by one another,
// and by themselves.
#include "show.h"
#include <string.h>

enum { LINE = 128, BLOCKS = 3, N = LINE * BLOCKS, SIZE = 4096 };

struct pair {
    float x, y;
};
struct tree {
    int key, left, right;
};

// A loop that threads leave at different times, and three returns.
__noinline__ __host__ __device__ int escape(float x, float y, int most)
{
    if (most <= 0) {
        return -1;
    }
    float a = 0, b = 0;
    for (int i = 0; i < most; i++) {
        if (a * a + b * b > 4) {
            return i;
        }
        float c = a * a - b * b + x;
        b = 2 * a * b + y;
        a = c;
    }
    return most;
}
// Reads memory by a uniform and by a varying index, and stores.
__noinline__ __host__ __device__ void mixInto(unsigned *to, const unsigned *from, unsigned at, unsigned n)
{
    unsigned sum = from[n];
    for (unsigned k = 0; k < n; k++) {
        sum = sum * 31 + from[(at + k * 7) % SIZE];
    }
    to[at] ^= sum;
}
__noinline__ __host__ __device__ bool isOdd(unsigned x, bool wanted)
{
    return ((x & 1) != 0) == wanted;
}
// Calls other functions, in a branch and in a loop.
__noinline__ __host__ __device__ long long nested(unsigned x, short by, signed char count)
{
    long long sum = by;
    for (int k = 0; k < count; k++) {
        sum += isOdd(x >> k, k & 1) ? escape(x * 1e-3f, k * 0.1f, 20) : by * k;
    }
    return sum;
}
// The depth is uniform.
__noinline__ __host__ __device__ float power(float x, int n)
{
    if (n == 0) {
        return 1;
    }
    float half = power(x, n / 2);
    return n % 2 ? half * half * x : half * half;
}
// The depth differs, and each call makes two.
__noinline__ __host__ __device__ unsigned divide(unsigned low, unsigned high)
{
    if (high - low < 3) {
        return low * 5 + high;
    }
    unsigned middle = low + (high - low) / 2;
    return divide(low, middle) * 3 ^ divide(middle + 1, high);
}
__noinline__ __host__ __device__ int search(const tree *nodes, int at, int key)
{
    if (at < 0) {
        return 0;
    }
    if (nodes[at].key == key) {
        return 1000 + at;
    }
    int found = search(nodes, key < nodes[at].key ? nodes[at].left : nodes[at].right, key);
    return found != 0 ? found + 1 : -at;
}
// Two functions that call each other.
__noinline__ __host__ __device__ int second(int x, int steps);
__noinline__ __host__ __device__ int first(int x, int steps)
{
    return steps <= 0 || x == 1 ? x : 1 + second(x % 2 ? 3 * x + 1 : x / 2, steps - 1);
}
__noinline__ __host__ __device__ int second(int x, int steps)
{
    return steps <= 0 ? -x : 2 * first(x, steps - 1) - x;
}
// Small structures, by a recursive function.
__noinline__ __host__ __device__ pair turn(pair p, int n)
{
    if (n <= 0) {
        return p;
    }
    pair q = turn(pair{p.x - p.y * 0.25f, p.y + p.x * 0.25f}, n - 1);
    return pair{q.y, q.x + n};
}
// An array of its own, with indices that differ.
__noinline__ __host__ __device__ int sorted(unsigned seed, int which)
{
    int a[9];
    for (int i = 0; i < 9; i++) {
        a[i] = (seed >> i) % 13;
    }
    for (int i = 1; i < 9; i++) {
        for (int k = i; k > 0 && a[k - 1] > a[k]; k--) {
            int other = a[k];
            a[k] = a[k - 1];
            a[k - 1] = other;
        }
    }
    return a[which % 9] + a[4];
}
// A larger structure, which is passed in memory and changed.
struct large {
    float v[9];
    int count;
};
__noinline__ __host__ __device__ large scaled(large l, float by, int n)
{
    for (int k = 0; k < 9; k++) {
        l.v[k] *= by + k;
    }
    l.count += n;
    return l.count % 3 == 0 && n > 0 ? scaled(l, by * 0.5f, n - 1) : l;
}
// Writes to variables of the thread.
__noinline__ __host__ __device__ void both(double x, double *quotient, double *rest)
{
    *quotient = (double)(int)(x / 3);
    *rest = x - *quotient * 3;
}
__noinline__ __device__ unsigned place()
{
    return threadIdx.x + 100 * threadIdx.y + 10000 * blockIdx.x + 7 * blockDim.x;
}
__noinline__ __device__ void quiet(int *at)
{
    *at += 5;
}

__host__ __device__ inline unsigned valueOf(unsigned i, unsigned *to, const unsigned *from,
                                            const tree *nodes, int n)
{
    unsigned result = 0;
    if (i % 3 == 0) { // some threads
        result += (unsigned)escape(i * 0.004f - 1, 0.3f, 60);
    }
    if (n > 2) { // all threads
        result += (unsigned)escape(0.1f, i * 0.01f, (int)(i % 50));
    }
    for (unsigned k = 0; k < i % 5; k++) { // as long as threads are in the loop
        result = result * 3 + (unsigned)nested(i + k, (short)(i * 7), (signed char)(k + 2));
    }
    mixInto(to, from, i, (unsigned)n);
    mixInto(to, from, i, i % 9);
    (void)escape((float)i, 1, n); // its result is unused
    result ^= (unsigned)(power(1 + i * 1e-3f, n) * 1024);
    result ^= (unsigned)(power(1 + i * 1e-3f, (int)(i % 11)) * 512);
    result += divide(i, i + i % 37);
    result += (unsigned)search(nodes, 0, (int)(i * 3 % 200));
    result ^= (unsigned)first((int)i + 1, n) * 77;
    pair p = turn(pair{i * 0.5f, 1}, n), q = turn(pair{1, i * 0.25f}, (int)(i % 4));
    result ^= (unsigned)(int)(p.x + p.y) ^ (unsigned)(int)(q.x * 3 - q.y);
    result += (unsigned)sorted(i * 2654435761u, (int)i) * 3 + (unsigned)sorted(i * 77, n);
    large l = {{1, 2, 3, (float)i}, (int)i};
    large m = scaled(l, 0.5f, (int)(i % 3) + n % 2);
    result += (unsigned)(int)(m.v[3] * 4 + m.v[i % 9] + l.v[1]) + (unsigned)m.count;
    double quotient, rest;
    both(i * 0.7, &quotient, &rest);
    return result + (unsigned)(quotient * 8 + rest * 4) + isOdd(i, n != 0);
}

__global__ void all(unsigned *out, unsigned *to, const unsigned *from, const tree *nodes, int n,
                    unsigned most)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < most) {
        out[i] = valueOf(i, to, from, nodes, n);
    }
}
// Another kernel with some of the functions, and with a barrier.
__global__ void around(unsigned *out, const unsigned *from, int n)
{
    __shared__ unsigned s[1024];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = (unsigned)escape(from[i] * 1e-9f, 0.2f, 30);
    __syncthreads();
    unsigned x = s[(t + 1) % blockDim.x] + (unsigned)nested(i, 3, 5);
    __syncthreads();
    mixInto(s, from, t, 6); // to shared memory
    __syncthreads();
    out[i] = s[blockDim.x - 1 - t] ^ x + (n > 3 ? divide(t, 20) : 1);
}
__global__ void places(unsigned *out, int *counts)
{
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y;
    unsigned i = blockIdx.x * blockDim.x * blockDim.y + t;
    out[i] = t % 4 == 1 ? 1 : place();
    if (t % 7 == 2) {
        quiet(&counts[i]);
    }
}

static unsigned *out, *to, *from, wantedOut[N], wantedTo[SIZE];
static tree *nodes;
static int *counts;

static int grow(int low, int high, int *used)
{
    if (low >= high) {
        return -1;
    }
    int at = (*used)++, middle = (low + high) / 2;
    nodes[at].key = middle * 2;
    nodes[at].left = grow(low, middle, used);
    nodes[at].right = grow(middle + 1, high, used);
    return at;
}
static bool tryAll(int threads, unsigned most, int n)
{
    memset(out, 0, sizeof wantedOut);
    memcpy(to, from, sizeof wantedTo);
    all<<<BLOCKS, threads>>>(out, to, from, nodes, n, most);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return false;
    }
    memset(wantedOut, 0, sizeof wantedOut);
    memcpy(wantedTo, from, sizeof wantedTo);
    for (unsigned i = 0; i < most && i < (unsigned)(BLOCKS * threads); i++) {
        wantedOut[i] = valueOf(i, wantedTo, from, nodes, n);
    }
    return memcmp(out, wantedOut, sizeof wantedOut) == 0 &&
           memcmp(to, wantedTo, sizeof wantedTo) == 0;
}
static unsigned hashOf(const void *data, size_t size)
{
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)data)[i]) * 16777619u;
    }
    return hash;
}

int main()
{
    MUST(cudaMallocManaged(&out, sizeof wantedOut));
    MUST(cudaMallocManaged(&to, sizeof wantedTo));
    MUST(cudaMallocManaged(&from, sizeof wantedTo));
    MUST(cudaMallocManaged(&nodes, 100 * sizeof *nodes));
    MUST(cudaMallocManaged(&counts, N * sizeof *counts));
    memset(counts, 0, N * sizeof *counts);
    int used = 0;
    grow(0, 100, &used);
    for (unsigned i = 0; i < SIZE; i++) {
        from[i] = i * 2654435761u >> 3;
    }
    for (int threads : {128, 100, 33, 64, 7, 3}) {
        for (int n : {0, 5, 12}) {
            printf("%d threads, %d: %s\n", threads, n,
                   tryAll(threads, N, n) && tryAll(threads, (unsigned)threads * 2 + 5, n) ? "equal"
                                                                                         : "wrong");
        }
    }
    for (int threads : {128, 100, 31}) {
        memset(out, 0, sizeof wantedOut);
        around<<<BLOCKS, threads>>>(out, from, threads % 7);
        SHOW(cudaDeviceSynchronize());
        printf("around: %08x\n", hashOf(out, sizeof wantedOut));
    }
    for (dim3 size : {dim3(128), dim3(16, 8), dim3(5, 9), dim3(20, 6), dim3(8, 3)}) {
        memset(out, 0, sizeof wantedOut);
        places<<<BLOCKS, size>>>(out, counts);
        SHOW(cudaDeviceSynchronize());
        printf("places: %08x %08x\n", hashOf(out, sizeof wantedOut), hashOf(counts, N * sizeof *counts));
    }
    for (void *memory : {(void *)out, (void *)to, (void *)from, (void *)nodes, (void *)counts}) {
        MUST(cudaFree(memory));
    }
}
