// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 1168 blocks ran by block entries, 0 had an unsupported shape
// entries: it tests their code
// A loop that retries a compare-and-swap with the value found last, or draws numbers from a
// counter, ends even if no other thread runs: its threads need not yield.
#include "show.h"

#include <cuda_fp16.h>

enum { BLOCKS = 146, THREADS = 100, PLACES = 7 };

__device__ int place()
{
    return (blockIdx.x * THREADS + threadIdx.x) % PLACES;
}

__global__ void largest(float *most, const float *x)
{
    int *at = (int *)&most[place()];
    int old = *at, expected;
    float mine = x[blockIdx.x * THREADS + threadIdx.x];
    do {
        expected = old;
        old = atomicCAS(at, expected, __float_as_int(fmaxf(mine, __int_as_float(expected))));
    } while (expected != old);
}

__global__ void largest_if_larger(float *most, const float *x)
{
    int *at = (int *)&most[place()];
    int old = *at;
    float mine = x[blockIdx.x * THREADS + threadIdx.x];
    while (mine > __int_as_float(old)) {
        int expected = old;
        old = atomicCAS(at, expected, __float_as_int(mine));
        if (old == expected) {
            break;
        }
    }
}

__global__ void doubles(double *sum)
{
    unsigned long long *at = (unsigned long long *)&sum[place()];
    unsigned long long old = *at, expected;
    do {
        expected = old;
        double next = __longlong_as_double((long long)expected) + 1;
        old = atomicCAS(at, expected, (unsigned long long)__double_as_longlong(next));
    } while (expected != old);
}

__global__ void halves(__half *sum)
{
    atomicAdd(&sum[place()], __float2half(0.25f));
}

__global__ void around(unsigned *up, unsigned *down)
{
    atomicInc(&up[place()], 9);
    atomicDec(&down[place()], 9);
}

__global__ void in_shared(int *out)
{
    __shared__ int sum[PLACES];
    if (threadIdx.x < PLACES) {
        sum[threadIdx.x] = 0;
    }
    __syncthreads();
    int *at = &sum[threadIdx.x % PLACES];
    for (int old = *at;;) {
        int found = atomicCAS(at, old, old + (int)threadIdx.x);
        if (found == old) {
            break;
        }
        old = found;
    }
    __syncthreads();
    if (threadIdx.x < PLACES) {
        atomicAdd(&out[threadIdx.x], sum[threadIdx.x]);
    }
}

__global__ void draw(int *counter, int *taken, int n)
{
    for (;;) {
        int i = atomicAdd(counter, 1);
        if (i >= n) {
            break;
        }
        taken[i] += i;
    }
}

__global__ void draw_some(int *counter, int *taken)
{
    int i;
    while ((i = atomicAdd(counter, 3)) < 3000) {
        taken[i] += 1;
    }
}

int main()
{
    float *x, *most;
    double *sum;
    __half *half_sum;
    unsigned *up, *down;
    int *out, *taken;
    MUST(cudaMallocManaged(&x, BLOCKS * THREADS * sizeof *x));
    MUST(cudaMallocManaged(&most, 2 * PLACES * sizeof *most));
    MUST(cudaMallocManaged(&sum, PLACES * sizeof *sum));
    MUST(cudaMallocManaged(&half_sum, PLACES * sizeof *half_sum));
    MUST(cudaMallocManaged(&up, PLACES * sizeof *up));
    MUST(cudaMallocManaged(&down, PLACES * sizeof *down));
    MUST(cudaMallocManaged(&out, (PLACES + 2) * sizeof *out));
    MUST(cudaMallocManaged(&taken, 3000 * sizeof *taken));
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        x[i] = (float)((i * 7919) % 14563);
    }
    largest<<<BLOCKS, THREADS>>>(most, x);
    largest_if_larger<<<BLOCKS, THREADS>>>(most + PLACES, x);
    doubles<<<BLOCKS, THREADS>>>(sum);
    halves<<<BLOCKS, THREADS>>>(half_sum);
    around<<<BLOCKS, THREADS>>>(up, down);
    in_shared<<<BLOCKS, THREADS>>>(out);
    draw<<<BLOCKS, THREADS>>>(out + PLACES, taken, 2000);
    draw_some<<<BLOCKS, THREADS>>>(out + PLACES + 1, taken);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < PLACES; i++) {
        float expected = 0;
        for (int j = i; j < BLOCKS * THREADS; j += PLACES) {
            expected = x[j] > expected ? x[j] : expected;
        }
        printf("%d: largest %s, %s; sums %g, %g; around %u, %u; shared %d\n", i,
               most[i] == expected ? "right" : "wrong",
               most[PLACES + i] == expected ? "right" : "wrong", sum[i],
               (double)__half2float(half_sum[i]), up[i], down[i], out[i]);
    }
    int wrong = 0;
    for (int i = 0; i < 3000; i++) {
        wrong += taken[i] != (i < 2000 ? i : 0) + (i % 3 == 0 ? 1 : 0);
    }
    printf("drawn wrong: %d; counters %d, %d\n", wrong, out[PLACES], out[PLACES + 1]);
}
