// cdpcc: --entry=block -O2
// Guards and stores that depend on loaded data: none, some, most or all lanes are active.
// No store may change the elements of other threads.
#include "show.h"

enum { LINE = 128, COUNT = 5 * LINE + 37, KINDS = 5 };

template <typename T> __global__ void returnEarly(const T *data, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || data[i] == 0) {
        return;
    }
    T v = data[i] * 3 + 1;
    out[i] = out[i] + v;
}
template <typename T> __global__ void storeOneOfTwo(const T *data, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (data[i] > 3) {
        out[i] = data[i] * data[i] - 2;
        out[i + COUNT] = data[i];
    } else if (data[i] != 0) {
        out[i + COUNT] = out[i] + 7;
    }
    if (int(data[i]) % 2 != 0) {
        out[i] = out[i] + 1; // after the branch all lanes have reconverged
    }
}
// A test of two bytes, as of pictures whose pixels have changed.
__global__ void blend(const unsigned char *a, const unsigned char *b, unsigned char *limit,
                      unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (abs(a[i] - b[i]) <= limit[i] && abs(a[i] - limit[i]) <= limit[i]) {
        out[i] = 0.9f * out[i] + 0.1f * a[i];
        limit[i] = fmaxf(0.9f * limit[i] + 0.2f * (a[i] - out[i]), 2.0f);
    }
}

static unsigned choose(int kind, unsigned i)
{
    unsigned random = (i * 2654435761u) >> 16;
    return kind == 0   ? 0
           : kind == 1 ? random % 8
           : kind == 2 ? (random % 16 == 0) * 5
           : kind == 3 ? (random % 16 != 0) * (1 + random % 7)
                       : 5;
}

template <typename T> static int check(T *data, T *out)
{
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < 2 * COUNT; i++) {
            data[i] = choose(kind, i);
            out[i] = i % 100;
        }
        returnEarly<<<(COUNT + LINE - 1) / LINE, LINE>>>(data, out, COUNT);
        cudaDeviceSynchronize();
        for (int i = 0; i < 2 * COUNT; i++) {
            T added = i < COUNT && data[i] != 0 ? data[i] * 3 + 1 : 0;
            wrong += out[i] != T(i % 100 + added);
            out[i] = i % 100;
        }
        storeOneOfTwo<<<(COUNT + LINE - 1) / LINE, LINE>>>(data, out, COUNT);
        cudaDeviceSynchronize();
        for (int i = 0; i < COUNT; i++) {
            T first = i % 100, second = (i + COUNT) % 100, d = data[i];
            second = d > 3 ? d : d != 0 ? T(first + 7) : second;
            first = d > 3 ? d * d - 2 : first;
            first = int(d) % 2 != 0 ? first + 1 : first;
            wrong += out[i] != first;
            wrong += out[i + COUNT] != second;
        }
    }
    return wrong;
}

static int checkBlend(unsigned char *a, unsigned char *out)
{
    unsigned char *b = a + COUNT, *limit = out + COUNT;
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < COUNT; i++) {
            a[i] = i * 7;
            b[i] = a[i] + choose(kind, i);
            limit[i] = kind == 0 ? 255 : 4 + i % 100;
            out[i] = i;
        }
        blend<<<(COUNT + LINE - 1) / LINE, LINE>>>(a, b, limit, out, COUNT);
        cudaDeviceSynchronize();
        for (int i = 0; i < COUNT; i++) {
            unsigned char l = kind == 0 ? 255 : 4 + i % 100, o = i;
            if (abs(a[i] - b[i]) <= l && abs(a[i] - l) <= l) {
                o = 0.9f * o + 0.1f * a[i];
                l = fmaxf(0.9f * l + 0.2f * (a[i] - o), 2.0f);
            }
            wrong += abs(out[i] - o) > 1 || abs(limit[i] - l) > 1;
            wrong += o == (unsigned char)i && l == 4 + i % 100 && (out[i] != o || limit[i] != l);
        }
    }
    return wrong;
}

template <typename T> static int show(const char *name)
{
    T *data, *out;
    MUST(cudaMallocManaged(&data, 2 * COUNT * sizeof *data));
    MUST(cudaMallocManaged(&out, 2 * COUNT * sizeof *out));
    printf("%s: %d wrong\n", name, check(data, out));
    return 0;
}

int main()
{
    unsigned char *a, *out;
    MUST(cudaMallocManaged(&a, 2 * COUNT));
    MUST(cudaMallocManaged(&out, 2 * COUNT));
    printf("pixels: %d wrong\n", checkBlend(a, out));
    return show<unsigned char>("bytes") || show<short>("half words") || show<int>("words") ||
           show<double>("doubles");
}
