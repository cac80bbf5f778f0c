// cdpcc: --entry=block -O2
// Structures of neighbouring threads are loaded and stored by contiguous accesses: all fields or
// some, in any order, at any start of the array, and nothing beyond its end.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
template <class T, int COUNT> struct Fields {
    T at[COUNT];
};
#define I (blockIdx.x * blockDim.x + threadIdx.x)
template <class T, int COUNT>
__global__ void turn(const Fields<T, COUNT> *in, Fields<T, COUNT> *out, int n)
{
    if (I < n) {
        Fields<T, COUNT> a = in[I], b;
        for (int k = 0; k < COUNT; k++) {
            b.at[k] = a.at[(k + 1) % COUNT] + (T)k;
        }
        out[I] = b;
    }
}
template <class T, int COUNT> __global__ void change(Fields<T, COUNT> *x, int n)
{
    if (I < n) {
        x[I].at[COUNT - 1] = x[I].at[0] + x[I].at[COUNT - 1];
        x[I].at[0] += 1;
    }
}
template <class T, int COUNT> __global__ void first(const Fields<T, COUNT> *in, T *out, int n)
{
    if (I < n) {
        out[I] = in[I].at[0];
    }
}
template <class T, int COUNT> __global__ void last(const Fields<T, COUNT> *in, T *out, int n)
{
    if (I < n) {
        out[I] = in[I].at[COUNT - 1];
    }
}
template <class T, int COUNT> __global__ void some(const Fields<T, COUNT> *in, T *out, int n)
{
    if (I < n) {
        T sum = in[I].at[COUNT / 2];
        if (sum > 20) {
            sum += in[I].at[0];
        }
        out[I] = sum;
    }
}
/* Copies from another array than its own, and in reverse program order. */
template <class T, int COUNT>
__global__ void swap(Fields<T, COUNT> *x, Fields<T, COUNT> *y, int n)
{
    if (I < n) {
        for (int k = COUNT - 1; k >= 0; k--) {
            T kept = x[I].at[k];
            x[I].at[k] = y[I].at[k];
            y[I].at[k] = kept;
        }
    }
}
template <class T, int COUNT> static Fields<T, COUNT> *place(char *end, int n)
{
    return (Fields<T, COUNT> *)end - n;
}
template <class T> static T value(int i, int k)
{
    return (T)(i * 7 % 31 + k);
}
static char *ends[3]; /* the ends of pages that are followed by unmapped memory */
template <class T, int COUNT> static int check(int n)
{
    typedef Fields<T, COUNT> S;
    S *a = place<T, COUNT>(ends[0], n), *b = place<T, COUNT>(ends[1], n);
    T *sums = (T *)ends[2] - n;
    int blocks = (n + 95) / 96, wrong = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < COUNT; k++) {
            a[i].at[k] = value<T>(i, k);
        }
    }
    turn<<<blocks, 96>>>(a, b, n);
    change<<<blocks, 96>>>(b, n);
    swap<<<blocks, 96>>>(a, b, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        T head = value<T>(i, COUNT > 1), tail = value<T>(i, 0) + (T)(COUNT - 1) + head;
        for (int k = 0; k < COUNT; k++) {
            T usual = value<T>(i, (k + 1) % COUNT) + (T)k;
            T turned = k == 0 ? (T)(head + 1) : k == COUNT - 1 ? tail : usual;
            wrong += a[i].at[k] != turned || b[i].at[k] != value<T>(i, k);
        }
    }
    first<<<blocks, 96>>>(b, sums, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        wrong += sums[i] != value<T>(i, 0);
    }
    last<<<blocks, 96>>>(b, sums, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        wrong += sums[i] != value<T>(i, COUNT - 1);
    }
    some<<<blocks, 96>>>(b, sums, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        T middle = value<T>(i, COUNT / 2);
        wrong += sums[i] != (middle > 20 ? (T)(middle + value<T>(i, 0)) : middle);
    }
    return wrong;
}
/* `make check-all` tests each type with each number of fields. */
#ifdef CDP_TEST_ALL
#define SOME(...) 2, 3, 4, 5, 6, 7, 8, 9
#else
#define SOME(...) __VA_ARGS__
#endif
template <class T, int... COUNTS> static void check_all(const char *name)
{
    int wrong = 0;
    for (int n = 960; n > 900; n -= 19) {
        for (int of_one : {check<T, COUNTS>(n)...}) {
            wrong += of_one;
        }
    }
    printf("%s: %d wrong, %s\n", name, wrong, cudaGetErrorName(cudaGetLastError()));
}
__global__ void colours(const uchar4 *in, uchar4 *out, unsigned char *grey, int n)
{
    if (I < n) {
        uchar4 p = in[I];
        grey[I] = (unsigned char)((p.x + 2 * p.y + p.z) / 4);
        p.x = 255 - p.x;
        out[I] = p;
    }
}
__global__ void every_other(const float *in, float *even, float *odd, int n)
{
    if (I < n) {
        even[I] = in[2 * I];
        odd[I] = in[2 * I + 1];
    }
}
__global__ void mixed(const float4 *in, int2 *out, int n)
{
    if (I < n) {
        float4 p = in[I];
        out[I] = make_int2((int)p.y, __float_as_int(p.w));
    }
}
/* Some lanes' elements are the last ones before unmapped memory, and other lanes have none. */
template <class T> __global__ void fewer(const T *in, T *out, int n, int few)
{
    if (I < n) {
        T sum = (T)I;
        if ((int)I < few && I % 3 != 1) {
            sum += in[I];
        }
        out[I] = sum;
    }
}
template <class T> static int check_fewer(void)
{
    int wrong = 0, n = 300;
    for (int few = 130; few < 170; few++) {
        T *in = (T *)ends[0] - few, *out = (T *)ends[1] - n;
        for (int i = 0; i < few; i++) {
            in[i] = (T)(i * 3);
        }
        fewer<<<3, 100>>>(in, out, n, few);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) {
            wrong += out[i] != (T)(i + (i < few && i % 3 != 1 ? (T)(i * 3) : 0));
        }
    }
    return wrong;
}
int main(void)
{
    size_t size = 1 << 20, page = (size_t)sysconf(_SC_PAGESIZE);
    for (char *&end : ends) {
        char *low = (char *)mmap(NULL, size + page, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(low + size, page, PROT_NONE);
        end = low + size;
    }
    check_all<unsigned char, SOME(3, 8)>("bytes");
    check_all<short, SOME(4, 6)>("shorts");
    check_all<int, SOME(2, 3, 4, 5, 8)>("ints");
    check_all<float, SOME(7)>("floats");
    check_all<double, SOME(2, 3)>("doubles");
    check_all<unsigned long long, SOME(4, 9)>("long longs");
    printf("fewer: %d wrong\n", check_fewer<unsigned char>() + check_fewer<short>() +
                                  check_fewer<int>() + check_fewer<double>());
    enum { N = 1000 };
    uchar4 *in = (uchar4 *)ends[0] - N, *out = (uchar4 *)ends[1] - N;
    unsigned char *grey = (unsigned char *)ends[2] - N;
    for (int i = 0; i < N; i++) {
        in[i] = make_uchar4(i, i * 3, i * 5, i * 7);
    }
    colours<<<8, 128>>>(in, out, grey, N);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        uchar4 p = in[i], q = out[i];
        wrong += grey[i] != (p.x + 2 * p.y + p.z) / 4 || q.x != 255 - p.x || q.y != p.y ||
                 q.z != p.z || q.w != p.w;
    }
    printf("colours: %d wrong\n", wrong);
    for (int shift = 0; shift < 2; shift++) {
        float *pairs = (float *)ends[0] - 2 * N + shift, *odd = (float *)ends[2] - N;
        float *even = (float *)ends[1] - N;
        int n = N - shift;
        for (int i = 0; i < 2 * n; i++) {
            pairs[i] = i;
        }
        every_other<<<8, 128>>>(pairs, even, odd, n);
        cudaDeviceSynchronize();
        for (int i = wrong = 0; i < n; i++) {
            wrong += even[i] != 2 * i || odd[i] != 2 * i + 1;
        }
        printf("every other: %d wrong\n", wrong);
    }
    float4 *fours = (float4 *)ends[0] - N;
    int2 *twos = (int2 *)ends[1] - N;
    for (int i = 0; i < N; i++) {
        fours[i] = make_float4(i, i + 1, i + 2, i + 3);
    }
    mixed<<<8, 128>>>(fours, twos, N);
    cudaDeviceSynchronize();
    for (int i = wrong = 0; i < N; i++) {
        float w = i + 3;
        wrong += twos[i].x != i + 1 || memcmp(&twos[i].y, &w, sizeof w) != 0;
    }
    printf("mixed: %d wrong\n", wrong);
}
