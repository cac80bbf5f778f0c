// Shifts by the width of the number or more, which C++ does not define and PTX does: 0, or copies
// of the sign bit. By amounts from memory, by uniform amounts, by constants, in templates.
// cdpcc: -w
// rules: S58
#include <climits>
#include <cstdio>

template <class T, class Unsigned>
__global__ void shiftEach(const T *numbers, const int *amounts, T *out)
{
    int i = threadIdx.x;
    out[3 * i] = numbers[i] << amounts[i];
    out[3 * i + 1] = numbers[i] >> amounts[i];
    out[3 * i + 2] = (T)((Unsigned)numbers[i] >> amounts[i]);
}
template <class T, class Unsigned> __global__ void shiftAll(const T *numbers, int amount, T *out)
{
    int i = threadIdx.x;
    out[3 * i] = numbers[i] << amount;
    out[3 * i + 1] = numbers[i] >> amount;
    out[3 * i + 2] = (T)((Unsigned)numbers[i] >> amount);
}
template <class T, class Unsigned> static void shift(const char *name)
{
    const int amounts[] = {0, 1, 7, 31, 32, 33, 63, 64, 65, 255, -1, INT_MIN};
    const int kinds = sizeof amounts / sizeof *amounts, threads = 96;
    T *numbers, *each, *all;
    int *by;
    cudaMallocManaged(&numbers, threads * sizeof *numbers);
    cudaMallocManaged(&each, 3 * threads * sizeof *each);
    cudaMallocManaged(&all, 3 * threads * sizeof *all);
    cudaMallocManaged(&by, threads * sizeof *by);
    for (int i = 0; i < threads; i++) {
        numbers[i] = i % 2 == 0 ? (T)-5 : (T)5;
        by[i] = amounts[i / 2 % kinds];
    }
    shiftEach<T, Unsigned><<<1, threads>>>(numbers, by, each);
    cudaDeviceSynchronize();
    for (int k = 0; k < kinds; k++) {
        const T *a = each + 6 * k;
        printf("%s by %d: %lld %lld %lld, %lld %lld %lld\n", name, amounts[k], (long long)a[0],
               (long long)a[1], (long long)a[2], (long long)a[3], (long long)a[4],
               (long long)a[5]);
        shiftAll<T, Unsigned><<<1, threads>>>(numbers, amounts[k], all);
        cudaDeviceSynchronize();
        for (int i = 2 * k; i < threads; i += 2 * kinds) {
            for (int j = 0; j < 6; j++) {
                if (each[3 * i + j] != a[j] || all[3 * i + j] != a[j]) {
                    printf("thread %d: %lld and %lld\n", i, (long long)each[3 * i + j],
                           (long long)all[3 * i + j]);
                }
            }
        }
    }
}

template <int bits> __device__ unsigned lowBits()
{
    return (1u << bits) - 1;
}
template <class T, int by> __device__ T shifted(T value)
{
    return value >> by;
}
// A constant must equal the same expression with a number from memory.
__global__ void shiftConstants(const int *n, long long *out)
{
    int k = 0;
#define PAIR(constant, computed)                                                                   \
    out[k++] = (constant);                                                                         \
    out[k++] = (computed)
    PAIR(1 << 32, 1 << n[0]);
    PAIR(1u << 33, 1u << n[1]);
    PAIR(-8 >> 40, -8 >> n[2]);
    PAIR(0x80000000u >> 32, 0x80000000u >> n[0]);
    PAIR(1 << -1, 1 << n[3]);
    PAIR((1u << 32) - 1, (1u << n[0]) - 1);
    PAIR(lowBits<32>(), (1u << n[0]) - 1);
    PAIR(lowBits<5>(), (1u << n[4]) - 1);
    PAIR((shifted<int, 40>(-3)), -3 >> n[2]);
    PAIR((shifted<long long, 70>(-3)), -3ll >> n[5]);
    PAIR(1ll << 64, 1ll << n[6]);
    PAIR((1ull << 64) - 1, (1ull << n[6]) - 1);
    PAIR(n[4] << 32, n[4] << n[0]);
    PAIR(n[3] >> 32, n[3] >> n[0]);
    PAIR((1 << (2 << 33)) + 1, (1 << (2 << n[1])) + 1);
    int x = 3;
    x <<= 32;
    PAIR(x, 3 << n[0]);
    PAIR(5 / 0, n[4] / n[7]);
    out[k] = -77;
}

int main()
{
    shift<int, unsigned>("int");
    shift<unsigned, unsigned>("unsigned");
    shift<long long, unsigned long long>("long long");
    shift<short, unsigned short>("short");
    shift<signed char, unsigned char>("signed char");
    int *n;
    long long *out;
    cudaMallocManaged(&n, 8 * sizeof *n);
    cudaMallocManaged(&out, 128 * sizeof *out);
    const int numbers[] = {32, 33, 40, -1, 5, 70, 64, 0};
    for (int i = 0; i < 8; i++) {
        n[i] = numbers[i];
    }
    shiftConstants<<<1, 1>>>(n, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int k = 0; out[k] != -77; k += 2) {
        printf("%lld%s\n", out[k], out[k] == out[k + 1] ? "" : " differs");
    }
}
