// cdpcc: -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 340 blocks ran by block entries, 0 had an unsupported shape
// stderr: cdp: 0 launches by device code
// Each thread reads a row of a matrix. Block entries read these rows in tiles, ahead of the loop's
// iterations: not beyond the end of a row, not past a store to it, not if an index wraps around.
#include "show.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
typedef long long wide;
#ifdef SMALL_NUMBERS
typedef unsigned char first_type;
typedef int second_type;
typedef short third_type;
typedef signed char fourth_type;
enum { ROWS = 200, MOST = 150, FORMS = 10 };
#else
typedef float first_type;
typedef int second_type;
typedef double third_type;
typedef wide fourth_type;
enum { ROWS = 200, MOST = 70, FORMS = 10 };
#endif

#define BOTH static __host__ __device__ __forceinline__

// Exact, with and without a fused multiply-add.
BOTH int mix(int sum, int value) { return (int)((unsigned)sum * 3 + value); }
BOTH wide mix(wide sum, wide value) { return (wide)((unsigned long long)sum * 3 + value); }
BOTH float mix(float sum, float value) { return sum / 2 + value; }
BOTH double mix(double sum, double value) { return sum / 2 + value; }

template <class T> BOTH T up(const T *a, const T *x, int r, int n)
{
    T sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[r * n + k] * x[k];
    }
    return sum;
}
template <class T> BOTH T with_unsigned(const T *a, unsigned r, unsigned n)
{
    T sum = 1;
    for (unsigned k = 0; k != n; k++) {
        sum = mix(sum, a[r * n + k]);
    }
    return sum;
}
template <class T> BOTH T of_pointers(const T *a, int r, int n)
{
    T sum = 1;
    const T *end = a + (size_t)r * n + n;
    for (const T *p = a + (size_t)r * n; p < end; p++) {
        sum = mix(sum, *p);
    }
    return sum;
}
template <class T> BOTH T with_end(const T *a, wide r, wide n)
{
    T sum = 1;
    for (wide k = 1; k <= n - 1; k++) {
        sum = mix(sum, a[r * n + k] - a[r * n + k - 1]);
    }
    return sum;
}
// Reads downwards are gathers.
template <class T> BOTH T down(const T *a, int r, int n)
{
    T sum = 1;
    for (int k = n - 1; k >= 0; k--) {
        sum = mix(sum, a[r * n + k]);
    }
    return sum;
}
// Counts downwards, but reads upwards.
template <class T> BOTH T counts_down(const T *a, int r, int n)
{
    T sum = 1;
    for (int left = n; left > 0; left--) {
        sum = mix(sum, a[r * n + (n - left)]);
    }
    return sum;
}
template <class T> BOTH T nested(const T *a, int r, int n)
{
    T sum = 1;
    for (int again = 0; again < 3; again++) {
        for (int k = again; k < n; k++) {
            sum = mix(sum, a[r * n + k]);
        }
    }
    return sum;
}
template <class T> BOTH T leaves_early(const T *a, int r, int n, int last)
{
    T sum = 1;
    for (int k = 0; k < n; k++) {
        sum = mix(sum, a[r * n + k]);
        if (k == last) {
            break;
        }
    }
    return sum;
}
template <class T> BOTH void all_forms(const T *a, const T *x, T *out, int r, int n)
{
    out[0] = up(a, x, r, n);
    out[1] = with_unsigned(a, r, n);
    out[2] = of_pointers(a, r, n);
    out[3] = with_end(a, r, n);
    out[4] = down(a, r, n);
    out[5] = counts_down(a, r, n);
    out[6] = nested(a, r, n);
    out[7] = leaves_early(a, r, n, n / 2);
}
template <class T> static __global__ void forms(const T *a, const T *x, T *out, int n, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        all_forms(a, x, out + FORMS * r, r, n);
    }
}
// The sum is in memory: in the row itself, so a store changes what later iterations read.
template <class T> BOTH void sum_in_memory(T *a, T *sum, int r, int n)
{
    for (int k = 0; k < n; k++) {
        *sum = mix(*sum, a[r * n + k]);
    }
}
template <class T> static __global__ void into_the_row(T *a, int n, int rows, int at)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        sum_in_memory(a, a + r * n + at, r, n);
    }
}
// The index wraps around in some lanes, so that the next element is far away.
template <class Index> BOTH int wrapping(const int *a, int first, int n)
{
    int sum = 1;
    for (int k = 0; k < n; k++) {
        sum = mix(sum, a[(Index)(first + k)]);
    }
    return sum;
}
template <class Index> static __global__ void wraps(const int *a, int *out, int first, int n)
{
    out[threadIdx.x] = wrapping<Index>(a, first + 100 * threadIdx.x, n);
}

// Memory that ends where the next page cannot be read.
static char *before_a_hole(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
    char *at = (char *)mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(at + whole, page, PROT_NONE);
    cudaHostRegister(at, whole, cudaHostRegisterDefault);
    return at + whole - bytes;
}

template <class T> static int check_forms(int n, int rows, int threads)
{
    T *a = (T *)before_a_hole((size_t)rows * n * sizeof *a), *x, *out, expected[FORMS];
    int wrong = 0;
    cudaMallocManaged(&x, (n + 1) * sizeof *x);
    cudaMallocManaged(&out, (size_t)rows * FORMS * sizeof *out);
    for (int i = 0; i < rows * n; i++) {
        a[i] = (T)(i * 2654435761u >> 28);
    }
    for (int i = 0; i < n; i++) {
        x[i] = (T)(i % 5);
    }
    forms<T><<<(rows + threads - 1) / threads, threads>>>(a, x, out, n, rows);
    cudaDeviceSynchronize();
    for (int r = 0; r < rows; r++) {
        all_forms(a, x, expected, r, n);
        for (int i = 0; i < 8; i++) {
            wrong += memcmp(&out[FORMS * r + i], &expected[i], sizeof(T)) != 0;
        }
    }
    cudaFree(x);
    cudaFree(out);
    return wrong;
}
template <class T> static int check_stores(int n, int rows, int at)
{
    T *a, *same = (T *)malloc((size_t)rows * n * sizeof *same);
    cudaMallocManaged(&a, (size_t)rows * n * sizeof *a);
    for (int i = 0; i < rows * n; i++) {
        a[i] = same[i] = (T)(i * 2654435761u >> 28);
    }
    into_the_row<T><<<(rows + 127) / 128, 128>>>(a, n, rows, at);
    cudaDeviceSynchronize();
    for (int r = 0; r < rows; r++) {
        sum_in_memory(same, same + r * n + at, r, n);
    }
    int wrong = memcmp(a, same, (size_t)rows * n * sizeof *a) != 0;
    cudaFree(a);
    free(same);
    return wrong;
}
template <class Index> static int check_wraps(int first)
{
    enum { COUNT = 1 << 17, THREADS = 64, N = 45 };
    int *a, *out, wrong = 0;
    cudaMallocManaged(&a, COUNT * sizeof *a);
    cudaMallocManaged(&out, THREADS * sizeof *out);
    for (int i = 0; i < COUNT; i++) {
        a[i] = i * 7 % 31;
    }
    a += COUNT / 2;
    wraps<Index><<<1, THREADS>>>(a, out, first, N);
    cudaDeviceSynchronize();
    for (int t = 0; t < THREADS; t++) {
        wrong += wrapping<Index>(a, first + 100 * t, N) != out[t];
    }
    return wrong;
}

int main()
{
    int wrong = 0;
    for (int n = 0; n < MOST; n += n < 20 ? 1 : 7) {
        wrong += check_forms<first_type>(n, ROWS, 128) + check_forms<second_type>(n, ROWS, 96);
        wrong += check_forms<third_type>(n, ROWS, 64) + check_forms<fourth_type>(n, ROWS, 256);
    }
    printf("%d wrong\n", wrong);
    for (int at = wrong = 0; at < 40; at += 3) {
        wrong += check_stores<first_type>(MOST, ROWS, at) + check_stores<third_type>(40, ROWS, at);
    }
    printf("%d wrong with stores\n", wrong);
    wrong = check_wraps<unsigned short>(65000) + check_wraps<short>(32000);
    wrong += check_wraps<unsigned char>(0) + check_wraps<int>(-40);
    printf("%d wrong of indices\n", wrong);
}
