// cdpcc: --entry=block -march=native
// entries: it tests their code
// Loops over the thread's number, whose lanes execute most iterations together and the last ones
// separately, with all values that they carry and leave; and shared atomics of many lanes at a time.
#include <climits>
#include "show.h"

enum { MOST = 1024, BLOCK = 256, BINS = 64 };

struct Result {
    unsigned sum, turns;
    int last;
};

// Loops over i from the thread's number on. Result: final value, number of iterations.
#define LOOP(name, type, start, condition, step)                                                   \
    __host__ __device__ static Result work_##name(int thread, int threads, int n, const int *in)   \
    {                                                                                              \
        Result made = {0, 0, -1};                                                                  \
        for (type i = (start); condition; step) {                                                  \
            made.last = in[(unsigned)i % MOST] ^ (int)i;                                           \
            made.sum = made.sum * 5 + made.last;                                                   \
            made.turns++;                                                                          \
        }                                                                                          \
        return made;                                                                               \
    }                                                                                              \
    __global__ void __launch_bounds__(BLOCK) name(int n, const int *in, Result *out)               \
    {                                                                                              \
        int thread = blockIdx.x * blockDim.x + threadIdx.x;                                        \
        out[thread] = work_##name(thread, gridDim.x * blockDim.x, n, in);                          \
    }

LOOP(rises, int, thread, i < n, i += threads)
LOOP(rises_to, int, thread, i <= n, i += threads)
LOOP(unsigned_rises, unsigned, thread, i < (unsigned)n, i += threads)
LOOP(wide_rises, long long, thread - 20, i < n, i += threads)
LOOP(falls, int, n - thread, i > 0, i -= threads)
LOOP(unsigned_falls, unsigned, n + 5000u - thread, i > 4999, i -= threads)
LOOP(counts, int, thread * 2, i < 2 * n, i += 2 * threads)
LOOP(once_more, int, thread, i < n + (thread & 3), i += threads)
LOOP(to_the_end, int, INT_MAX - 3 * threads - thread, i < INT_MAX - threads, i += threads)
LOOP(wraps, unsigned, UINT_MAX - 40 - thread, i > 4000u, i += 41)

// Two exits, and iterations that end early.
__host__ __device__ static Result work_breaks(int thread, int threads, int n, const int *in)
{
    Result made = {0, 0, -1};
    for (int i = thread; i < n; i += threads) {
        if (in[i % MOST] % 5 == 0) {
            continue;
        }
        made.sum += in[i % MOST];
        if (made.sum % 17 == 3) {
            break;
        }
        made.last = i;
        made.turns++;
    }
    return made;
}

__global__ void __launch_bounds__(BLOCK) breaks(int n, const int *in, Result *out)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    out[thread] = work_breaks(thread, gridDim.x * blockDim.x, n, in);
}

__global__ void __launch_bounds__(BLOCK) tally(int n, const int *in, int *out)
{
    __shared__ int sum[BINS], least[BINS], most[BINS], bits[BINS], flips[BINS];
    __shared__ unsigned count[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) {
        sum[i] = bits[i] = flips[i] = most[i] = count[i] = 0;
        least[i] = INT_MAX;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int bin = in[i] & (BINS - 1);
        atomicAdd(&sum[bin], in[i]);
        atomicSub(&sum[(bin + 1) % BINS], i);
        atomicMin(&least[bin], in[i]);
        atomicMax(&most[bin], in[i]);
        atomicOr(&bits[bin], in[i]);
        atomicXor(&flips[bin], i);
        atomicAdd(&count[bin], 3u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) {
        int *mine = out + i * 6;
        mine[0] = sum[i];
        mine[1] = least[i];
        mine[2] = most[i];
        mine[3] = bits[i];
        mine[4] = flips[i];
        mine[5] = count[i];
    }
}

// Gives each thread a place of its own in its bin.
__global__ void __launch_bounds__(BLOCK) rank(const int *in, int *out)
{
    __shared__ int next[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) {
        next[i] = i * MOST;
    }
    __syncthreads();
    int place = atomicAdd(&next[in[threadIdx.x] & (BINS - 1)], 1);
    out[place] += 1;
}

static int input[MOST], *device_in;
static Result *device_out;

typedef Result (*work_of)(int thread, int threads, int n, const int *in);

template <typename Kernel> static int try_loop(Kernel kernel, work_of work, int size, int n)
{
    static Result out[MOST];
    int blocks = MOST / size, count = 0;
    kernel<<<blocks, size>>>(n, device_in, device_out);
    MUST(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks * size; i++) {
        Result must = work(i, blocks * size, n, input);
        count += out[i].sum != must.sum || out[i].turns != must.turns || out[i].last != must.last;
    }
    return count;
}

static const int sizes[] = {256, 100, 64, 192};

template <typename Kernel> static void loop(const char *name, Kernel kernel, work_of work)
{
    int count = 0;
    for (int size : sizes) {
        for (int n :
             {0, 1, 15, 16, 17, 63, 64, 65, 100, 255, 257, 1000, 1023, 1024, 1025, 4097, 9000}) {
            count += try_loop(kernel, work, size, n);
        }
    }
    printf("%s: %d wrong\n", name, count);
}
#define TRY(name) loop(#name, name, work_##name)

static void tally_here(int n, int *out)
{
    for (int i = 0; i < BINS; i++) {
        out[i * 6] = out[i * 6 + 2] = out[i * 6 + 3] = out[i * 6 + 4] = out[i * 6 + 5] = 0;
        out[i * 6 + 1] = INT_MAX;
    }
    for (int i = 0; i < n; i++) {
        int *mine = out + (input[i] & (BINS - 1)) * 6;
        int *next = out + ((input[i] & (BINS - 1)) + 1) % BINS * 6;
        mine[0] += input[i];
        next[0] -= i;
        mine[1] = input[i] < mine[1] ? input[i] : mine[1];
        mine[2] = input[i] > mine[2] ? input[i] : mine[2];
        mine[3] |= input[i];
        mine[4] ^= i;
        mine[5] += 3;
    }
}

static int try_tally(int size, int n)
{
    static int out[BINS * 6], must[BINS * 6];
    int *to, count = 0;
    MUST(cudaMalloc(&to, sizeof out));
    tally<<<1, size>>>(n, device_in, to);
    MUST(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
    MUST(cudaFree(to));
    tally_here(n, must);
    for (int i = 0; i < BINS * 6; i++) {
        count += out[i] != must[i];
    }
    return count;
}

static int try_rank(int size)
{
    static int out[BINS * MOST], next[BINS];
    int *to, count = 0;
    MUST(cudaMalloc(&to, sizeof out));
    MUST(cudaMemset(to, 0, sizeof out));
    rank<<<1, size>>>(device_in, to);
    MUST(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
    MUST(cudaFree(to));
    for (int bin = 0; bin < BINS; bin++) {
        next[bin] = 0;
    }
    for (int i = 0; i < size; i++) {
        next[input[i] & (BINS - 1)]++;
    }
    for (int i = 0; i < BINS * MOST; i++) {
        count += out[i] != (i % MOST < next[i / MOST]);
    }
    return count;
}

int main()
{
    unsigned state = 7;
    for (int &item : input) {
        state = state * 1664525u + 1013904223u;
        item = (int)(state >> 12);
    }
    MUST(cudaMalloc(&device_in, sizeof input));
    MUST(cudaMalloc(&device_out, MOST * sizeof(Result)));
    MUST(cudaMemcpy(device_in, input, sizeof input, cudaMemcpyHostToDevice));
    TRY(rises);
    TRY(rises_to);
    TRY(unsigned_rises);
    TRY(wide_rises);
    TRY(falls);
    TRY(unsigned_falls);
    TRY(counts);
    TRY(once_more);
    TRY(to_the_end);
    TRY(wraps);
    TRY(breaks);
    int tallies = 0, ranks = 0;
    for (int size : sizes) {
        ranks += try_rank(size);
        for (int n : {0, 10, 64, 100, 256, 500, 1000, 1024}) {
            tallies += try_tally(size, n);
        }
    }
    printf("tally: %d wrong\nrank: %d wrong\n", tallies, ranks);
    return 0;
}
