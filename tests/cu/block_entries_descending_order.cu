// cdpcc: --entry=block -O2
// Neighbouring threads access elements in descending order: with all threads and with some, in loops
// that count down, in shared memory, at indices that wrap around, and nothing outside of the arrays.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK = 128, MOST = 1024 };

#define I ((int)(blockIdx.x * blockDim.x + threadIdx.x))
template <class T> struct Two {
    T x, y;
};
template <class T> __global__ void load(const T *in, T *out, int n)
{
    if (I < n) {
        out[I] = in[n - 1 - I] + (T)1;
    }
}
template <class T> __global__ void store(const T *in, T *out, int n)
{
    if (I < n) {
        out[n - I - 1] = in[I] + (T)2;
    }
}
template <class T> __global__ void some(const T *in, T *out, int n)
{
    if (I < n && (int)in[I] % 3 != 0) {
        T kept = in[n - 1 - I];
        if (I % 5 != 1) {
            out[n - 1 - I] = kept + in[I];
        }
    }
}
template <class T> __global__ void down(const T *in, T *out, int n)
{
    for (int i = n - 1 - I; i >= 0; i -= blockDim.x * gridDim.x) {
        out[i] = in[i] * (T)3;
    }
}
template <class T> __global__ void shared(const T *in, T *out, int n)
{
    __shared__ T tile[BLOCK];
    tile[threadIdx.x] = I < n ? in[I] : (T)0;
    __syncthreads();
    if (I < n) {
        out[I] = tile[BLOCK - 1 - threadIdx.x];
    }
}
template <class T> __global__ void pairs(const Two<T> *in, Two<T> *out, int n)
{
    if (I < n / 2) {
        Two<T> a = in[n / 2 - 1 - I];
        out[n / 2 - 1 - I] = {(T)(a.y + 1), a.x};
    }
}
/* Wraps around in one vector. */
template <class T> __global__ void wrap(const T *in, T *out, int n, unsigned short from)
{
    if (I < n) {
        unsigned short i = from - I;
        out[I] = in[i < n ? i : i - (65536 - n)];
    }
}

static char *arrays[2];
static size_t size = 65536;

template <class T> static int check(const char *name)
{
    static T expected[MOST];
    int wrong = 0;
    for (int n = 0; n <= 400; n += n < 40 ? 1 : 19) {
        for (int end = 0; end < 2; end++) { /* the arrays begin or end where memory does */
            T *in = (T *)(end ? arrays[0] + size - n * sizeof(T) : arrays[0]);
            T *out = (T *)(end ? arrays[1] + size - n * sizeof(T) : arrays[1]);
            for (int kernel = 0; kernel < 7; kernel++) {
                for (int i = 0; i < n; i++) {
                    in[i] = (T)(i * 7 % 61);
                    out[i] = expected[i] = (T)(i % 11);
                }
                for (int i = 0; i < n; i++) {
                    int block = i / BLOCK * BLOCK, other = block + BLOCK - 1 - i % BLOCK;
                    unsigned short at = n / 2 - i;
                    if (kernel == 0) {
                        expected[i] = in[n - 1 - i] + (T)1;
                    } else if (kernel == 1) {
                        expected[n - 1 - i] = in[i] + (T)2;
                    } else if (kernel == 2 && (int)in[i] % 3 != 0 && i % 5 != 1) {
                        expected[n - 1 - i] = in[n - 1 - i] + in[i];
                    } else if (kernel == 3) {
                        expected[i] = in[i] * (T)3;
                    } else if (kernel == 4) {
                        expected[i] = other < n ? in[other] : (T)0;
                    } else if (kernel == 5 && i < n / 2) {
                        expected[2 * i] = in[2 * i + 1] + 1;
                        expected[2 * i + 1] = in[2 * i];
                    } else if (kernel == 6) {
                        expected[i] = in[at < n ? at : at - (65536 - n)];
                    }
                }
                int grid = kernel == 3 ? 1 : (n + BLOCK) / BLOCK;
                if (kernel == 0) {
                    load<<<grid, BLOCK>>>(in, out, n);
                } else if (kernel == 1) {
                    store<<<grid, BLOCK>>>(in, out, n);
                } else if (kernel == 2) {
                    some<<<grid, BLOCK>>>(in, out, n);
                } else if (kernel == 3) {
                    down<<<grid, BLOCK>>>(in, out, n);
                } else if (kernel == 4) {
                    shared<<<grid, BLOCK>>>(in, out, n);
                } else if (kernel == 5) {
                    pairs<<<grid, BLOCK>>>((Two<T> *)in, (Two<T> *)out, n);
                } else {
                    wrap<<<grid, BLOCK>>>(in, out, n, n / 2);
                }
                bool failed = cudaDeviceSynchronize() != cudaSuccess;
                wrong += failed || memcmp(out, expected, n * sizeof *out) != 0;
            }
        }
    }
    printf("%s: %d wrong\n", name, wrong);
    return wrong;
}
int main(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (char *&array : arrays) {
        char *low = (char *)mmap(NULL, size + 2 * page, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(low, page, PROT_NONE);
        mprotect(low + page + size, page, PROT_NONE);
        array = low + page;
    }
    check<unsigned char>("bytes");
    check<short>("shorts");
    check<int>("ints");
    check<float>("floats");
    check<double>("doubles");
    check<long long>("long longs");
    return 0;
}
