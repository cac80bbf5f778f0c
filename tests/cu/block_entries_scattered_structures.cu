// cdpcc: --entry=block -O2
// Structures at addresses of any order: their fields are read, written and copied one by one and whole, by
// threads that are all active and under masks; several threads write one structure; fields are left out;
// a structure ends where its allocation does.
#include <stdio.h>
#include <string.h>

enum { N = 600, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK };
#define NUMBER (int)(blockIdx.x * blockDim.x + threadIdx.x)

template <class T, int COUNT> struct fields {
    T f[COUNT];
};
typedef fields<int, 3> int3s;
typedef fields<int, 4> int4s;
typedef fields<int, 5> int5s;
typedef fields<int, 8> int8s;
typedef fields<int, 20> int20s;
typedef fields<long, 2> long2s;
typedef fields<long, 3> long3s;
typedef fields<long, 4> long4s;
typedef fields<short, 8> short8s;

template <class S> struct count_of;
template <class T, int COUNT> struct count_of<fields<T, COUNT>> {
    enum { value = COUNT };
};

template <class S> __host__ __device__ long sum(const S &s, int step)
{
    long result = 0;
    for (int k = 0; k < count_of<S>::value; k += step) {
        result = result * 3 + s.f[k];
    }
    return result;
}
template <class S> __host__ __device__ void set(S &s, int i, int step)
{
    for (int k = 0; k < count_of<S>::value; k += step) {
        s.f[k] = i * 7 + k;
    }
}
template <class S, int STEP> __global__ void read(const S *x, const int *at, long *y, int n)
{
    int i = NUMBER;
    if (i < n) {
        y[i] = sum(x[at[i]], STEP);
    }
}
template <class S, int STEP> __global__ void write(S *x, const int *at, int n)
{
    int i = NUMBER;
    if (i < n) {
        set(x[at[i]], i, STEP);
    }
}
template <class S> __global__ void copy(const S *x, const int *at, S *y, int n, int how)
{
    int i = NUMBER;
    if (i >= n) {
        return;
    }
    switch (how) {
    case 0: y[i] = x[at[i]]; break;
    case 1: y[at[i]] = x[i]; break;
    case 2: y[i] = x[n - 1 - i]; break;
    case 3: y[i] = x[i >> 1]; break;
    case 4: y[at[i]] = x[0]; break;
    case 5: y[at[i]] = x[at[n - 1 - i]]; break;
    default: y[2 * i] = x[at[i]]; break;
    }
}
/* Under a mask, and fields that are exchanged between two structures. */
template <class S> __global__ void exchange(S *x, const int *at, int n)
{
    int i = NUMBER;
    if (i < n / 2 && at[2 * i] % 3 != 0) {
        S &a = x[at[2 * i]], &b = x[at[2 * i + 1]];
        for (int k = 0; k < count_of<S>::value; k++) {
            auto kept = a.f[k];
            a.f[k] = b.f[k] + 1;
            b.f[k] = kept + 2;
        }
    }
}
template <class S> __host__ void exchange_on_host(S *x, const int *at, int i)
{
    if (at[2 * i] % 3 != 0) {
        S a = x[at[2 * i]], b = x[at[2 * i + 1]];
        for (int k = 0; k < count_of<S>::value; k++) {
            x[at[2 * i]].f[k] = b.f[k] + 1;
            x[at[2 * i + 1]].f[k] = a.f[k] + 2;
        }
    }
}

static int failures;
static int *at;

static void compare(const char *what, int size, const void *got, const void *expected, size_t bytes)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess || memcmp(got, expected, bytes) != 0) {
        printf("%s, %d bytes: %s\n", what, size, error == cudaSuccess ? "differs" : cudaGetErrorString(error));
        failures++;
    }
}
template <class S> static void fill(S *x)
{
    for (int i = 0; i < 2 * N; i++) {
        set(x[i], 5 * i + 1, 1);
    }
}
/* x has its last structure at the end of its memory. */
template <class S> static void run(void)
{
    enum { MEMORY = 2 << 20, SIZE = sizeof(S) };
    char *memory;
    S *y, *expected;
    long *sums, *wanted;
    cudaMalloc(&memory, MEMORY);
    cudaMallocManaged(&y, 2 * N * sizeof(S));
    cudaMallocManaged(&expected, 2 * N * sizeof(S));
    cudaMallocManaged(&sums, N * sizeof(long));
    cudaMallocManaged(&wanted, N * sizeof(long));
    S *x = (S *)(memory + MEMORY) - 2 * N;
    fill(x);
    int last = at[0];
    at[0] = 2 * N - 1;
    read<S, 1><<<GRID, BLOCK>>>(x, at, sums, N);
    for (int i = 0; i < N; i++) {
        wanted[i] = sum(x[at[i]], 1);
    }
    compare("read", SIZE, sums, wanted, N * sizeof(long));
    read<S, 2><<<GRID, BLOCK>>>(x, at, sums, N);
    for (int i = 0; i < N; i++) {
        wanted[i] = sum(x[at[i]], 2);
    }
    compare("read some", SIZE, sums, wanted, N * sizeof(long));
    at[0] = last;
    for (int step = 1; step <= 2; step++) {
        fill(y);
        fill(expected);
        step == 1 ? write<S, 1><<<GRID, BLOCK>>>(y, at, N) : write<S, 2><<<GRID, BLOCK>>>(y, at, N);
        for (int i = 0; i < N; i++) {
            set(expected[at[i]], i, step);
        }
        compare("write", SIZE, y, expected, 2 * N * sizeof(S));
    }
    for (int how = 0; how < 7; how++) {
        fill(y);
        fill(expected);
        copy<S><<<GRID, BLOCK>>>(x, at, y, N, how);
        for (int i = 0; i < N; i++) {
            int to = how == 1 || how == 4 || how == 5 ? at[i] : how == 6 ? 2 * i : i;
            int from = how == 0 || how == 6 ? at[i] : how == 1 ? i : how == 2 ? N - 1 - i : how == 3 ? i >> 1 : how == 4 ? 0 : at[N - 1 - i];
            expected[to] = x[from];
        }
        compare("copy", SIZE, y, expected, 2 * N * sizeof(S));
    }
    fill(y);
    fill(expected);
    exchange<S><<<GRID, BLOCK>>>(y, at, N);
    for (int i = 0; i < N / 2; i++) {
        exchange_on_host(expected, at, i);
    }
    compare("exchange", SIZE, y, expected, 2 * N * sizeof(S));
    cudaFree(memory);
    cudaFree(y);
    cudaFree(expected);
    cudaFree(sums);
    cudaFree(wanted);
}
/* The highest lane's structure stays if a vector's lanes store to one place, as by lanes in order. */
template <class S> __global__ void one_place(S *x, const int *zero, int n)
{
    int i = NUMBER;
    if (i < n) {
        set(x[zero[i]], i, 1);
    }
}
template <class S> static void run_one_place(void)
{
    S *x;
    int *zero;
    cudaMallocManaged(&x, sizeof *x);
    cudaMallocManaged(&zero, BLOCK * sizeof *zero);
    memset(zero, 0, BLOCK * sizeof *zero);
    one_place<S><<<1, BLOCK>>>(x, zero, BLOCK);
    cudaDeviceSynchronize();
    long i = (x->f[0] - 0) / 7;
    for (int k = 0; k < count_of<S>::value; k++) {
        if (x->f[k] != i * 7 + k || i < 0 || i >= BLOCK) {
            printf("one place, %d bytes: fields of several threads\n", (int)sizeof(S));
            failures++;
            break;
        }
    }
    cudaFree(x);
    cudaFree(zero);
}

int main()
{
    cudaMallocManaged(&at, N * sizeof *at);
    for (int i = 0; i < N; i++) {
        at[i] = (i * 391 + 17) % N; /* each number once */
    }
    run<int3s>();
    run<int4s>();
    run<int5s>();
    run<int8s>();
    run<int20s>();
    run<long2s>();
    run<long3s>();
    run<long4s>();
    run<short8s>();
    run_one_place<int4s>();
    run_one_place<long2s>();
    printf("%d failures\n", failures);
    return failures != 0;
}
