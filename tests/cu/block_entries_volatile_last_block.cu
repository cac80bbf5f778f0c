// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 7200 blocks ran by block entries, 0 had an unsupported shape
// entries: it tests their code
// races: volatile accesses order nothing in C++
// The last block to finish adds up what the others have left in volatile global memory, with a fence
// and a counter.  Its first warp adds the last values without barriers.
#include "show.h"

__device__ unsigned finished;

__device__ void reduce(volatile int *s, unsigned t)
{
    for (unsigned half = blockDim.x / 2; half > 32; half /= 2) {
        if (t < half) {
            s[t] += s[t + half];
        }
        __syncthreads();
    }
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
}

__global__ void sums(const int *in, volatile int *partial, int *out, unsigned n)
{
    __shared__ int s[256 + 32];
    __shared__ bool is_last;
    unsigned t = threadIdx.x;
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        sum += in[i];
    }
    s[t] = sum;
    __syncthreads();
    reduce(s, t);
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        sum = 0;
        for (unsigned i = t; i < gridDim.x; i += blockDim.x) {
            sum += partial[i];
        }
        s[t] = sum;
        __syncthreads();
        reduce(s, t);
        if (t == 0) {
            *out = s[0];
        }
    }
}

int main()
{
    enum { N = 20011, MOST = 40 };
    int *in, *partial, *out, wrong = 0;
    MUST(cudaMallocManaged(&in, N * sizeof(int)));
    MUST(cudaMallocManaged(&partial, MOST * sizeof(int)));
    MUST(cudaMallocManaged(&out, sizeof(int)));
    for (int round = 0; round < 240; round++) {
        int expected = 0;
        for (int i = 0; i < N; i++) {
            in[i] = (i + round) % 1000;
            expected += in[i];
        }
        sums<<<20 + 20 * (round & 1), 64 << (round % 3)>>>(in, partial, out, N);
        MUST(cudaDeviceSynchronize());
        wrong += *out != expected;
    }
    printf("%d wrong\n", wrong);
}
