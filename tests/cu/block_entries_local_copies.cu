// cdpcc: --entry=block -O2
// Copies of local structures whose addresses escape, local arrays that become values only once their
// loops are unrolled, and constant elements of arrays that stay in memory: with all lanes active, and
// under masks, where the other lanes must keep what they have.
#include <stdio.h>
#include <string.h>

enum { N = 500, BLOCK = 96, GRID = (N + BLOCK - 1) / BLOCK };
#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)

template <int BYTES> struct Bytes {
    unsigned short h[BYTES / 2];
};

/* Too large to be inlined everywhere, so the structures are in memory. */
template <int BYTES> __host__ __device__ __noinline__ Bytes<BYTES> turn(const Bytes<BYTES> &b, int by)
{
    Bytes<BYTES> result;
    for (int k = 0; k < BYTES / 2; k++) {
        result.h[k] = (unsigned short)(b.h[(k + 1) % (BYTES / 2)] * 5 + by);
    }
    return result;
}

template <int BYTES> __host__ __device__ unsigned copies(const Bytes<BYTES> *in, int i)
{
    Bytes<BYTES> a = in[i], b = turn(a, 1), c = b;
    if (in[i].h[0] % 3 == 0) {
        b = turn(c, i);
        c = b;
    }
    if (in[i].h[1] % 2 == 0) {
        a = c;
    }
    for (int times = in[i].h[0] % 4; times > 0; times--) {
        c = a;
        a = turn(b, times);
        b = c;
    }
    unsigned sum = 0;
    for (int k = 0; k < BYTES / 2; k++) {
        sum = sum * 31 + a.h[k] + b.h[k] * 3 + c.h[k] * 7;
    }
    return sum;
}

/* The address of the element is selected, and the arrays are indexed by loops around each other. */
__host__ __device__ unsigned selected(const Bytes<16> *in, int i, int last)
{
    unsigned sums[4];
    for (int row = 0; row < 4; row++) {
        unsigned short zero = 0;
        Bytes<16> b = in[(i + row) % N];
        if (row == last) {
            for (int k = 0; k < 8; k++) {
                const unsigned short &chosen = i + k < 200 ? b.h[k] : zero;
                b.h[k] = chosen;
            }
        }
        sums[row] = 0;
        for (int k = 0; k < 8; k++) {
            sums[row] = sums[row] * 31 + b.h[k];
        }
    }
    return sums[0] ^ sums[1] * 3 ^ sums[2] * 5 ^ sums[3] * 7;
}

/* Some indices are data, so the array stays in memory; 0 and 11 are its ends. */
template <class T> __host__ __device__ unsigned ends(const Bytes<16> *in, int i)
{
    T a[12];
    for (int k = 0; k < 12; k++) {
        a[k] = (T)(in[i].h[k % 8] + k);
    }
    if (in[i].h[2] % 2 == 0) {
        a[0] += a[11];
        if (in[i].h[3] % 3 == 0) {
            a[11] = a[in[i].h[4] % 12];
        }
        a[in[i].h[5] % 12] += 9;
    } else if (in[i].h[2] % 5 == 0) {
        a[11] = a[0] + a[in[i].h[6] % 12];
    }
    unsigned sum = 0;
    for (int k = 0; k < 12; k++) {
        sum = sum * 31 + (unsigned)a[k];
    }
    return sum;
}

template <int BYTES> __global__ void copy_all(const Bytes<BYTES> *in, unsigned *out)
{
    if (I < N) {
        out[I] = copies(in, I);
    }
}
__global__ void select_all(const Bytes<16> *in, unsigned *out, int last)
{
    if (I < N) {
        out[I] = selected(in, I, last);
    }
}
template <class T> __global__ void end_all(const Bytes<16> *in, unsigned *out)
{
    if (I < N) {
        out[I] = ends<T>(in, I);
    }
}
/* The array is used on both sides of a barrier. */
__global__ void across(const Bytes<16> *in, unsigned *out)
{
    __shared__ unsigned total;
    unsigned a[6];
    int i = I < N ? I : N - 1;
    for (int k = 0; k < 6; k++) {
        a[k] = in[i].h[k];
    }
    if (threadIdx.x == 0) {
        total = a[5];
    }
    __syncthreads();
    if (a[2] % 2 == 0) {
        a[0] += total;
        a[a[3] % 6] ^= a[5];
    }
    __syncthreads();
    if (I < N) {
        out[I] = a[0] * 31 + a[5] * 7 + a[a[4] % 6];
    }
}

static unsigned *results;
static void *data;
static bool compare(const char *name, unsigned (*expected)(int))
{
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        if (results[i] != expected(i)) {
            printf("%s: %u at %d instead of %u\n", name, results[i], i, expected(i));
            return false;
        }
    }
    memset(results, 0, N * sizeof *results);
    return true;
}
template <int BYTES> static bool copies_agree()
{
    copy_all<BYTES><<<GRID, BLOCK>>>((Bytes<BYTES> *)data, results);
    return compare("copies", [](int i) { return copies((const Bytes<BYTES> *)data, i); });
}
template <class T> static bool ends_agree()
{
    end_all<T><<<GRID, BLOCK>>>((Bytes<16> *)data, results);
    return compare("ends", [](int i) { return ends<T>((const Bytes<16> *)data, i); });
}
static unsigned across_barriers(int i)
{
    const Bytes<16> *in = (const Bytes<16> *)data;
    unsigned a[6];
    for (int k = 0; k < 6; k++) {
        a[k] = in[i].h[k];
    }
    if (a[2] % 2 == 0) {
        a[0] += in[i / BLOCK * BLOCK].h[5];
        a[a[3] % 6] ^= a[5];
    }
    return a[0] * 31 + a[5] * 7 + a[a[4] % 6];
}
static int last;

int main()
{
    cudaMallocManaged(&data, N * 128);
    cudaMallocManaged(&results, N * sizeof *results);
    unsigned seed = 1;
    for (int i = 0; i < N * 64; i++) {
        ((unsigned short *)data)[i] = (unsigned short)((seed = seed * 1664525 + 1013904223) >> 16);
    }
    bool all = copies_agree<8>() && copies_agree<12>() && copies_agree<16>() && copies_agree<24>() &&
               copies_agree<32>() && copies_agree<48>() && copies_agree<64>() && copies_agree<96>();
    for (last = 0; last < 5; last++) {
        select_all<<<GRID, BLOCK>>>((Bytes<16> *)data, results, last);
        all = compare("selected", [](int i) { return selected((const Bytes<16> *)data, i, last); }) && all;
    }
    all = ends_agree<unsigned char>() && ends_agree<short>() && ends_agree<int>() &&
          ends_agree<long long>() && ends_agree<double>() && all;
    across<<<GRID, BLOCK>>>((Bytes<16> *)data, results);
    all = compare("across", across_barriers) && all;
    puts(all ? "the same" : "different");
    return 0;
}
