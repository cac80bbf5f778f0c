// cdpcc: --entry=block -O2
// Structures of 3, 5, 6 and 7 bytes are passed to functions as integers of that size, and __int128
// does not fit in a lane: called functions get and return each thread's own value.
#include <stdio.h>

enum { N = 300, BLOCK = 128 };

template <class Element, int COUNT> struct Few {
    Element of[COUNT];
};

template <class S> __device__ __noinline__ S turn(S x, int times)
{
    for (int i = 0; i < times; i++) {
        auto first = x.of[0];
        x.of[0] = x.of[1];
        x.of[1] = x.of[2] + i;
        x.of[2] = first;
    }
    return x;
}
template <class S> __global__ void turns(S *out, const S *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        out[i] = turn(turn(in[i], i & 3), 1);
    }
}
template <class S> static int check()
{
    int wrong = 0;
    S *in, *out;
    cudaMallocManaged(&in, N * sizeof(S));
    cudaMallocManaged(&out, N * sizeof(S));
    for (size_t i = 0; i < N * sizeof(S); i++) {
        ((unsigned char *)in)[i] = (unsigned char)(i * 37 ^ i >> 3);
    }
    turns<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(out, in);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        S x = in[i];
        for (int j = 0, last = i & 3; j <= last; j++) {
            auto first = x.of[0];
            x.of[0] = x.of[1];
            x.of[1] = x.of[2] + (j < last ? j : 0);
            x.of[2] = first;
        }
        for (size_t j = 0; j < sizeof x.of / sizeof *x.of; j++) {
            wrong += out[i].of[j] != x.of[j];
        }
    }
    return wrong;
}

__host__ __device__ __noinline__ __int128 power(long long x, int n)
{
    unsigned __int128 result = x;
    for (int i = 0; i < n; i++) {
        result *= x + i;
    }
    return (__int128)result;
}
__global__ void powers(long long *out, const long long *in)
{
    out[threadIdx.x] = (long long)(power(in[threadIdx.x], threadIdx.x & 3) >> 40);
}
static int check_powers()
{
    int wrong = 0;
    long long *in, *out;
    cudaMallocManaged(&in, BLOCK * sizeof *in);
    cudaMallocManaged(&out, BLOCK * sizeof *out);
    for (int i = 0; i < BLOCK; i++) {
        in[i] = i * 77777777777ll;
    }
    powers<<<1, BLOCK>>>(out, in);
    cudaDeviceSynchronize();
    for (int i = 0; i < BLOCK; i++) {
        wrong += out[i] != (long long)(power(in[i], i & 3) >> 40);
    }
    return wrong;
}

/* Numbers of no machine's width. */
__host__ __device__ long long odd(long long a, long long b)
{
    _BitInt(40) x = (_BitInt(40))a, by = (_BitInt(40))b;
    unsigned _BitInt(56) y = (unsigned _BitInt(56))a, also = (unsigned _BitInt(56))b;
    return (long long)(x / by) + (long long)(y / also) * 3 + (long long)(y % also);
}
__global__ void odds(long long *out, const long long *in, long long by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        out[i] = odd(in[i], by) + odd(in[i], in[N - i]);
    }
}
static int check_odds()
{
    int wrong = 0;
    long long *in, *out;
    unsigned long long x = 88172645463325252u;
    cudaMallocManaged(&in, (N + 1) * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i <= N; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        in[i] = (long long)(x >> x % 60) | 1;
    }
    for (long long by = 1; by < 5000; by = by * 3 + 1) {
        odds<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(out, in, by);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++) {
            wrong += out[i] != odd(in[i], by) + odd(in[i], in[N - i]);
        }
    }
    return wrong;
}

int main()
{
    printf("3 bytes: %d wrong\n", check<Few<unsigned char, 3>>());
    printf("5 bytes: %d wrong\n", check<Few<unsigned char, 5>>());
    printf("6 bytes: %d wrong\n", check<Few<unsigned short, 3>>());
    printf("7 bytes: %d wrong\n", check<Few<unsigned char, 7>>());
    printf("__int128: %d wrong\n", check_powers());
    printf("_BitInt: %d wrong\n", check_odds());
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
