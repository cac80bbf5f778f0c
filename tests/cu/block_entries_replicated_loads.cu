// cdpcc: --entry=block -O2
// Loads of which 2, 4 or 8 neighbouring threads read one element: shifts and divisions, signed and
// unsigned, with sums before and after them, below zero, under masks, at the end of an allocation.
#include <stdio.h>
#include <string.h>

enum { N = 1000, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK, W = 96, H = 20 };
#define NUMBER (int)(blockIdx.x * blockDim.x + threadIdx.x)

template <class T> __host__ __device__ T value(int i)
{
    return (T)(i * 37 + 11);
}
/* The index of element i in each of the forms. */
__host__ __device__ inline int place(int form, int i, int k)
{
    switch (form) {
    case 0: return i >> 1;
    case 1: return i / 4 + k;
    case 2: return (int)((unsigned)i >> 3) + 3;
    case 3: return (i + k) / 2;               /* k is no multiple of the lanes */
    case 4: return (i - 64) / 2 + 64;         /* towards zero, from below zero on */
    case 5: return ((i - 64) >> 1) + 64;      /* downwards */
    case 6: return (int)((unsigned)i / 2u) * 2; /* every second element */
    case 7: return (int)(((long)i + 16) >> 2);
    default: return i >> 5;
    }
}
template <class T, int FORM> __global__ void read(const T *x, T *y, int n, int k)
{
    int i = NUMBER;
    if (i < n) {
        y[i] = x[place(FORM, i, k)];
    }
}
/* Only some threads read: never the first or the last one of an element. */
template <class T, int FORM> __global__ void read_some(const T *x, T *y, int n, int k)
{
    int i = NUMBER;
    if (i < n && i % 3 == 1) {
        y[i] = x[place(FORM, i, k)];
    }
}
template <class T> __global__ void enlarge(const T *x, T *y, int w, int h)
{
    int column = NUMBER, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < w && row < h) {
        y[row * w + column] = x[row / 2 * (w / 2) + column / 2];
    }
}
template <class T> __global__ void in_loop(const T *x, T *y, int n)
{
    int i = NUMBER;
    T sum = 0;
    for (int k = 0; i < n && k < 5; k++) {
        sum += x[(i >> 1) + k];
    }
    if (i < n) {
        y[i] = sum;
    }
}

static int failures;
template <class T> static void compare(const char *what, int form, const T *y, const T *expected, int n)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess || memcmp(y, expected, n * sizeof *y) != 0) {
        printf("%s %d, %d bytes: %s\n", what, form, (int)sizeof *y, error == cudaSuccess ? "differs" : cudaGetErrorString(error));
        failures++;
    }
}
template <class T, int FORM> static void run(const T *x, T *y, T *expected)
{
    for (int k = 0; k < 3; k++) {
        memset(y, 0, N * sizeof *y);
        memset(expected, 0, N * sizeof *y);
        read<T, FORM><<<GRID, BLOCK>>>(x, y, N, k);
        for (int i = 0; i < N; i++) {
            expected[i] = x[place(FORM, i, k)];
        }
        compare("form", FORM, y, expected, N);
        memset(y, 0, N * sizeof *y);
        memset(expected, 0, N * sizeof *y);
        read_some<T, FORM><<<GRID, BLOCK>>>(x, y, N, k);
        for (int i = 1; i < N; i += 3) {
            expected[i] = x[place(FORM, i, k)];
        }
        compare("some of form", FORM, y, expected, N);
    }
}
/* The last element is at the end of an allocation. */
template <class T> static void run_at_end(T *y, T *expected)
{
    T *all;
    size_t count = 2 * 1024 * 1024 / sizeof(T);
    cudaMalloc(&all, count * sizeof(T));
    T *x = all + count - N / 2;
    for (int i = 0; i < N / 2; i++) {
        x[i] = value<T>(i);
    }
    read<T, 0><<<GRID, BLOCK>>>(x, y, N, 0);
    for (int i = 0; i < N; i++) {
        expected[i] = x[i >> 1];
    }
    compare("end", 0, y, expected, N);
    cudaFree(all);
}
template <class T> static void run_all(void)
{
    T *x, *y, *expected;
    cudaMallocManaged(&x, 2 * N * sizeof *x);
    cudaMallocManaged(&y, 2 * N * sizeof *x);
    cudaMallocManaged(&expected, 2 * N * sizeof *x);
    for (int i = 0; i < 2 * N; i++) {
        x[i] = value<T>(i);
    }
    run<T, 0>(x, y, expected);
    run<T, 1>(x, y, expected);
    run<T, 2>(x, y, expected);
    run<T, 3>(x, y, expected);
    run<T, 4>(x, y, expected);
    run<T, 5>(x, y, expected);
    run<T, 6>(x, y, expected);
    run<T, 7>(x, y, expected);
    run<T, 8>(x, y, expected);
    enlarge<T><<<dim3(W / 32, H / 4), dim3(32, 4)>>>(x, y, W, H);
    for (int i = 0; i < W * H; i++) {
        expected[i] = x[i / W / 2 * (W / 2) + i % W / 2];
    }
    compare("enlarge", 0, y, expected, W * H);
    in_loop<T><<<GRID, BLOCK>>>(x, y, N);
    for (int i = 0; i < N; i++) {
        expected[i] = 0;
        for (int k = 0; k < 5; k++) {
            expected[i] += x[(i >> 1) + k];
        }
    }
    compare("loop", 0, y, expected, N);
    run_at_end<T>(y, expected);
    cudaFree(x);
    cudaFree(y);
    cudaFree(expected);
}

int main()
{
    run_all<float>();
    run_all<double>();
    run_all<unsigned char>();
    run_all<short>();
    run_all<long>();
    printf("%d failures\n", failures);
    return failures != 0;
}
