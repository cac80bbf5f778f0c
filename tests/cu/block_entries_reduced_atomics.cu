// cdpcc: --entry=block -O2
// Atomic operations of many threads at one address: all that are reduced, of 32 and 64 bits, in global and
// in shared memory; with results and without; for all threads, some and none; an address for each row of a
// block; addresses that are not valid where no thread needs them.
#include <stdio.h>
#include <string.h>

enum { BLOCK = 192, GRID = 5, N = BLOCK * GRID, OPERATIONS = 6 };
typedef unsigned long long word;

template <class T> __device__ void operate(int operation, T *at, T value)
{
    switch (operation) {
    case 0: atomicAdd(at, value); break;
    case 1: atomicMax(at, value); break;
    case 2: atomicMin(at, value); break;
    case 3: atomicAnd(at, value); break;
    case 4: atomicOr(at, value); break;
    default: atomicXor(at, value); break;
    }
}
template <class T> static void combine(int operation, T *at, T value)
{
    T old = *at;
    switch (operation) {
    case 0: *at = old + value; break;
    case 1: *at = old > value ? old : value; break;
    case 2: *at = old < value ? old : value; break;
    case 3: *at = old & value; break;
    case 4: *at = old | value; break;
    default: *at = old ^ value; break;
    }
}
template <class T, int OPERATION> __global__ void all(T *at, const T *x)
{
    operate(OPERATION, at, x[blockIdx.x * blockDim.x + threadIdx.x]);
}
template <class T, int OPERATION> __global__ void some(T *at, const T *x, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] % 7 == (T)which) {
        operate(OPERATION, at, x[i]);
    }
}
template <class T, int OPERATION> __global__ void equal(T *at, const T *x, T value)
{
    operate(OPERATION, at, value);
}
template <class T, int OPERATION> __global__ void shared(T *at, const T *x, T start)
{
    __shared__ T s[2];
    if (threadIdx.x < 2) {
        s[threadIdx.x] = start;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    operate(OPERATION, &s[0], x[i]);
    if (x[i] % 3 != 0) {
        operate(OPERATION, &s[1], x[i]);
    }
    __syncthreads();
    if (threadIdx.x < 2) {
        at[2 * blockIdx.x + threadIdx.x] = s[threadIdx.x];
    }
}
template <class T, int OPERATION> __global__ void rows(T *at, const T *x)
{
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    operate(OPERATION, &at[threadIdx.y], x[i]);
}
/* Each thread has a place of its own. */
template <class T> __global__ void places(T *counter, const T *x, T *out, T by, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (which < 0 || x[i] % 5 == (T)which) {
        out[i] = atomicAdd(counter, by);
    }
}
__global__ void places_down(unsigned *counter, unsigned *out)
{
    out[threadIdx.x] = atomicSub(counter, 3u);
}
__global__ void never(unsigned *at, const unsigned *x, unsigned *out)
{
    if (x[threadIdx.x] == ~0u) {
        atomicMax(at, x[threadIdx.x]);
        out[threadIdx.x] = atomicAdd(at, 1u);
    }
}

static int failures;
static void expect(bool is_right, const char *what, int operation, int size)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (!is_right || error != cudaSuccess) {
        printf("%s, operation %d, %d bytes: %s\n", what, operation, size, error == cudaSuccess ? "differs" : cudaGetErrorString(error));
        failures++;
    }
}
template <class T, int OPERATION> static void run(T *at, T *x, T *out)
{
    const int size = sizeof(T);
    const T start = OPERATION == 3 ? (T)~0 : (T)100;
    T expected;
    *at = expected = start;
    all<T, OPERATION><<<GRID, BLOCK>>>(at, x);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        combine(OPERATION, &expected, x[i]);
    }
    expect(*at == expected, "all", OPERATION, size);
    for (int which = 0; which < 8; which++) {
        *at = expected = start;
        some<T, OPERATION><<<GRID, BLOCK>>>(at, x, which);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++) {
            if (x[i] % 7 == (T)which) {
                combine(OPERATION, &expected, x[i]);
            }
        }
        expect(*at == expected, "some", OPERATION, size);
    }
    *at = expected = start;
    equal<T, OPERATION><<<GRID, BLOCK>>>(at, x, (T)-13);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        combine(OPERATION, &expected, (T)-13);
    }
    expect(*at == expected, "equal", OPERATION, size);
    shared<T, OPERATION><<<GRID, BLOCK>>>(at, x, start);
    cudaDeviceSynchronize();
    for (int b = 0; b < GRID; b++) {
        T both[2] = {start, start};
        for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
            combine(OPERATION, &both[0], x[i]);
            if (x[i] % 3 != 0) {
                combine(OPERATION, &both[1], x[i]);
            }
        }
        expect(at[2 * b] == both[0] && at[2 * b + 1] == both[1], "shared", OPERATION, size);
    }
    T of_rows[6];
    for (int r = 0; r < 6; r++) {
        at[r] = of_rows[r] = start;
    }
    rows<T, OPERATION><<<1, dim3(32, 6)>>>(at, x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6 * 32; i++) {
        combine(OPERATION, &of_rows[i / 32], x[i]);
    }
    expect(memcmp(at, of_rows, sizeof of_rows) == 0, "rows", OPERATION, size);
}
template <class T> static void run_places(T *at, T *x, T *out)
{
    for (int which = -1; which < 5; which++) {
        T next = 7, seen = 0, sum = 0;
        *at = 7;
        memset(out, 0xff, N * sizeof *out);
        places<T><<<1, BLOCK>>>(at, x, out, (T)3, which);
        cudaDeviceSynchronize();
        bool is_right = true;
        for (int i = 0; i < BLOCK; i++) {
            bool has_place = which < 0 || x[i] % 5 == (T)which;
            is_right &= has_place || out[i] == (T)-1;
            seen += has_place;
            sum += has_place ? (out[i] - 7) / 3 : 0;
            is_right &= !has_place || (out[i] >= 7 && (out[i] - 7) % 3 == 0);
        }
        next += 3 * seen;
        expect(is_right && *at == next && sum == seen * (seen - 1) / 2, "places", which, sizeof(T));
    }
}
template <class T> static void run_all(void)
{
    T *at, *x, *out;
    cudaMallocManaged(&at, 64 * sizeof(word)); /* large enough for run_places() */
    cudaMallocManaged(&x, N * sizeof(word));
    cudaMallocManaged(&out, N * sizeof(word));
    memset(x, 0, N * sizeof(word));
    for (int i = 0; i < N; i++) {
        x[i] = (T)(i * 2654435761u % 100003) * (T)(i % 2 == 0 || (T)-1 > 0 ? 1 : -1) + (T)(sizeof(T) > 4 ? (T)i << 34 : 0);
    }
    run<T, 0>(at, x, out);
    run<T, 1>(at, x, out);
    run<T, 2>(at, x, out);
    run<T, 3>(at, x, out);
    run<T, 4>(at, x, out);
    run<T, 5>(at, x, out);
    run_places<unsigned>((unsigned *)at, (unsigned *)x, (unsigned *)out);
    run_places<word>((word *)at, (word *)x, (word *)out);
}

int main()
{
    run_all<int>();
    run_all<unsigned>();
    run_all<word>();
    unsigned *at, *out;
    cudaMallocManaged(&at, BLOCK * sizeof *at);
    cudaMallocManaged(&out, BLOCK * sizeof *out);
    at[0] = 10000;
    places_down<<<1, BLOCK>>>(at, out);
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < BLOCK; i++) {
        sum += out[i];
    }
    expect(at[0] == 10000 - 3 * BLOCK && sum == BLOCK * 10000 - 3 * BLOCK * (BLOCK - 1) / 2, "down", 0, 4);
    never<<<1, BLOCK>>>(NULL, at, out);
    expect(true, "never", 0, 4);
    printf("%d failures\n", failures);
    return failures != 0;
}
