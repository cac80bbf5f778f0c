// cdpcc: --entry=block -O2 --cdp=1
// workers: 1 2 8
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 56[0-9][0-9] blocks ran by block entries, 0 had an unsupported shape
// stderr: cudaErrorIllegalAddress
// entries: it tests their code
// A block entry waits for child grids as one thread, where no other thread of the block has anything to do:
// in loops, at several depths, with values, shared memory and local errors that live across the wait. How many
// blocks run depends on when the last kernel fails.
#include "show.h"

__global__ void twice(unsigned *p, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i] = p[i] * 2 + 1;
    }
}

__global__ void rounds(unsigned *all, unsigned n, int count)
{
    __shared__ unsigned sum;
    unsigned *p = all + blockIdx.x * n, t = threadIdx.x, kept = t * 3;
    for (int r = 0; r < count; r++) {
        for (unsigned i = t; i < n; i += blockDim.x) {
            p[i] += i + kept;
        }
        __syncthreads();
        if (t == 5) {
            twice<<<(n + 63) / 64, 64>>>(p, n);
            twice<<<1, 32>>>(p, n);
            sum = cudaDeviceSynchronize() == cudaSuccess ? p[0] : 0;
        }
        __syncthreads();
        kept = kept * 5 + sum + p[(t * 7 + (unsigned)r) % n];
        if (kept % 31 == 3) {
            kept++;
        }
        __syncthreads();
    }
    atomicAdd(&p[0], kept);
}

// Without a barrier before the branch.
__global__ void early(unsigned *all, unsigned n)
{
    unsigned *p = all + blockIdx.x * n, t = threadIdx.x;
    for (unsigned i = t; i < n; i += blockDim.x) {
        p[i] ^= i * 5;
    }
    if (n > 7 && t == 0) {
        if (p[0] != 1) {
            twice<<<1, 32>>>(&all[gridDim.x * n + blockIdx.x], 1);
            cudaDeviceSynchronize();
        }
    }
    __syncthreads();
    p[t] += all[gridDim.x * n + blockIdx.x];
}

// Each level works with all its threads, then waits for the level below.
__global__ void levels(unsigned *p, unsigned n, int depth)
{
    unsigned t = threadIdx.x, *mine = p + blockIdx.x * n;
    for (unsigned i = t; i < n; i += blockDim.x) {
        mine[i] = mine[i] * 3 + (unsigned)depth;
    }
    __syncthreads();
    if (t == 0 && depth > 0) {
        levels<<<2, 48>>>(mine, n / 2, depth - 1);
        if (cudaDeviceSynchronize() != cudaSuccess) {
            mine[0] = 77;
        }
    }
    __syncthreads();
    unsigned sum = 0;
    for (unsigned i = t; i < n; i += blockDim.x) {
        sum += mine[i];
    }
    __syncthreads();
    atomicAdd(&mine[n - 1], sum);
}

// An error of the launch is the thread's; the others have none.
__global__ void errors(int *out)
{
    int mine = cudaPeekAtLastError();
    __syncthreads();
    if (threadIdx.x == 1) {
        twice<<<1, 5000>>>(nullptr, 0);
        mine = cudaGetLastError();
        twice<<<1, 32>>>(nullptr, 0);
        mine += 1000 * cudaDeviceSynchronize();
    }
    __syncthreads();
    out[threadIdx.x] = mine + 10000 * cudaGetLastError();
}

__global__ void fails(int *bad)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        *bad = 1;
    }
}
__global__ void waitsForFailure(int *out, int *bad)
{
    out += blockIdx.x * blockDim.x;
    out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        fails<<<3, 64>>>(bad);
        out[0] = cudaDeviceSynchronize();
    }
    __syncthreads();
    out[threadIdx.x] = 2;
}

int main()
{
    enum { N = 640, MOST = N * 16 };
    unsigned *p;
    int *out;
    MUST(cudaMallocManaged(&p, MOST * sizeof *p));
    MUST(cudaMallocManaged(&out, 4 * 64 * sizeof *out));
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 6));
    for (int threads : {32, 100, 256}) {
        for (int blocks : {1, 16}) {
            for (int i = 0; i < MOST; i++) {
                p[i] = (unsigned)i * 7;
            }
            rounds<<<blocks, threads>>>(p, N, 4);
            MUST(cudaDeviceSynchronize());
            printf("%d x %d: %08x", blocks, threads, hashOfWords(p, MOST));
            early<<<blocks, threads>>>(p, N - 1);
            MUST(cudaDeviceSynchronize());
            printf(" %08x", hashOfWords(p, MOST));
            levels<<<blocks, threads>>>(p, N, 5);
            MUST(cudaDeviceSynchronize());
            printf(" %08x\n", hashOfWords(p, MOST));
        }
    }
    errors<<<1, 40>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%d %d %d\n", out[0], out[1], out[39]);
    waitsForFailure<<<4, 64>>>(out, nullptr);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
