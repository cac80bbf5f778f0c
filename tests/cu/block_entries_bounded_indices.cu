// cdpcc: --entry=block -O2
// Arrays of structures by products and sums of the global thread index, which wrap around only
// in very large grids: unsigned and signed indices, neighbours before and after, constants instead of
// blockDim, fields that are read and written. In a grid that is so large the indices wrap around.
#include <stdio.h>
#include <string.h>

enum { N = 1000, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK, MOST = 16 * (N + 8) };
#define NUMBER (blockIdx.x * blockDim.x + threadIdx.x)

template <class Index, int COUNT> __host__ __device__ unsigned read(const unsigned *x, Index i)
{
    unsigned sum = 0;
    for (int k = 0; k < COUNT; k++) {
        sum = sum * 3 + x[COUNT * i + k] + x[COUNT * (i + 1) + k];
    }
    return sum;
}
template <class Index, int COUNT> __host__ __device__ void write(unsigned *y, Index i, unsigned value)
{
    for (int k = 0; k < COUNT; k++) {
        y[COUNT * (i + 2) + k] = value + k;
    }
}
template <class Index, int COUNT> __global__ void fields(const unsigned *x, unsigned *y, Index n)
{
    Index i = NUMBER;
    if (i < n) {
        write<Index, COUNT>(y, i, read<Index, COUNT>(x, i));
    }
}
/* The number of threads of a block is a constant of the program, which need not be true. */
template <class Index, int COUNT> __global__ void constant_block(const unsigned *x, unsigned *y, Index n)
{
    Index i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x < BLOCK && i < n) { /* the others have the indices of the next block's threads */
        write<Index, COUNT>(y, i, read<Index, COUNT>(x, i));
    }
}
/* Neighbours on both sides, by numbers below zero. */
__host__ __device__ inline unsigned both_sides(const unsigned *x, int i)
{
    return x[3 * (i - 1)] + 2 * x[3 * (i - 1) + 2] + 3 * x[3 * i] + 5 * x[3 * (i + 1) - 1];
}
__global__ void sides(const unsigned *x, unsigned *y, int n)
{
    int i = NUMBER;
    if (i < n) {
        y[i] = both_sides(x + 3, i);
    }
}
/* Sums wrap around in each grid. */
__host__ __device__ inline unsigned offset(unsigned i)
{
    return 3 * (i - 100) + 300;
}
__global__ void wraps(const unsigned *x, unsigned *y, unsigned n)
{
    unsigned i = NUMBER;
    if (i < n) {
        y[i] = x[offset(i)] + x[offset(i) + 1] + x[offset(i) + 2];
    }
}
/* The blocks are some other distance apart, in steps that wrap around. */
__host__ __device__ inline unsigned at_distance(const unsigned *x, unsigned block, unsigned thread, unsigned n)
{
    unsigned i = block * n + thread, k = (block << n % 4) + thread, m = block * block + thread;
    return x[3 * i + 16] + 7 * x[3 * i + 17] + x[5 * k + 1] + x[5 * k + 2] + x[2 * m + 1];
}
__global__ void distances(const unsigned *x, unsigned *y, unsigned n)
{
    y[NUMBER] = at_distance(x, blockIdx.x, threadIdx.x, n);
}
/* The last threads' products are beyond 2^32. */
__global__ void large(const unsigned *x, unsigned *y, unsigned from)
{
    unsigned i = NUMBER;
    if (i >= from) {
        y[i - from] = x[15 * i + 1] + 2 * x[15 * i + 2];
    }
}
/* The index is computed from a local array's element, which is the thread's number. */
__global__ void large_by_local(const unsigned *x, unsigned *y, unsigned from, int never)
{
    unsigned i = NUMBER;
    if (i >= from) {
        unsigned numbers[2] = {i, i}, element = x[i - from];
        if (never) {
            element += x[3 * i + 1];
        }
        unsigned at = 15 * numbers[element & 1] + 1;
        y[i - from] = x[at] + 2 * x[at + 1];
    }
}
static unsigned in[MOST], expected[MOST], *x, *y, wrong;

static void compare(const char *what)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorName(error));
    }
    for (int i = 0; i < MOST; i++) {
        if (y[i] != expected[i] && wrong++ < 10) {
            printf("%s: element %d is %u instead of %u\n", what, i, y[i], expected[i]);
        }
    }
    memset(y, 0, MOST * sizeof *y);
    memset(expected, 0, sizeof expected);
}
template <class Index, int COUNT> static void check()
{
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < N; i++) {
            write<Index, COUNT>(expected, (Index)i, read<Index, COUNT>(in, (Index)i));
        }
        if (pass == 0) {
            fields<Index, COUNT><<<GRID, BLOCK>>>(x, y, N);
        } else {
            constant_block<Index, COUNT><<<GRID, pass == 1 ? BLOCK : 2 * BLOCK>>>(x, y, N);
        }
        compare(pass == 0 ? "fields" : "constant block");
    }
}
template <class Index> static void check_all()
{
    check<Index, 2>();
    check<Index, 3>();
    check<Index, 4>();
    check<Index, 5>();
    check<Index, 6>();
    check<Index, 7>();
    check<Index, 12>();
    check<Index, 15>();
}
static void check_large()
{
    const unsigned from = 286331153 / 256 * 256, count = 256; /* 15 * 286331153 == 2^32 - 1 */
    const unsigned wrapped = 286331153 - from;
    for (int pass = 0; pass < 2; pass++) {
        for (unsigned i = wrapped; i < count; i++) {
            unsigned k = 15 * (from + i);
            expected[i - wrapped] = in[(unsigned)(k + 1)] + 2 * in[(unsigned)(k + 2)];
        }
        if (pass == 0) {
            large<<<(from + count) / 256, 256>>>(x, y, 286331153);
        } else {
            large_by_local<<<(from + count) / 256, 256>>>(x, y, 286331153, 0);
        }
        compare(pass == 0 ? "large" : "large by local");
    }
}
int main()
{
    for (int i = 0; i < MOST; i++) {
        in[i] = i * 7 % 1001u;
    }
    cudaMallocManaged(&x, sizeof in);
    cudaMallocManaged(&y, sizeof in);
    memcpy(x, in, sizeof in);
    check_all<unsigned>();
    check_all<int>();
    for (int i = 0; i < N; i++) {
        expected[i] = both_sides(in + 3, i);
    }
    sides<<<GRID, BLOCK>>>(x, y, N);
    compare("sides");
    for (unsigned i = 0; i < N; i++) {
        expected[i] = in[offset(i)] + in[offset(i) + 1] + in[offset(i) + 2];
    }
    wraps<<<GRID, BLOCK>>>(x, y, N);
    compare("wraps");
    for (unsigned i = 0; i < 2 * BLOCK; i++) {
        expected[i] = at_distance(in, i / BLOCK, i % BLOCK, -5u);
    }
    distances<<<2, BLOCK>>>(x, y, -5u);
    compare("distances");
    check_large();
    puts(wrong == 0 ? "the same" : "different");
}
