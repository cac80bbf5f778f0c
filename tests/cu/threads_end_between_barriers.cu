// cdpcc: -O3 --entry=thread
// Threads of a block end one after the other between barriers of all kinds, in blocks of all sizes:
// the remaining threads still synchronize, and see what the others wrote.
#include <cstdio>

#include "../../examples/check.h"

#define MOST 1024
#define ROUNDS 24

__host__ __device__ static int lastRound(int thread, int kind)
{
    switch (kind) {
    case 0:
        return ROUNDS;
    case 1:
        return thread % ROUNDS; // some in each round
    case 2:
        return thread < 40 ? 5 : ROUNDS; // the first, at once
    default:
        return thread % 64 == 63 ? ROUNDS : 2; // most
    }
}

__host__ __device__ static int mix(int value, int thread, int round)
{
    return (value * 31 + thread + round) & 0xffff;
}

__global__ void meet(int kind, int *out)
{
    __shared__ int shared[MOST];
    int thread = threadIdx.x, size = blockDim.x, sum = thread;
    shared[thread] = thread;
    __syncthreads();
    for (int round = 0; round < lastRound(thread, kind); round++) {
        sum = mix(sum + shared[(thread * 7 + round) % size], thread, round);
        if (round % 3 == 0) {
            sum += __syncthreads_count(sum & 1);
        } else {
            __syncthreads();
        }
        shared[thread] = sum;
        if (round % 4 == 1) {
            __syncwarp();
        }
        __syncthreads();
    }
    out[thread] = sum;
}

static void expect(int kind, int size, int *out)
{
    static int shared[MOST], sum[MOST];
    for (int thread = 0; thread < size; thread++) {
        shared[thread] = sum[thread] = thread;
    }
    for (int round = 0; round < ROUNDS; round++) {
        int odd = 0;
        for (int thread = 0; thread < size; thread++) {
            if (round < lastRound(thread, kind)) {
                sum[thread] =
                    mix(sum[thread] + shared[(thread * 7 + round) % size], thread, round);
                odd += sum[thread] & 1;
            }
        }
        for (int thread = 0; thread < size; thread++) {
            if (round < lastRound(thread, kind)) {
                sum[thread] += round % 3 == 0 ? odd : 0;
                shared[thread] = sum[thread];
            }
        }
    }
    for (int thread = 0; thread < size; thread++) {
        out[thread] = sum[thread];
    }
}

int main()
{
    static int right[MOST];
    static const int sizes[] = {1, 2, 31, 32, 100, 256, 1000, 1024, 3};
    int *out;
    check(cudaMallocManaged(&out, MOST * sizeof *out));
    for (int kind = 0; kind < 4; kind++) {
        for (int size : sizes) {
            int wrong = 0;
            meet<<<1, size>>>(kind, out);
            check(cudaDeviceSynchronize());
            expect(kind, size, right);
            for (int thread = 0; thread < size; thread++) {
                wrong += out[thread] != right[thread];
            }
            if (wrong != 0) {
                printf("kind %d, %d threads: %d wrong\n", kind, size, wrong);
            }
        }
    }
    printf("all met\n");
}
