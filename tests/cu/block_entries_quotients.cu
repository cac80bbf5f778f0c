// cdpcc: --entry=block -O2
// Quotients and remainders of all widths compared with the host's: near multiples of the divisor,
// at the limits of each type, and for 64 bits around the numbers that doubles represent; by uniform
// and varying divisors, with all threads and with some.
#include <stdio.h>
#include <stdlib.h>
enum { N = 4096, BLOCK = 256 };
#define X (blockIdx.x * blockDim.x + threadIdx.x)
template <class T> __global__ void by_one(const T *a, T b, T *q, T *r)
{
    q[X] = a[X] / b;
    r[X] = a[X] % b;
}
template <class T> __global__ void by_each(const T *a, const T *b, T *q, T *r)
{
    q[X] = a[X] / b[X];
    r[X] = a[X] % b[X];
}
/* Threads with a zero divisor do not divide, or no thread divides. */
template <class T> __global__ void by_some(const T *a, const T *b, T one, T *q, T *r)
{
    T by = b[X];
    if (a[X] & 1 && by > 3) {
        q[X] = a[X] / (by - 3);
        if (one > 7) {
            r[X] = a[X] % (one - 7);
        }
    }
}
/* Programs split one number into several like this. */
template <class T> __global__ void apart(T n, T w, T h, T *q, T *r)
{
    for (T i = X; i < n; i += (T)(gridDim.x * blockDim.x)) {
        T x = i % w, y = i / w % h, z = i / w / h;
        q[i] = x + 1000 * y;
        r[i] = z;
    }
}
static unsigned long long random64()
{
    static unsigned long long state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
template <class T> static T any()
{
    return (T)(random64() >> (random64() & 63));
}
template <class T> struct Numbers {
    T *a, *b, *q, *r;
    Numbers()
    {
        for (T **each : {&a, &b, &q, &r}) {
            cudaMallocManaged(each, N * sizeof **each);
        }
    }
    void clear()
    {
        for (int i = 0; i < N; i++) {
            q[i] = r[i] = (T)99;
        }
    }
};
/* Avoids the one quotient that no type can represent, and division by zero. */
template <class T> static void fill(Numbers<T> &numbers, T one)
{
    T least = (T)(1ull << (sizeof(T) * 8 - 1));
    for (int i = 0; i < N; i++) {
        T by = one;
        while (by == 0) {
            by = any<T>() * (random64() & 1 ? 1 : -1);
        }
        T near = (T)(any<T>() / by * by), a = (T)(near + (T)(i % 5) - 2);
        if (i % 3 == 0) {
            a = any<T>() * (random64() & 1 ? 1 : -1);
        } else if (i % 64 == 1) {
            a = i % 128 == 1 ? least : (T)~least;
        }
        numbers.a[i] = by == (T)-1 && a == least ? 0 : a;
        numbers.b[i] = by;
    }
}
template <class T> static int compare(const Numbers<T> &numbers)
{
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        T a = numbers.a[i], b = numbers.b[i];
        wrong += numbers.q[i] != (T)(a / b) || numbers.r[i] != (T)(a % b);
    }
    return wrong;
}
template <class T> static int compare_some(const Numbers<T> &numbers, T one)
{
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        T a = numbers.a[i], b = numbers.b[i];
        bool is_on = a & 1 && b > 3;
        T q = is_on ? (T)(a / (b - 3)) : (T)99, r = is_on && one > 7 ? (T)(a % (one - 7)) : (T)99;
        wrong += numbers.q[i] != q || numbers.r[i] != r;
    }
    return wrong;
}
template <class T> static int compare_apart(const Numbers<T> &numbers, T n, T w, T h)
{
    int wrong = 0;
    for (T i = 0; i < n; i++) {
        wrong += numbers.q[i] != (T)(i % w + 1000 * (i / w % h)) ||
                 numbers.r[i] != (T)(i / w / h);
    }
    return wrong;
}
template <class T> static void test(const char *name)
{
    Numbers<T> numbers;
    int one = 0, each = 0, some = 0, parts = 0;
    for (int round = 0; round < 60; round++) {
        T by = round < 10 ? (T)(round + 1) : any<T>() * (round % 2 == 0 ? 1 : -1);
        by = by == 0 ? 1 : by;
        fill<T>(numbers, by);
        by_one<<<N / BLOCK, BLOCK>>>(numbers.a, by, numbers.q, numbers.r);
        cudaDeviceSynchronize();
        one += compare(numbers);
        fill<T>(numbers, 0);
        by_each<<<N / BLOCK, BLOCK>>>(numbers.a, numbers.b, numbers.q, numbers.r);
        cudaDeviceSynchronize();
        each += compare(numbers);
        for (int i = 0; i < N; i++) {
            numbers.b[i] = i % 7 == 0 ? 3 : numbers.b[i];
        }
        numbers.clear();
        by = round % 3 == 0 ? 7 : by;
        by_some<<<N / BLOCK, BLOCK>>>(numbers.a, numbers.b, by, numbers.q, numbers.r);
        cudaDeviceSynchronize();
        some += compare_some(numbers, by);
        if (sizeof(T) >= 4) {
            T w = (T)(1 + round), h = (T)(1 + round % 9);
            apart<<<3, BLOCK>>>((T)N, w, h, numbers.q, numbers.r);
            cudaDeviceSynchronize();
            parts += compare_apart(numbers, (T)N, w, h);
        }
    }
    printf("%s: %d %d %d %d wrong\n", name, one, each, some, parts);
}
int main()
{
    test<int>("int");
    test<unsigned>("unsigned");
    test<long long>("long long");
    test<unsigned long long>("unsigned long long");
    test<short>("short");
    test<unsigned short>("unsigned short");
    test<signed char>("signed char");
    test<unsigned char>("unsigned char");
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
