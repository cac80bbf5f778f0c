// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: blocks ran by block entries, 0 had an unsupported shape
// Threads with up to 16 KiB of local arrays, in grids of the host, in children that would run inside
// their parent's block, and in children of these.
#include <stdio.h>

enum { THREADS = 40 };

/* Sums that depend on all elements, in an order that the compiler cannot simplify. */
template <int WORDS> __host__ __device__ unsigned work(unsigned seed, unsigned times)
{
    unsigned a[WORDS];
    for (int i = 0; i < WORDS; i++) {
        a[i] = seed = seed * 1664525 + 1013904223;
    }
    for (unsigned k = 0; k < times; k++) {
        for (int i = 1; i < WORDS; i++) {
            a[i] ^= a[i - 1] + k;
        }
        for (int i = WORDS - 2; i >= 0; i--) {
            a[i] += a[i + 1] >> 3;
        }
    }
    return a[0] ^ a[WORDS / 2];
}
template <int WORDS> __global__ void fill(unsigned *out, unsigned times)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work<WORDS>(i, times);
}
template <int WORDS> __global__ void parent(unsigned *out, unsigned times, int depth)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned own = work<WORDS>(i, times);
    unsigned *row = out + (size_t)i * THREADS;
    if (depth > 0 && i < 2) {
        parent<WORDS><<<1, THREADS>>>(out + THREADS * THREADS * (1 + i), times, depth - 1);
    }
    if (own != 1) {
        fill<WORDS><<<1, THREADS>>>(row, times);
    }
}

static __managed__ unsigned memory[THREADS * THREADS * 8];

template <int WORDS> static int check(void)
{
    int wrong = 0;
    fill<WORDS><<<4, THREADS>>>(memory, 3);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (unsigned i = 0; i < 4 * THREADS; i++) {
        wrong += memory[i] != work<WORDS>(i, 3);
    }
    parent<WORDS><<<1, THREADS>>>(memory, 2, 2);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (unsigned i = 0; i < 3 * THREADS * THREADS; i++) {
        wrong += memory[i] != work<WORDS>(i % THREADS, 2);
    }
    return wrong;
}

int main(void)
{
    printf("%d %d %d %d\n", check<1000>(), check<2500>(), check<3900>(), check<4096>());
    return 0;
}
