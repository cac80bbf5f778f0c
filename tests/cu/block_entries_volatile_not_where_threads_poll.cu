// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 1 blocks ran by block entries, 0 had an unsupported shape
// entries: it tests their code
// races: volatile accesses order nothing in C++
// A loop that waits for a volatile value runs by thread entries, however the value reaches its
// condition: a block entry would never end.
#include "show.h"

#include <cstring>

__global__ void warp_waits_for_warp(int *out)
{
    __shared__ volatile int flag;
    flag = 0;
    __syncthreads();
    if (threadIdx.x >= 32) {
        flag = 5;
    } else {
        while (flag == 0) {
        }
        out[threadIdx.x] = flag;
    }
}

// One thread polls, and tells the others by plain shared memory.
__global__ void block_waits_for_block(volatile int *flag, int *out)
{
    __shared__ int seen;
    if (blockIdx.x == 1) {
        if (threadIdx.x == 0) {
            *flag = 7;
        }
        return;
    }
    do {
        __syncthreads();
        if (threadIdx.x == 0) {
            seen = *flag;
        }
        __syncthreads();
    } while (seen == 0);
    out[threadIdx.x] = seen;
}

__device__ __noinline__ int look(const volatile int *flag)
{
    return *flag;
}

__global__ void waits_by_a_function(volatile int *flag, int *out)
{
    if (threadIdx.x == 63) {
        *flag = 9;
    }
    int x;
    while ((x = look(flag)) == 0) {
    }
    out[threadIdx.x] = x;
}

__global__ void waits_by_a_variable(volatile int *flag, int *out)
{
    bool done = false;
    int seen[4] = {0, 0, 0, 0};
    while (!done) {
        seen[threadIdx.x & 3] = *flag;
        if (threadIdx.x == 40) {
            *flag = 11;
        }
        done = seen[threadIdx.x & 3] != 0;
    }
    out[threadIdx.x] = seen[threadIdx.x & 3];
}

// The address changes only after the value has come.
__global__ void waits_for_each(volatile int *flags, int *out)
{
    unsigned next = 0;
    if (threadIdx.x < 4) {
        flags[threadIdx.x] = 1;
    }
    while (next < 4) {
        if (flags[next] != 0) {
            next++;
        }
    }
    out[threadIdx.x] = (int)next;
}

__global__ void clears(int *cells)
{
    cells[threadIdx.x] = 0;
}

static int sum_of(int *cells)
{
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        sum += cells[i];
    }
    return sum;
}

int main()
{
    int *out, *flags;
    MUST(cudaMallocManaged(&out, 64 * sizeof(int)));
    MUST(cudaMallocManaged(&flags, 64 * sizeof(int)));
    clears<<<1, 64>>>(out);
    for (int kind = 0; kind < 5; kind++) {
        memset(flags, 0, 64 * sizeof(int));
        switch (kind) {
        case 0: warp_waits_for_warp<<<1, 64>>>(out); break;
        case 1: block_waits_for_block<<<2, 64>>>(flags, out); break;
        case 2: waits_by_a_function<<<1, 64>>>(flags, out); break;
        case 3: waits_by_a_variable<<<1, 64>>>(flags, out); break;
        default: waits_for_each<<<1, 64>>>(flags, out); break;
        }
        MUST(cudaDeviceSynchronize());
        printf("%d\n", sum_of(out));
    }
}
