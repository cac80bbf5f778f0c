// Code that C++ does not define, that nvcc compiles literally, and on which programs rely: the
// optimizer must remove neither it nor the code after it.
// cdpcc: -w
// rules: S58
#include <climits>
#include <cstdio>
#include <cstring>

// The end of a function without its return.
__device__ __noinline__ int called(int x)
{
    if (x > 0) {
        return 3;
    }
}
__device__ inline int inlined(int x)
{
    switch (x) {
    case 1:
        return 5;
    case 2:
        return 6;
    }
}
__global__ void withoutReturn(int *out, int n)
{
    int i = threadIdx.x;
    out[i] = 1;
    int x = called(n + i), y = inlined(n + i);
    out[i] = x == 12345 && y == 54321 ? 2 : 3;
}

// cudaMemset fills arrays of bool with any byte.
__global__ void anyBool(const bool *set, int *out)
{
    int i = threadIdx.x, value = 1;
    if (set[i]) {
        value = 2;
    }
    out[i] = value + 10 * set[i] + 100 * !set[i] + (set[i] ? 1000 : 2000);
}

// The same words as int and as float: nvcc has no type-based alias analysis.
__global__ void asOtherType(int *words, float *sameWords, int *out)
{
    int i = threadIdx.x;
    words[i] = 1;
    sameWords[i] = 2.0f;
    out[i] = words[i];
}

// An unsigned difference that is negative, and a pointer that wraps around.
__global__ void wrapped(const int *p, size_t a, size_t b, const char *bytes, int n, int *out)
{
    int i = threadIdx.x;
    const int *q = p + (a - b) + i;
    out[i] = *q + 1000 * (q < p) + 2000 * (bytes + n < bytes);
}

// Variables that nobody set: they may have any value, but the rest of the kernel runs.
__global__ void neverSet(int *out, const int *in, int n)
{
    int i = threadIdx.x, x, sum;
    bool done;
    if (x) {
        out[i] = 1;
    } else {
        out[i] = 1;
    }
    switch (x) {
    case 1:
        out[i] += 2;
        break;
    default:
        out[i] += 2;
    }
    for (int k = 0; k < n; k++) {
        sum += in[k];
    }
    if (sum > 3) {
        out[i] += 4;
    } else {
        out[i] += 4;
    }
    for (int k = 0; k < n && !done; k++) {
        done = k == n - 1;
    }
    out[i] += 8;
}

// The least number has no absolute value, and 0 no first bit.
__global__ void leastAndNone(const int *in, int *out)
{
    int i = threadIdx.x;
    out[i] = (abs(in[i]) < 0) + 10 * __clz(in[i] - in[i]) + 1000 * __builtin_clz(in[i] - in[i]);
}

// A random number generator whose int overflows before it is converted to long.
__host__ __device__ int nextRandom(const int *seed, int factor, int term, long modulus)
{
    return (factor * *seed + term) % modulus;
}
__global__ void overflow(const int *in, int factor, int term, long modulus, int *out)
{
    int i = threadIdx.x;
    out[i] = nextRandom(&in[i], factor, term, modulus);
}

static void show(const char *name, const int *out, int stride)
{
    printf("%s: %s", name, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 64; i += stride) {
        printf(" %d", out[i]);
    }
    printf("\n");
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 512 * sizeof *in);
    cudaMallocManaged(&out, 64 * sizeof *out);
    withoutReturn<<<1, 64>>>(out, -5);
    show("withoutReturn", out, 8);

    memset(in, 0, 512 * sizeof *in);
    const unsigned char bytes[] = {0, 1, 2, 255, 128, 254};
    memcpy(in, bytes, sizeof bytes);
    anyBool<<<1, 64>>>((const bool *)in, out);
    show("anyBool", out, 1);

    asOtherType<<<1, 64>>>(in, (float *)in, out);
    show("asOtherType", out, 8);

    for (int i = 0; i < 512; i++) {
        in[i] = i;
    }
    wrapped<<<1, 64>>>(in + 256, 3, 10, (const char *)in, -5, out);
    show("wrapped", out, 7);

    neverSet<<<1, 64>>>(out, in, 5);
    show("neverSet", out, 8);

    in[3] = INT_MIN;
    leastAndNone<<<1, 64>>>(in, out);
    show("leastAndNone", out, 3);

    for (int i = 0; i < 64; i++) {
        in[i] = 1000000 + 77777 * i;
    }
    overflow<<<1, 64>>>(in, 1103515245, 12345, INT_MAX, out);
    show("overflow", out, 16);
    for (int i = 0; i < 64; i++) {
        out[i] = nextRandom(&in[i], 1103515245, 12345, INT_MAX);
    }
    show("overflow on the host", out, 16);
}
