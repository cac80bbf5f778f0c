// cdpcc: --entry=block -O2
// Structures at indices that may wrap around between neighbouring threads: numbers of 16 bits,
// remainders, masked bits, clamped numbers, an index chosen by a condition; or in descending order.
// All fields or some are read and written, in straight code and in loops, where the indices wrap in
// some vectors, in all of them, or in none.
#include <stdio.h>
#include <string.h>

enum { N = 1000, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK, MOST = 65536 };

struct Index {
    unsigned from, size;
};
/* Different threads have different elements, except with clamped numbers. */
template <int KIND> __host__ __device__ unsigned index_of(Index at, unsigned i)
{
    switch (KIND) {
    case 0:
        return (unsigned short)(at.from + i);
    case 1:
        return (at.from + i) % at.size;
    case 2:
        return (at.from + i) & 1023;
    case 3:
        return min(max((int)(at.from + i), 0), (int)at.size - 1);
    case 4:
        return N + (at.from & 255) - i; /* in descending order */
    default:
        return at.size > 2000 ? i : 7;
    }
}
template <class T, int COUNT> struct Fields {
    T at[COUNT];
};
#define I (blockIdx.x * blockDim.x + threadIdx.x)
template <class T, int COUNT> __host__ __device__ Fields<T, COUNT> next_of(Fields<T, COUNT> a)
{
    Fields<T, COUNT> b;
    for (int k = 0; k < COUNT; k++) {
        b.at[k] = a.at[(k + 1) % COUNT] + (T)k;
    }
    return b;
}
template <int KIND, class T, int COUNT>
__global__ void read_all(const Fields<T, COUNT> *in, Fields<T, COUNT> *out, Index at, int n)
{
    if (I < n) {
        out[I] = next_of(in[index_of<KIND>(at, I)]);
    }
}
template <int KIND, class T, int COUNT>
__global__ void read_some(const Fields<T, COUNT> *in, Fields<T, COUNT> *out, Index at, int n)
{
    for (unsigned i = threadIdx.x + blockIdx.x * BLOCK; i < n; i += BLOCK * GRID) {
        const Fields<T, COUNT> *from = &in[index_of<KIND>(at, i)];
        out[i].at[0] = from->at[COUNT - 1];
        out[i].at[COUNT - 1] = from->at[0];
    }
}
template <int KIND, class T, int COUNT>
__global__ void write_all(const Fields<T, COUNT> *in, Fields<T, COUNT> *out, Index at, int n)
{
    for (unsigned i = threadIdx.x + blockIdx.x * BLOCK; i < n; i += BLOCK * GRID) {
        out[index_of<KIND>(at, i)] = next_of(in[i]);
    }
}
/* In place, after a store, so that nothing can start again. */
template <int KIND, class T, int COUNT>
__global__ void change(const Fields<T, COUNT> *in, Fields<T, COUNT> *out, T *seen, Index at, int n)
{
    seen[I] = (T)I;
    if (I < n) {
        out[index_of<KIND>(at, I)] = next_of(next_of(out[index_of<KIND>(at, I)]));
    }
}

static __managed__ char memory[3][MOST * 32 + 4096];
static char expected[MOST * 32];

template <class T, int COUNT> static void fill(Fields<T, COUNT> *in, Fields<T, COUNT> *out)
{
    for (int i = 0; i < MOST * COUNT; i++) {
        in->at[i] = (T)(i * 7 % 1009);
        out->at[i] = (T)(i * 5 % 503);
    }
}
template <class T, int COUNT> static int differs(const Fields<T, COUNT> *out)
{
    cudaError_t result = cudaDeviceSynchronize();
    return result != cudaSuccess || memcmp(out, expected, sizeof(*out) * MOST) != 0;
}
template <int KIND, class T, int COUNT> static int check(Index at)
{
    typedef Fields<T, COUNT> F;
    F *in = (F *)memory[0], *out = (F *)memory[1], *ref = (F *)expected;
    T *seen = (T *)memory[2];
    int wrong = 0;
    bool is_unique = KIND < 3 || KIND == 4;
    for (int kernel = 0; kernel < (is_unique ? 4 : 2); kernel++) {
        fill(in, out);
        memcpy(expected, out, sizeof *out * MOST);
        for (unsigned i = 0; i < N; i++) {
            unsigned j = index_of<KIND>(at, i);
            if (kernel == 0) {
                ref[i] = next_of(in[j]);
            } else if (kernel == 1) {
                ref[i].at[0] = in[j].at[COUNT - 1];
                ref[i].at[COUNT - 1] = in[j].at[0];
            } else {
                ref[j] = kernel == 2 ? next_of(in[i]) : next_of(next_of(ref[j]));
            }
        }
        if (kernel == 0) {
            read_all<KIND><<<GRID, BLOCK>>>(in, out, at, N);
        } else if (kernel == 1) {
            read_some<KIND><<<GRID, BLOCK>>>(in, out, at, N);
        } else if (kernel == 2) {
            write_all<KIND><<<GRID, BLOCK>>>(in, out, at, N);
        } else {
            change<KIND><<<GRID, BLOCK>>>(in, out, seen, at, N);
        }
        wrong += differs(out);
    }
    return wrong;
}
template <class T, int COUNT> static void check_all(const char *name)
{
    static const unsigned starts[] = {0, 5, 200, 65530, 64900, 0xfffffff0u};
    static const unsigned sizes[] = {N, N + 3, 1500, 4000};
    int wrong = 0;
    for (unsigned from : starts) {
        wrong += check<0, T, COUNT>({from, 0});
        wrong += check<2, T, COUNT>({from, 0});
        wrong += check<4, T, COUNT>({from, 0});
        for (unsigned size : sizes) {
            /* Sums that wrap at 2^32 may give one remainder twice. */
            wrong += from > MOST ? 0 : check<1, T, COUNT>({from, size});
            wrong += check<3, T, COUNT>({from, size});
            wrong += check<5, T, COUNT>({from, size});
        }
    }
    printf("%s: %d wrong\n", name, wrong);
}
int main(void)
{
    check_all<float, 4>("float4");
    check_all<unsigned char, 4>("uchar4");
    check_all<int, 3>("int3");
    check_all<double, 2>("double2");
    check_all<short, 5>("short5");
    return 0;
}
