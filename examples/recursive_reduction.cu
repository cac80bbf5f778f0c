// A sum by recursion: each grid splits its range, launches one child per part, waits for them, and
// adds their results.
//
// A wait at every level needs a synchronization depth above the default of 2, which the host sets
// before the first launch. Each parent stores its parts' results in memory of its own, so that no
// grid reads what another still writes.
//
//   recursive_reduction [n]        default 100000
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define THREADS 64
#define FANOUT 4
#define LEAF 1024

// Sums in[0..n) with the whole block; thread 0 has the result.
__device__ long long sumOfBlock(const int *in, int n)
{
    __shared__ long long partial[THREADS];
    long long sum = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        sum += in[i];
    }
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    return partial[0];
}

__global__ void reduce(const int *in, int n, long long *out)
{
    if (n <= LEAF) {
        long long sum = sumOfBlock(in, n);
        if (threadIdx.x == 0) {
            *out = sum;
        }
        return;
    }
    if (threadIdx.x != 0) {
        return;
    }

    long long *parts = nullptr;
    check(cudaMalloc(&parts, FANOUT * sizeof(*parts)));
    int part = (n + FANOUT - 1) / FANOUT;
    for (int i = 0; i < FANOUT; i++) {
        cudaStream_t stream;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        reduce<<<1, THREADS, 0, stream>>>(in + i * part, min(part, n - i * part), parts + i);
        check(cudaGetLastError());
        check(cudaStreamDestroy(stream)); // the child still runs
    }
    check(cudaDeviceSynchronize());
    long long sum = 0;
    for (int i = 0; i < FANOUT; i++) {
        sum += parts[i];
    }
    *out = sum;
    check(cudaFree(parts));
}

static int levelsOf(int n)
{
    int levels = 1;
    for (; n > LEAF; n = (n + FANOUT - 1) / FANOUT) {
        levels++;
    }
    return levels;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    if (n < 1) {
        fprintf(stderr, "usage: recursive_reduction [n, at least 1]\n");
        return 2;
    }

    std::vector<int> host(n);
    long long expected = 0;
    for (int i = 0; i < n; i++) {
        host[i] = (int)((i * 2654435761u) % 2001) - 1000;
        expected += host[i];
    }

    int *in = nullptr;
    long long *out = nullptr;
    check(cudaMalloc(&in, n * sizeof(int)));
    check(cudaMalloc(&out, sizeof(long long)));
    check(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    check(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, levelsOf(n)));
    reduce<<<1, THREADS>>>(in, n, out);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    long long sum = 0;
    check(cudaMemcpy(&sum, out, sizeof(sum), cudaMemcpyDeviceToHost));
    check(cudaFree(in));
    check(cudaFree(out));
    if (sum != expected) {
        printf("recursive_reduction: FAILED: %lld instead of %lld\n", sum, expected);
        return 1;
    }
    printf("recursive_reduction: sum of %d numbers in %d levels: %lld\n", n, levelsOf(n), sum);
    return 0;
}
