// cdpcc: --entry=block -march=native
// entries: it tests their code
// Loops that stride by the grid's threads and prefetch for later iterations: elements of all sizes,
// up to the last one of their memory, upwards and downwards, in few and in many iterations.
#include "show.h"

enum { MOST = 1 << 16, BINS = 256 };

template <typename T> __global__ void count(int n, const T *in, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[in[i] & (BINS - 1)], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

template <typename T> __global__ void count_down(int n, const T *in, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= threads) {
        atomicAdd(&mine[in[i] & (BINS - 1)], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// With size_t, with another operand from memory, and a second operation under a condition.
template <typename T> __global__ void add_wide(int n, const T *in, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    size_t end = n;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x) {
        unsigned value = in[i];
        atomicAdd(&mine[value & (BINS - 1)], value * 3 + threadIdx.x);
        if (value % 5 == 2) {
            atomicSub(&mine[value >> 1 & (BINS - 1)], 7u);
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// Rows of threads, in rows of elements.
template <typename T> __global__ void count_rows(int n, const T *in, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    int thread = threadIdx.y * blockDim.x + threadIdx.x, side = 256;
    mine[thread] = 0;
    __syncthreads();
    for (int y = threadIdx.y; y < n / side; y += blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < side;
             x += gridDim.x * blockDim.x) {
            atomicAdd(&mine[in[y * side + x] & (BINS - 1)], 1u);
        }
    }
    __syncthreads();
    atomicAdd(&bins[thread], mine[thread]);
}

// Each thread's sum, and where it stopped.
template <typename T> __global__ void sums(int n, const T *in, unsigned *out)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, last = -1;
    unsigned sum = 0;
    for (int i = thread; i < n; i += gridDim.x * blockDim.x) {
        sum = sum * 3 + in[i] + in[n - 1 - i];
        last = i;
    }
    atomicAdd(&out[thread % BINS], sum ^ (unsigned)last);
}

static unsigned hash(unsigned i)
{
    i *= 2654435761u;
    return i ^ i >> 15;
}

enum way { COUNT, ADD_WIDE, COUNT_ROWS, SUMS };

template <typename T>
static void must_be(enum way way, int blocks, int n, const T *in, unsigned *bins)
{
    int threads = blocks * BINS;
    for (int thread = 0; way == SUMS && thread < threads; thread++) {
        unsigned sum = 0;
        int last = -1;
        for (int i = thread; i < n; i += threads) {
            sum = sum * 3 + in[i] + in[n - 1 - i];
            last = i;
        }
        bins[thread % BINS] += sum ^ (unsigned)last;
    }
    int used = way == COUNT_ROWS ? n / 256 * 256 : n;
    for (int i = 0; way != SUMS && i < used; i++) {
        unsigned value = in[i];
        bins[value & (BINS - 1)] += way == ADD_WIDE ? value * 3 + i % BINS : 1;
        bins[value >> 1 & (BINS - 1)] -= way == ADD_WIDE && value % 5 == 2 ? 7 : 0;
    }
}

template <typename T, typename Kernel>
static int try_it(enum way way, Kernel kernel, int blocks, dim3 size, int n, int offset)
{
    static T in[MOST];
    static unsigned out[BINS];
    unsigned must[BINS] = {0}, *to;
    T *from;
    for (int i = 0; i < n; i++) {
        in[i] = (T)(hash(i) % (i % 7 == 0 ? 3 : 251));
    }
    MUST(cudaMalloc(&from, (n + offset) * sizeof(T)));
    MUST(cudaMalloc(&to, sizeof out));
    MUST(cudaMemcpy(from + offset, in, n * sizeof(T), cudaMemcpyHostToDevice));
    MUST(cudaMemset(to, 0, sizeof out));
    kernel<<<blocks, size>>>(n, from + offset, to);
    MUST(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
    MUST(cudaFree(from));
    MUST(cudaFree(to));
    must_be<T>(way, blocks, n, in, must);
    int wrong = 0;
    for (int i = 0; i < BINS; i++) {
        wrong += out[i] != must[i];
    }
    return wrong;
}

template <typename T> static int try_type(void)
{
    int wrong = 0;
    for (int n : {1, 255, 256, 1000, 5000, 16384, 65535, 65536}) {
        for (int blocks : {1, 3, 8}) {
            wrong += try_it<T>(COUNT, count<T>, blocks, dim3(256), n, n % 3);
            wrong += try_it<T>(COUNT, count_down<T>, blocks, dim3(256), n, 0);
            wrong += try_it<T>(ADD_WIDE, add_wide<T>, blocks, dim3(256), n, 2);
            wrong += try_it<T>(COUNT_ROWS, count_rows<T>, blocks, dim3(32, 8), n, 1);
            wrong += try_it<T>(SUMS, sums<T>, blocks, dim3(256), n, 0);
        }
    }
    return wrong;
}

int main()
{
    printf("bytes: %d wrong\n", try_type<unsigned char>());
    printf("shorts: %d wrong\n", try_type<short>());
    printf("ints: %d wrong\n", try_type<int>());
    printf("64 bits: %d wrong\n", try_type<long long>());
}
