// cdpcc: --entry=block -O2
// Threads that handle several neighbouring elements, where each element has a guard: in the loop,
// as the loop's limit, as the smaller one of two limits; with signs, without and with 64 bits; sums,
// updates, a break; and indices that wrap around.
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, GRID = 3, THREADS = GRID * BLOCK, MOST = 16 * THREADS + 64 };

template <class T> __host__ __device__ static T smaller(T a, T b)
{
    return a < b ? a : b;
}
/* Each form handles the elements of thread t. */
template <int COUNT, class I> struct Guarded {
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        I first = t * COUNT;
        for (int k = 0; k < COUNT; k++) {
            if (first + (I)k < n) {
                out[first + k] = in[first + k] * 2 + k;
            }
        }
    }
};
template <int COUNT, class I> struct Skipped {
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        for (I k = 0; k < COUNT; k++) {
            I i = COUNT * t + k;
            if (n <= i) {
                continue;
            }
            out[i] += in[i] + out[i] * 3;
        }
    }
};
template <int COUNT, class I> struct Crossing { /* the guard's number may change from -1 to 0 */
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        for (int k = 0; k < COUNT; k++) {
            int first = (int)t * COUNT;
            if ((size_t)(first - COUNT - 1 + k) < (size_t)n) {
                out[first + k] = in[first + k] + k;
            }
        }
    }
};
template <int COUNT, class I> struct Limited {
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        for (I j = t * COUNT; j < (t + 1) * COUNT && j < n; j++) {
            out[j] = in[j] ^ 5;
        }
    }
};
template <int COUNT, class I> struct Smaller {
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        I start = t * COUNT, end = smaller<I>(start + COUNT, n);
        for (I j = start; j < end; j++) {
            out[j] = in[j] - 3;
        }
    }
};
template <int COUNT, class I> struct Once { /* at least one element, even if the end wraps around */
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        I j = t * COUNT, end = smaller<I>(j + COUNT, n);
        do {
            out[j] = in[j] + 11;
            j++;
        } while (j < end);
    }
};
template <int COUNT, class I> struct Sums {
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        int sum = 1, last = -1;
        for (int k = 0; k < COUNT; k++) {
            I i = t * COUNT + k;
            if (i < n) {
                sum = sum * 3 + in[i];
                last = k;
            }
        }
        if (t * COUNT < n) {
            out[t * COUNT] = sum + last;
        }
    }
};
template <int COUNT, class I> struct Totals {
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        int sum = 1;
        for (I i = t * COUNT; i < smaller<I>(t * COUNT + COUNT, n); i++) {
            sum = sum * 5 + in[i];
        }
        if (t * COUNT < n) {
            out[t * COUNT] = sum;
        }
    }
};
template <int COUNT, class I> struct Broken {
    static __host__ __device__ void run(int *out, const int *in, I t, I n)
    {
        for (int k = 0; k < COUNT; k++) {
            I i = t * COUNT + k;
            if (i >= n || in[i] == 29) {
                break;
            }
            out[i] = in[i] + 7;
        }
    }
};

template <template <int, class> class FORM, int COUNT, class I>
__global__ void kernel(int *out, const int *in, I start, I n)
{
    FORM<COUNT, I>::run(out, in, start + (I)(blockIdx.x * blockDim.x + threadIdx.x), n);
}

static __managed__ int memory[2][MOST];
static int expected[MOST];

/* The first thread has the number `start`; its elements are the first ones of the memory. */
template <template <int, class> class FORM, int COUNT, class I> static int check(I start, I n)
{
    for (int i = 0; i < MOST; i++) {
        memory[0][i] = i * 7 % 31;
        memory[1][i] = expected[i] = i % 5;
    }
    const size_t offset = (size_t)start * COUNT;
    for (int t = 0; t < THREADS; t++) {
        FORM<COUNT, I>::run(expected - offset, memory[0] - offset, start + (I)t, n);
    }
    kernel<FORM, COUNT, I><<<GRID, BLOCK>>>(memory[1] - offset, memory[0] - offset, start, n);
    return cudaDeviceSynchronize() != cudaSuccess ||
           memcmp(memory[1], expected, sizeof expected) != 0;
}
template <template <int, class> class FORM, int COUNT, class I> static int check_ends(void)
{
    int wrong = 0;
    for (int less = 0; less < 2 * COUNT + 1; less++) {
        wrong += check<FORM, COUNT, I>(0, COUNT * THREADS - less);
    }
    for (int n = 0; n < 70; n += 5) {
        wrong += check<FORM, COUNT, I>(0, n);
    }
    return wrong + check<FORM, COUNT, I>(3, 5 * COUNT) + check<FORM, COUNT, I>(0, COUNT * THREADS + 9);
}
/* The last threads' elements are the last ones that I can number. */
template <template <int, class> class FORM, int COUNT> static int check_largest(void)
{
    int wrong = 0;
    for (unsigned less = 0; less < 9; less++) {
        wrong += check<FORM, COUNT, unsigned>(UINT_MAX / COUNT + 1 - THREADS, UINT_MAX - less);
    }
    return wrong;
}
template <template <int, class> class FORM> static void show(const char *name)
{
    printf("%s: %d %d %d %d %d %d, largest %d %d\n", name, check_ends<FORM, 4, int>(),
           check_ends<FORM, 4, unsigned>(), check_ends<FORM, 2, long long>(),
           check_ends<FORM, 3, int>(), check_ends<FORM, 8, int>(), check_ends<FORM, 16, unsigned>(),
           check_largest<FORM, 4>(), check_largest<FORM, 8>());
}

int main(void)
{
    show<Guarded>("guarded");
    show<Skipped>("skipped");
    printf("crossing: %d %d %d\n", check_ends<Crossing, 4, long long>(), check_ends<Crossing, 3, long long>(),
           check_ends<Crossing, 8, long long>());
    show<Limited>("limited");
    show<Smaller>("smaller");
    show<Once>("once");
    show<Sums>("sums");
    show<Totals>("totals");
    show<Broken>("broken");
    return 0;
}
