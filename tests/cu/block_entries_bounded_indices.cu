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
/* Grid-stride loops, whose counters are below bounds that are computed from parameters. */
template <int FORM> __host__ __device__ unsigned counted(const unsigned *x, unsigned first, unsigned step, unsigned n,
                                                         unsigned m)
{
    unsigned sum = 0;
    if (FORM == 0) {
        for (unsigned i = first; i < n; i += step) {
            sum = sum * 5 + x[3 * i] + 7 * x[3 * i + 2];
        }
    } else if (FORM == 1) {
        for (unsigned i = first; n * m > i; i += step) {
            sum = sum * 5 + x[4 * i + 1] + 7 * x[4 * i + 3];
        }
    } else if (FORM == 2) { /* two bounds */
        for (unsigned i = first; i < n && i < m; i += step) {
            sum = sum * 5 + x[2 * i] + x[5 * (i + 2)] + x[3 * (i + 1) + 1];
        }
    } else if (FORM == 3) { /* the body changes the counter */
        for (unsigned i = first; i < n; i += step) {
            i += x[i] & m;
            sum = sum * 5 + x[3 * i] + 7 * x[3 * i + 1];
        }
    } else { /* the counter starts beyond the bound */
        unsigned i = first + 2 * n;
        do {
            sum = sum * 5 + x[3 * i] + 7 * x[3 * i + 1];
            i += step;
        } while (i < n);
    }
    return sum;
}
template <int FORM> __global__ void strides(const unsigned *x, unsigned *y, unsigned step, unsigned n, unsigned m)
{
    y[NUMBER] = counted<FORM>(x, NUMBER, step, n, m);
}
/* Products wrap around between two threads of a vector. */
__global__ void large_strides(const unsigned char *bytes, unsigned *y, unsigned step, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = NUMBER; i < n; i += step) {
        sum = sum * 5 + bytes[3 * i] + 7 * bytes[3 * i + 2];
    }
    y[NUMBER] = sum;
}
/* Pixels of three and four bytes, in rows whose length is a parameter or follows from some. */
template <int FORM> __host__ __device__ unsigned pixel(const unsigned *x, unsigned column, unsigned row, unsigned slice,
                                                       unsigned width, unsigned height)
{
    if (FORM == 0) {
        unsigned i = (row * width + column) * 3;
        return x[i] + 5 * x[i + 1] + 7 * x[i + 2];
    }
    if (FORM == 1) {
        unsigned i = 4 * (column + (width * 2 + 1) * row) + 1;
        return x[i] + 5 * x[i + 1] + 7 * x[i + 2];
    }
    if (FORM == 2) {
        unsigned i = 2 * ((slice * height + row) * width + column);
        return x[i] + 5 * x[i + 1];
    }
    unsigned i = 3 * (row * (width - height) + column);
    return x[i] + 5 * x[i + 1];
}
template <int FORM> __global__ void pixels(const unsigned *x, unsigned *y, unsigned width, unsigned height)
{
    unsigned column = NUMBER, row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned slice = blockIdx.z * blockDim.z + threadIdx.z;
    y[(slice * 4 + row) * 128 + column] = pixel<FORM>(x, column, row, slice, width, height);
}
__global__ void large_pixels(const unsigned char *bytes, unsigned *y, unsigned width)
{
    unsigned column = NUMBER, row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned i = 3 * (row * width + column);
    y[row * 256 + column] = bytes[i] + 7 * bytes[i + 2];
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
/* Steps of a third of 2^32 wrap around to small indices. The host's indices have no flags. */
template <int FORM> static void check_strides()
{
    enum { THREADS = 256 };
    const unsigned bounds[][3] = {{THREADS, 500, 1}, {100, 90, 1}, {64, 1, 0}, {THREADS, 0, 0}};
    for (const unsigned *bound : bounds) {
        for (unsigned i = 0; i < THREADS; i++) {
            expected[i] = counted<FORM>(in, i, bound[0], bound[1], bound[2]);
        }
        strides<FORM><<<2, THREADS / 2>>>(x, y, bound[0], bound[1], bound[2]);
        compare("strides");
    }
}
template <int FORM> static void check_pixels(unsigned width, unsigned height)
{
    for (unsigned i = 0; i < 128 * 4 * 2; i++) {
        expected[i] = pixel<FORM>(x, i % 128, i / 128 % 4, i / 512, width, height);
    }
    pixels<FORM><<<dim3(2, 1, 2), dim3(64, 4, 1)>>>(x, y, width, height);
    compare("pixels");
    pixels<FORM><<<dim3(1, 2, 1), dim3(128, 2, 2)>>>(x, y, width, height);
    for (unsigned i = 0; i < 128 * 4 * 2; i++) {
        expected[i] = pixel<FORM>(x, i % 128, i / 128 % 4, i / 512, width, height);
    }
    compare("pixels");
}
static void check_large_strides()
{
    const unsigned step = 0x55555556 - 100; /* 3 * step == 298 below zero */
    unsigned char *bytes;
    if (cudaMallocManaged(&bytes, (1ull << 32) + 4096) == cudaSuccess) { /* few of its pages are touched */
        for (unsigned i = 0; i < 1024; i++) {
            bytes[i] = (unsigned char)in[i];
            bytes[(1ull << 32) - 512 + i / 2] = (unsigned char)in[i + 7];
        }
        for (unsigned i = 0; i < 256; i++) {
            unsigned second = 3 * i - 298;
            expected[i] = (bytes[3 * i] + 7 * bytes[3 * i + 2]) * 5 + bytes[second] + 7 * bytes[second + 2];
        }
        large_strides<<<2, 128>>>(bytes, y, step, 0x80000000);
        compare("strides that wrap around");
        for (unsigned i = 0; i < 512; i++) {
            unsigned at = i < 256 ? 3 * i : 3 * (i - 256) - 298;
            expected[i] = bytes[at] + 7 * bytes[at + 2];
        }
        large_pixels<<<dim3(2, 2), 128>>>(bytes, y, step);
        compare("rows that wrap around");
        cudaFree(bytes);
    }
    for (unsigned i = 0; i < 256; i++) {
        for (unsigned k = 0; k < 3; k++) {
            unsigned at = 4 * i;
            expected[i] = expected[i] * 5 + in[at + 1] + 7 * in[at + 3];
        }
    }
    strides<1><<<2, 128>>>(x, y, 0x40000000, 0x30000000, 4);
    compare("strides that wrap around below a product");
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
    check_strides<0>();
    check_strides<1>();
    check_strides<2>();
    check_strides<3>();
    check_strides<4>();
    check_pixels<0>(128, 4);
    check_pixels<1>(70, 0);
    check_pixels<2>(100, 3);
    check_pixels<3>(300, 172);
    check_large_strides();
    check_large();
    puts(wrong == 0 ? "the same" : "different");
}
