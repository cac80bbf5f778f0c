// Integer division by zero, and of the least number by -1, for all types, with an H200's results.
// All results are unspecified in C++; a kernel that ignores them must not fail.
#include <climits>
#include <cstdio>

template <typename T>
__global__ void divide(const T *a, const T *b, T *quotients, T *remainders, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        quotients[i] = a[i] / b[i];
        remainders[i] = a[i] % b[i];
    }
}

template <typename T> static void show(const char *name, T least, T greatest)
{
    const T as[] = {0, 1, 7, (T)-7, least, greatest, least, least, 5};
    const T bs[] = {0, 0, 0, 0, 0, 0, (T)-1, 1, 2};
    const int n = sizeof as / sizeof *as;
    T *a, *b, *quotients, *remainders;
    cudaMallocManaged(&a, sizeof as);
    cudaMallocManaged(&b, sizeof as);
    cudaMallocManaged(&quotients, sizeof as);
    cudaMallocManaged(&remainders, sizeof as);
    for (int i = 0; i < n; i++) {
        a[i] = as[i];
        b[i] = bs[i];
    }
    divide<<<1, 32>>>(a, b, quotients, remainders, n);
    printf("%s: %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; i++) {
        printf("%s %lld / %lld = %lld (0x%llx), %% = %lld (0x%llx)\n", name, (long long)a[i],
               (long long)b[i], (long long)quotients[i], (unsigned long long)quotients[i],
               (long long)remainders[i], (unsigned long long)remainders[i]);
    }
}

int main()
{
    show<int>("int", INT_MIN, INT_MAX);
    show<unsigned>("unsigned", 0, UINT_MAX);
    show<long long>("longlong", LLONG_MIN, LLONG_MAX);
    show<unsigned long long>("ulonglong", 0, ULLONG_MAX);
    show<short>("short", SHRT_MIN, SHRT_MAX);
    show<signed char>("char", SCHAR_MIN, SCHAR_MAX);
    show<unsigned char>("uchar", 0, UCHAR_MAX);
    show<unsigned short>("ushort", 0, USHRT_MAX);
    return 0;
}
