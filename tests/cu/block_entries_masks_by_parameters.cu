// cdpcc: --entry=block -O2
// Indices whose bits are masked by numbers of the launch: butterflies of transforms, for distances that are
// powers of two, above and below the lanes, and for others; signed and unsigned, 32 and 64 bits; blocks
// that do not start at a multiple of the lanes; under conditions.
#include <stdio.h>
#include <string.h>

enum { N = 512, BLOCK = 128, MOST = 4 * N };

template <class Index> __host__ __device__ Index place(int form, Index i, Index n)
{
    switch (form) {
    case 0: return i & (n - 1);
    case 1: return i & -n;
    case 2: return 2 * i - (i & (n - 1));
    case 3: return ((i & ~(n - 1)) << 1) + (i & (n - 1));
    case 4: return (n - 1) & (i + 3); /* no multiple of the lanes */
    default: return ((i & -n) >> 1) | (i & (n - 1));
    }
}
template <class Index, int FORM> __global__ void read(const unsigned *x, unsigned *y, Index n, int more)
{
    Index i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[place<Index>(FORM, i + more, n)];
}
template <class Index, int FORM> __global__ void read_some(const unsigned *x, unsigned *y, Index n, int more)
{
    Index i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] & 1) {
        y[i] = x[place<Index>(FORM, i + more, n)];
    }
}
template <class Index> __global__ void butterfly(unsigned *x, Index n)
{
    Index i = blockIdx.x * blockDim.x + threadIdx.x, j = place<Index>(2, i, n);
    unsigned a = x[j], b = x[j + n];
    x[j] = a + b;
    x[j + n] = a - b;
}

static unsigned *x, *y, expected[MOST];
static int failures;

static void compare(const char *what, int form, long n, const unsigned *got)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess || memcmp(got, expected, sizeof expected) != 0) {
        printf("%s %d, distance %ld: %s\n", what, form, n, error == cudaSuccess ? "differs" : cudaGetErrorString(error));
        failures++;
    }
}
static void reset(void)
{
    for (int i = 0; i < MOST; i++) {
        x[i] = i * 2654435761u >> 9;
        y[i] = 0;
    }
}
template <class Index, int FORM> static void run(Index n, int more)
{
    for (int some = 0; some < 2; some++) {
        reset();
        memset(expected, 0, sizeof expected);
        if (some) {
            read_some<Index, FORM><<<N / BLOCK, BLOCK>>>(x, y, n, more);
        } else {
            read<Index, FORM><<<N / BLOCK, BLOCK>>>(x, y, n, more);
        }
        for (int i = 0; i < N; i++) {
            if (!some || (x[i] & 1)) {
                expected[i] = x[place<Index>(FORM, i + more, n)];
            }
        }
        compare(some ? "some" : "all", FORM, (long)n, y);
    }
}
template <class Index> static void run_all(void)
{
    for (long n = 1; n <= N; n = n < 8 ? n + 1 : 2 * n) {
        for (int more = 0; more < 3; more++) {
            run<Index, 0>(n, more);
            run<Index, 1>(n, more);
            run<Index, 2>(n, more);
            run<Index, 3>(n, more);
            run<Index, 4>(n, more);
            run<Index, 5>(n, more);
        }
        if ((n & (n - 1)) == 0) {
            reset();
            memcpy(expected, x, sizeof expected);
            for (int i = 0; i < N; i++) {
                Index j = place<Index>(2, i, n);
                unsigned a = expected[j], b = expected[j + n];
                expected[j] = a + b;
                expected[j + n] = a - b;
            }
            butterfly<Index><<<N / BLOCK, BLOCK>>>(x, n);
            compare("butterfly", 0, n, x);
        }
    }
}

int main()
{
    cudaMallocManaged(&x, MOST * sizeof *x);
    cudaMallocManaged(&y, MOST * sizeof *y);
    run_all<int>();
    run_all<unsigned>();
    run_all<long>();
    run_all<unsigned long>();
    printf("%d failures\n", failures);
    return failures != 0;
}
