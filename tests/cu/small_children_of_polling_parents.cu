// A parent that polls yields to its other threads, but not while it runs a serialized child: the
// children of a block's NULL stream run one after the other.
#include "show.h"

enum { PARENTS = 16, REPEATS = 50 };

__device__ void wait_for(volatile int *flag)
{
    if (threadIdx.x == 5) {
        *flag = 1;
    }
    while (*flag == 0) { }
}

// The loop ends by itself, but polls.
__global__ void draw(int *count, int *next, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    int before = count[i];
    while (atomicAdd(next, 1) < 8) { }
    count[i] = before + 1;
}

__global__ void draws(int *count, int *next, volatile int *flag)
{
    wait_for(flag);
    draw<<<1, 3>>>(count, next, 2);
}

// The usual addition of floats by compare-and-swap, of all blocks to one sum.
__global__ void add(int *count, int *sum, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    int before = count[i], old = *sum, seen;
    do {
        seen = old;
        old = atomicCAS(sum, seen, __float_as_int(__int_as_float(seen) + 1.0f));
    } while (seen != old);
    count[i] = before + 1;
}

__global__ void adds(int *count, int *sum, volatile int *flag)
{
    wait_for(flag);
    for (int k = 0; k < REPEATS; k++) {
        add<<<1, 3>>>(count + blockIdx.x * 4, sum, 2);
    }
}

// The test of the small child comes after the last poll.
__global__ void small(int *count, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    unsigned before = count[i], h = before;
    for (int k = 0; k < 20000; k++) {
        h = h * 1664525u + (h >> 9);
    }
    count[i] = before + 1 + (h == 77);
}

__global__ void large(int *count, int n)
{
    __shared__ int kept[64];
    int i = threadIdx.x;
    kept[i] = count[i];
    __syncthreads();
    unsigned h = kept[i ^ 1];
    for (int k = 0; i < n && k < 20000; k++) {
        h = h * 1664525u + (h >> 9);
    }
    __syncthreads();
    if (i < n) {
        count[i] = kept[i] + 1 + (h == 77);
    }
}

__global__ void both(int *count, volatile int *flag, int n)
{
    wait_for(flag);
    if (threadIdx.x & 1) {
        large<<<1, 64>>>(count, n);
    } else {
        small<<<1, 32>>>(count, n);
    }
}

int main()
{
    int *x;
    MUST(cudaMallocManaged(&x, 1000 * sizeof *x));
    int wrong = 0;
    for (int round = 0; round < 10; round++) {
        MUST(cudaMemset(x, 0, 1000 * sizeof *x));
        draws<<<1, PARENTS>>>(x, x + 100, x + 200);
        MUST(cudaDeviceSynchronize());
        wrong += x[0] != PARENTS || x[1] != PARENTS;
        adds<<<8, PARENTS>>>(x + 300, x + 400, x + 500);
        MUST(cudaDeviceSynchronize());
        for (int block = 0; block < 8; block++) {
            wrong += x[300 + block * 4] != PARENTS * REPEATS || x[301 + block * 4] != PARENTS * REPEATS;
        }
        float sum;
        memcpy(&sum, x + 400, sizeof sum);
        wrong += sum != 8 * PARENTS * REPEATS * 2;
        both<<<1, PARENTS>>>(x + 600, x + 700, 2);
        MUST(cudaDeviceSynchronize());
        wrong += x[600] != PARENTS || x[601] != PARENTS;
    }
    printf("%d wrong\n", wrong);
}
