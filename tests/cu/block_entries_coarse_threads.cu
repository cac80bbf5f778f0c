// cdpcc: --entry=block -O2
// Threads that handle several neighbouring elements each, in a loop or one by one, with indices of all
// types; all elements, or those before the end.
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, MOST = 8 * 5 * BLOCK };

template <class INDEX> __device__ INDEX thread_number(void)
{
    return (INDEX)blockIdx.x * blockDim.x + threadIdx.x;
}
template <int COUNT, class T, class INDEX> __global__ void in_loop(T *out, const T *in, INDEX n)
{
    INDEX first = thread_number<INDEX>() * COUNT;
    if (first + (COUNT - 1) < n) {
        for (int k = 0; k < COUNT; k++) {
            out[first + k] = in[first + k] * 2 + (T)k;
        }
    }
}
template <int COUNT, class T, class INDEX> __global__ void guarded(T *out, const T *in, INDEX n)
{
    INDEX first = COUNT * thread_number<INDEX>();
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        if (first + k < n) {
            out[first + k] = in[first + k] * 2 + (T)k;
        }
    }
}
template <int COUNT, class T, class INDEX> __global__ void sums(T *out, const T *in, INDEX n)
{
    INDEX i = thread_number<INDEX>();
    T sum = 0;
    for (int k = 0; k < COUNT; k++) {
        sum += in[COUNT * i + k] * (T)(k + 1);
    }
    if (i < n / COUNT) {
        out[i] = sum;
    }
}
template <class T, class INDEX> __global__ void one_by_one(T *out, const T *in, INDEX n)
{
    INDEX i = thread_number<INDEX>();
    if (4 * i + 3 < n) {
        T a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];
        out[4 * i + 3] = a + 3;
        out[4 * i + 1] = c + 1;
        out[4 * i] = b;
        out[4 * i + 2] = d + 2;
    }
}
template <class T, class INDEX> __global__ void three(T *out, const T *in, INDEX n)
{
    INDEX i = thread_number<INDEX>();
    if (3 * i + 2 < n) {
        T a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
        out[3 * i] = b + c;
        out[3 * i + 1] = a - c;
        out[3 * i + 2] = a;
    }
}

static __managed__ double memory[2][MOST];
static double expected[MOST];

template <class T> static int differs(void)
{
    cudaError_t result = cudaDeviceSynchronize();
    return result != cudaSuccess || memcmp(memory[1], expected, MOST * sizeof(T)) != 0;
}
template <int COUNT, class T, class INDEX> static int check(void)
{
    int wrong = 0;
    T *in = (T *)memory[0], *out = (T *)memory[1], *ref = (T *)expected;
    for (int n = COUNT * 4 * BLOCK; n > COUNT * 4 * BLOCK - 12; n--) {
        for (int kernel = 0; kernel < 5; kernel++) {
            for (int i = 0; i < MOST; i++) {
                in[i] = (T)(i * 7 % 31);
                out[i] = ref[i] = (T)(i % 5);
            }
            for (int i = 0; i < n; i++) {
                if (kernel == 0 ? i / COUNT * COUNT + COUNT <= n : kernel == 1) {
                    ref[i] = in[i] * 2 + (T)(i % COUNT);
                } else if (kernel == 2 && i < n / COUNT) {
                    ref[i] = 0;
                    for (int k = 0; k < COUNT; k++) {
                        ref[i] += in[COUNT * i + k] * (T)(k + 1);
                    }
                }
            }
            for (int i = 0; kernel == 3 && i + 3 < n; i += 4) {
                ref[i] = in[i + 1];
                ref[i + 1] = in[i + 2] + 1;
                ref[i + 2] = in[i + 3] + 2;
                ref[i + 3] = in[i] + 3;
            }
            for (int i = 0; kernel == 4 && i + 2 < n; i += 3) {
                ref[i] = in[i + 1] + in[i + 2];
                ref[i + 1] = in[i] - in[i + 2];
                ref[i + 2] = in[i];
            }
            if (kernel == 0) {
                in_loop<COUNT, T, INDEX><<<4, BLOCK>>>(out, in, n);
            } else if (kernel == 1) {
                guarded<COUNT, T, INDEX><<<4, BLOCK>>>(out, in, n);
            } else if (kernel == 2) {
                sums<COUNT, T, INDEX><<<4, BLOCK>>>(out, in, n);
            } else if (kernel == 3) {
                one_by_one<T, INDEX><<<COUNT + 1, BLOCK>>>(out, in, n);
            } else {
                three<T, INDEX><<<2 * COUNT, BLOCK>>>(out, in, n);
            }
            wrong += differs<T>();
        }
    }
    return wrong;
}
template <class INDEX> static void check_all(const char *name)
{
    printf("%s: %d %d %d %d %d wrong\n", name, check<2, float, INDEX>(), check<3, int, INDEX>(),
           check<4, float, INDEX>(), check<4, unsigned char, INDEX>(), check<8, short, INDEX>());
}
int main(void)
{
    check_all<int>("int");
    check_all<unsigned>("unsigned");
    check_all<size_t>("size_t");
    return 0;
}
