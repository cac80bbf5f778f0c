// Constants converted to integers that cannot represent them: the values must be those of a
// conversion at run time, which the same kernel computes from memory. C++ does not define them.
// cdpcc: -w
// rules: S58
#include <cmath>
#include <cstdio>

template <class To, class From> __device__ To convert(From value)
{
    return (To)value;
}
template <class To> __device__ To largest()
{
    return (To)1e10;
}
template <int times> __device__ int scaled()
{
    return (int)(3e9f * times);
}
struct Limits {
    int best = 1e10;
    unsigned lowest = -1.5f;
    static const int worst = 7;
};

// x[]: the constants, from memory. out: pairs of a converted constant and a computed value.
__global__ void convertConstants(const double *x, long long *out)
{
    int i = threadIdx.x;
    long long *row = out + i * 64;
    int n = 0;
    int best = 1e10;
    const int second = 3e9f;
    static const int third = (int)-1e20f;
    int several[2] = {(int)1e20, (int)NAN};
    Limits limits;
#define PAIR(constant, computed)                                                                   \
    row[n++] = (constant);                                                                         \
    row[n++] = (computed)
    PAIR(best, (int)x[0]);
    PAIR(second, (int)(float)x[1]);
    PAIR(third, (int)(float)x[2]);
    PAIR(several[0], (int)x[3]);
    PAIR(several[1], (int)(float)x[4]);
    PAIR(limits.best, (int)x[0]);
    PAIR(limits.lowest, (unsigned)(float)x[5]);
    PAIR((int)INFINITY, (int)x[6]);
    PAIR((int)-INFINITY, (int)-x[6]);
    PAIR((unsigned)1e10, (unsigned)x[0]);
    PAIR((long long)1e30, (long long)x[7]);
    PAIR((long long)NAN, (long long)(float)x[4]);
    PAIR((long long)(unsigned long long)-1.0f, (long long)(unsigned long long)-x[8]);
    PAIR((unsigned char)300.0f, (unsigned char)(float)x[9]);
    PAIR((short)1e9, (short)x[10]);
    PAIR((signed char)200.0f, (signed char)(float)x[11]);
    PAIR((unsigned short)-1.0, (unsigned short)-x[8]);
    PAIR((bool)1e30f, (bool)x[7]);
    PAIR((convert<int, float>(1e20f)), (convert<int, float>((float)x[3])));
    PAIR(largest<int>(), (int)x[0]);
    PAIR(largest<unsigned short>(), (unsigned short)x[0]);
    PAIR(scaled<2>(), (int)((float)x[1] * 2));
    int grown = 5, moved = 5;
    grown *= 1e20f;
    moved *= (float)x[3];
    PAIR(grown, moved);
    PAIR((int)(float)0x8b4f2fc1u, (int)(float)(unsigned)x[12]);
    row[n] = -77;
}

// The usual use: more than any distance.
__global__ void nearest(const int *distances, int count, int *out)
{
    int best = 1e10, worst = -INFINITY;
    for (int i = 0; i < count; i++) {
        best = min(best, distances[i]);
        if (distances[i] > worst) {
            worst = distances[i];
        }
    }
    out[threadIdx.x] = best;
    out[threadIdx.x + 64] = worst;
}
// A bound that is never reached.
__global__ void bounded(int *out, int n)
{
    int limit = (int)1e10, sum = 0;
    for (int k = 0; k < n && k < limit; k++) {
        sum += k;
    }
    out[threadIdx.x] = sum;
}

int main()
{
    double *x;
    long long *out;
    int *numbers;
    cudaMallocManaged(&x, 13 * sizeof *x);
    cudaMallocManaged(&out, 64 * 64 * sizeof *out);
    cudaMallocManaged(&numbers, 256 * sizeof *numbers);
    const double constants[] = {1e10, 3e9, -1e20, 1e20, NAN, -1.5, INFINITY,
                                1e30, 1.0, 300.0, 1e9, 200.0, 0x8b4f2fc1u};
    for (int i = 0; i < 13; i++) {
        x[i] = constants[i];
    }
    convertConstants<<<1, 64>>>(x, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int n = 0; out[n] != -77; n += 2) {
        int same = 0;
        for (int i = 0; i < 64; i++) {
            same += out[i * 64 + n] == out[i * 64 + n + 1] && out[i * 64 + n] == out[n];
        }
        printf("%lld in %d of 64\n", out[n], same);
    }
    for (int i = 0; i < 100; i++) {
        numbers[i] = 1000 + i * 7 % 100;
    }
    nearest<<<1, 64>>>(numbers, 100, numbers + 128);
    printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(" nearest %d, farthest %d\n", numbers[128 + 5], numbers[128 + 64 + 5]);
    bounded<<<1, 64>>>(numbers, 100);
    printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(" bounded %d\n", numbers[63]);
}
