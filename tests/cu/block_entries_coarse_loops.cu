// cdpcc: --entry=block -O2
// Threads that handle 2 to 32 neighbouring elements each, in loops of a constant number of iterations: by
// indices and by pointers, in grid-stride loops, through local arrays, in reverse; elements of 1 to 8
// bytes; the last thread's elements are at the end of the allocation.
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, GRID = 3, THREADS = BLOCK * GRID, MOST = 32 * THREADS };
#define NUMBER (blockIdx.x * blockDim.x + threadIdx.x)

template <class T> __host__ __device__ T changed(T x, int k)
{
    return (T)(x * 3 + k);
}
template <class I, class T, int K> __global__ void plain(const T *in, T *out, int n)
{
    I i = NUMBER;
    for (int k = 0; k < K; k++) {
        out[i * K + k] = changed(in[i * K + k], k);
    }
}
template <class I, class T, int K> __global__ void strided(const T *in, T *out, int n)
{
    for (I i = NUMBER * K; i < n; i += gridDim.x * blockDim.x * K) {
        for (int k = 0; k < K; k++) {
            out[i + k] = changed(in[i + k], k);
        }
    }
}
template <class I, class T, int K> __global__ void pointers(const T *in, T *out, int n)
{
    I i = NUMBER;
    const T *from = in + i * K;
    T *to = out + i * K;
    for (int k = 0; k < K; k++) {
        *to++ = changed(*from++, k);
    }
}
template <class I, class T, int K> __global__ void local(const T *in, T *out, int n)
{
    I i = NUMBER;
    T v[K];
    for (int k = 0; k < K; k++) {
        v[k] = in[i * K + k];
    }
    for (int k = 0; k < K; k++) {
        out[i * K + k] = changed(v[k], k);
    }
}
template <class I, class T, int K> __global__ void some(const T *in, T *out, int n)
{
    I i = NUMBER;
    if (in[i * K] % 3 != 0) {
        for (int k = 0; k < K; k++) {
            out[i * K + k] = changed(in[i * K + k], k);
        }
    }
}
template <class I, class T, int K> __global__ void reversed(const T *in, T *out, int n)
{
    I i = n / K - 1 - (I)NUMBER;
    for (int k = 0; k < K; k++) {
        out[i * K + k] = changed(in[i * K + k], k);
    }
}
/* The loop may change what it reads in a later iteration. */
template <class I, class T, int K> __global__ void in_place(const T *in, T *out, int n)
{
    I i = NUMBER;
    for (int k = 1; k < K; k++) {
        out[i * K + k] = changed(out[i * K + k - 1], k);
    }
}

static int failures;
static unsigned char *memory[2];

template <class T, int K> static void run(const char *name, void (*kernel)(const T *, T *, int), int form, int grid)
{
    static T expected[MOST];
    enum { SIZE = MOST * 8, N = K * THREADS };
    T *in = (T *)(memory[0] + SIZE) - N, *out = (T *)(memory[1] + SIZE) - N;
    for (int i = 0; i < N; i++) {
        in[i] = (T)(i * 7 + 1);
        out[i] = expected[i] = (T)(i % 5);
    }
    kernel<<<grid, BLOCK>>>(in, out, N);
    for (int i = 0; i < N; i++) {
        if (form == 2 ? i % K != 0 : form == 0 || in[i / K * K] % 3 != 0) {
            expected[i] = changed(form == 2 ? expected[i - 1] : in[i], i % K);
        }
    }
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess || memcmp(out, expected, N * sizeof(T)) != 0) {
        printf("%s, %d elements of %d bytes: %s\n", name, K, (int)sizeof(T), error == cudaSuccess ? "differs" : cudaGetErrorString(error));
        failures++;
    }
}
template <class I, class T, int K> static void run_forms(void)
{
    run<T, K>("plain", plain<I, T, K>, 0, GRID);
    run<T, K>("strided", strided<I, T, K>, 0, 1);
    run<T, K>("pointers", pointers<I, T, K>, 0, GRID);
    run<T, K>("local", local<I, T, K>, 0, GRID);
    run<T, K>("some", some<I, T, K>, 1, GRID);
    run<T, K>("reversed", reversed<I, T, K>, 0, GRID);
    run<T, K>("in place", in_place<I, T, K>, 2, GRID);
}
template <class I, class T> static void run_counts(void)
{
    run_forms<I, T, 2>();
    run_forms<I, T, 3>();
    run_forms<I, T, 4>();
    run_forms<I, T, 8>();
    run_forms<I, T, 12>();
    run_forms<I, T, 16>();
    run_forms<I, T, 32>();
}

int main()
{
    cudaMalloc(&memory[0], MOST * 8);
    cudaMalloc(&memory[1], MOST * 8);
    run_counts<int, unsigned char>();
    run_counts<unsigned, short>();
    run_counts<size_t, int>();
    run_forms<int, int, 8>();
    run_forms<unsigned, long, 4>();
    run_forms<unsigned, long, 16>();
    printf("%d failures\n", failures);
    return failures != 0;
}
