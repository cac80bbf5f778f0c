// Conversions of floating point to integers that cannot represent the value, as on an H200.
#include <cmath>
#include <cstdio>

struct Integers {
    int i;
    unsigned u;
    short s;
    unsigned char c;
    long long l;
    unsigned long long m;
};

template <typename T> __global__ void convert(const T *from, Integers *to, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        T x = from[i];
        to[i] = {(int)x,           (unsigned)x,  (short)x,
                 (unsigned char)x, (long long)x, (unsigned long long)x};
    }
}

template <typename T> static void show(const char *name)
{
    const T values[] = {0,        (T)-1.5,   (T)300.7,        (T)-70000,
                        (T)2.5e9, (T)-2.5e9, (T)5e9,          (T)2147483648.0,
                        (T)1e19,  (T)-1e19,  (T)1e30,         (T)-1e30,
                        INFINITY, -INFINITY, (T)NAN,          (T)-0.99,
                        (T)65535, (T)-128.9, (T)4294967296.0, (T)9223372036854775808.0};
    const int n = sizeof values / sizeof *values;
    T *from;
    Integers *to;
    cudaMallocManaged(&from, sizeof values);
    cudaMallocManaged(&to, n * sizeof *to);
    for (int i = 0; i < n; i++) {
        from[i] = values[i];
    }
    convert<<<1, 64>>>(from, to, n);
    printf("%s: %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; i++) {
        printf("%s %.8g: %d %u %d %u %lld %llu\n", name, (double)from[i], to[i].i, to[i].u, to[i].s,
               to[i].c, to[i].l, to[i].m);
    }
}

int main()
{
    show<float>("float");
    show<double>("double");
}
