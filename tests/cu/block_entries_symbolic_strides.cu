// cdpcc: --entry=block -O2
// Strides that are parameters: kernels have versions for launches in which these are 1. Launches with 1,
// with other distances, and with both; strides of several types, in structures, changed by the kernel;
// fields of an element at distances that are parameters; barriers; blocks of two dimensions; launches
// from a kernel.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 700, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK, MOST = 16 * N };
#define NUMBER (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct strides {
    long x;
    short y;
};

__host__ __device__ unsigned mix(unsigned a, unsigned b)
{
    return a * 31 + b * 17 + 5;
}
template <class Stride> __host__ __device__ void plain(const unsigned *x, unsigned *y, int i, Stride sx, Stride sy)
{
    y[i * sy] = mix(y[i * sy], x[i * sx]);
}
/* Three fields, sx apart. */
template <class Stride> __host__ __device__ void fields(const unsigned *x, unsigned *y, int i, Stride sx, Stride sy)
{
    const unsigned *p = x + 3 * i;
    unsigned *q = y + 3 * i;
    q[0] = mix(p[1 * sx], p[2 * sx]);
    q[1 * sy] = mix(p[2 * sx], p[0]);
    q[2 * sy] = mix(p[0], p[1 * sx]);
}
template <class Stride> __global__ void plain_kernel(const unsigned *x, unsigned *y, int n, Stride sx, Stride sy)
{
    int i = NUMBER;
    if (i < n) {
        plain(x, y, i, sx, sy);
    }
}
template <class Stride> __global__ void fields_kernel(const unsigned *x, unsigned *y, int n, Stride sx, Stride sy)
{
    for (int i = NUMBER; i < n; i += gridDim.x * blockDim.x) {
        fields(x, y, i, sx, sy);
    }
}
__global__ void in_structure(const unsigned *x, unsigned *y, int n, struct strides s)
{
    int i = NUMBER;
    if (i < n) {
        plain<long>(x, y, i, s.x, s.y);
    }
}
/* The kernel changes its parameter. */
__global__ void changed(const unsigned *x, unsigned *y, int n, int sx, int sy)
{
    int i = NUMBER;
    sx += i % 2;
    if (i < n) {
        plain(x, y, i, sx, sy);
        sy++;
        y[i * sy + 1] += sy;
    }
}
__global__ void with_barriers(const unsigned *x, unsigned *y, int n, int sx, int sy)
{
    __shared__ unsigned s[BLOCK];
    int i = NUMBER;
    s[threadIdx.x] = i < n ? x[i * sx] : 0;
    __syncthreads();
    if (i < n) {
        y[i * sy] = mix(s[threadIdx.x], s[(threadIdx.x + 1) % BLOCK]);
    }
}
__global__ void plane(const unsigned *x, unsigned *y, int n, int sx, int sy)
{
    int i = NUMBER, row = threadIdx.y;
    if (i < n) {
        y[row * 4 * n + i * sy] = mix(x[row * 4 * n + i * sx], row);
    }
}
__global__ void parent(const unsigned *x, unsigned *y, int n, int sx, int sy)
{
    if (threadIdx.x == 0) {
        plain_kernel<int><<<GRID, BLOCK>>>(x, y, n, sx, sy);
    }
}

static unsigned *x, *y, expected[MOST];
static int failures;

static void reset(void)
{
    for (int i = 0; i < MOST; i++) {
        x[i] = i * 2654435761u >> 7;
        y[i] = expected[i] = i;
    }
}
static void compare(const char *what, long sx, long sy)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess || memcmp(y, expected, sizeof expected) != 0) {
        printf("%s, strides %ld and %ld: %s\n", what, sx, sy, error == cudaSuccess ? "differs" : cudaGetErrorString(error));
        failures++;
    }
}
/* The threads of a launch store to different elements unless sy is 0. */
template <class Stride> static void run(Stride sx, Stride sy)
{
    const unsigned *from = x + MOST / 2;
    unsigned *to = y + MOST / 2;
    reset();
    plain_kernel<Stride><<<GRID, BLOCK>>>(from, to, N, sx, sy);
    for (int i = 0; i < N; i++) {
        plain<Stride>(from, expected + MOST / 2, i, sx, sy);
    }
    compare("plain", sx, sy);
    if (sx > 0 && sy > 0) {
        reset();
        fields_kernel<Stride><<<2, BLOCK>>>(x, y, N, sx, sy);
        for (int i = 0; i < N && sy % 3 != 0; i++) {
            fields<Stride>(x, expected, i, sx, sy);
        }
        if (sy % 3 != 0 && sy < 2) { /* else several threads store to one element */
            compare("fields", sx, sy);
        }
    }
    cudaDeviceSynchronize();
}
static void run_others(int sx, int sy)
{
    reset();
    in_structure<<<GRID, BLOCK>>>(x, y, N, (struct strides){sx, (short)sy});
    for (int i = 0; i < N; i++) {
        plain<long>(x, expected, i, sx, sy);
    }
    compare("structure", sx, sy);
    reset();
    parent<<<1, 32>>>(x, y, N, sx, sy);
    for (int i = 0; i < N; i++) {
        plain<long>(x, expected, i, sx, sy);
    }
    compare("child", sx, sy);
    reset();
    with_barriers<<<GRID, BLOCK>>>(x, y, N, sx, sy);
    for (int i = 0; i < N; i++) {
        int next = i % BLOCK == BLOCK - 1 ? i - BLOCK + 1 : i + 1;
        expected[i * sy] = mix(x[i * sx], next < N ? x[next * sx] : 0);
    }
    compare("barriers", sx, sy);
    reset();
    plane<<<N / 32 + 1, dim3(32, 4)>>>(x, y, N, sx, sy);
    for (int i = 0; i < 4 * N; i++) {
        expected[i / N * 4 * N + i % N * sy] = mix(x[i / N * 4 * N + i % N * sx], i / N);
    }
    compare("plane", sx, sy);
}
static void run_changed(int sx, int sy)
{
    reset();
    changed<<<1, 1024>>>(x, y + 1, 1, sx, sy); /* one thread has work */
    plain<int>(x, expected + 1, 0, sx, sy);
    expected[2] += sy + 1;
    compare("changed", sx, sy);
}

int main()
{
    cudaMallocManaged(&x, MOST * sizeof *x);
    cudaMallocManaged(&y, MOST * sizeof *y);
    for (int sx = -2; sx <= 3; sx++) {
        for (int sy = 1; sy <= 3; sy++) {
            run<int>(sx, sy);
            run<long>(sx, sy);
            run<short>(sx, sy);
            run<signed char>(sx, -sy);
            run<unsigned>(sx < 0 ? 4 : sx, sy);
            if (sx >= 0) {
                run_others(sx, sy);
                run_changed(sx, sy);
            }
        }
    }
    printf("%d failures\n", failures);
    return failures != 0;
}
