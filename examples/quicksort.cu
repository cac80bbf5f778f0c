// Quicksort: each grid partitions its range around a pivot and launches one
// child for each side, in two streams so that they may run side by side.
//
// The block partitions together: every thread counts its numbers, then writes
// them to the places that shared-memory counters hand out.  Short ranges are
// sorted in shared memory by a bitonic network; ranges that are still long at
// the depth limit, by heapsort, so that no input is quadratic.
//
//   quicksort [n]        default 20000
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define THREADS 128
#define SHORT 512
#define MAX_DEPTH 20

// Sorts up to SHORT numbers in shared memory; missing places are filled with the
// largest number, which ends up behind the others.
__device__ void sortShort(unsigned *data, int n)
{
    __shared__ unsigned values[SHORT];
    for (int i = threadIdx.x; i < SHORT; i += THREADS) {
        values[i] = i < n ? data[i] : ~0u;
    }
    __syncthreads();
    for (int size = 2; size <= SHORT; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            for (int i = threadIdx.x; i < SHORT; i += THREADS) {
                int partner = i ^ stride;
                bool ascending = (i & size) == 0;
                if (partner > i && (values[i] > values[partner]) == ascending) {
                    unsigned swapped = values[i];
                    values[i] = values[partner];
                    values[partner] = swapped;
                }
            }
            __syncthreads();
        }
    }
    for (int i = threadIdx.x; i < n; i += THREADS) {
        data[i] = values[i];
    }
}

__device__ void siftDown(unsigned *data, int root, int n)
{
    unsigned value = data[root];
    for (int child = 2 * root + 1; child < n; child = 2 * root + 1) {
        if (child + 1 < n && data[child + 1] > data[child]) {
            child++;
        }
        if (data[child] <= value) {
            break;
        }
        data[root] = data[child];
        root = child;
    }
    data[root] = value;
}

__device__ void heapsort(unsigned *data, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--) {
        siftDown(data, i, n);
    }
    for (int last = n - 1; last > 0; last--) {
        unsigned top = data[0];
        data[0] = data[last];
        data[last] = top;
        siftDown(data, 0, last);
    }
}

__device__ unsigned medianOf3(unsigned a, unsigned b, unsigned c)
{
    return max(min(a, b), min(max(a, b), c));
}

__global__ void quicksort(unsigned *data, unsigned *scratch, int n, int depth)
{
    if (n <= SHORT) {
        sortShort(data, n);
        return;
    }
    if (depth >= MAX_DEPTH) {
        if (threadIdx.x == 0) {
            heapsort(data, n);
        }
        return;
    }

    __shared__ int less, equal, nextLess, nextEqual, nextGreater;
    unsigned pivot = medianOf3(data[0], data[n / 2], data[n - 1]);
    if (threadIdx.x == 0) {
        less = equal = 0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS) {
        scratch[i] = data[i];
        if (data[i] < pivot) {
            atomicAdd(&less, 1);
        } else if (data[i] == pivot) {
            atomicAdd(&equal, 1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        nextLess = 0;
        nextEqual = less;
        nextGreater = less + equal;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS) {
        unsigned value = scratch[i];
        int *next = value < pivot ? &nextLess : value == pivot ? &nextEqual : &nextGreater;
        data[atomicAdd(next, 1)] = value;
    }
    __syncthreads();

    if (threadIdx.x == 0) {
        int greater = less + equal;
        cudaStream_t stream;
        if (less > 1) {
            check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            quicksort<<<1, THREADS, 0, stream>>>(data, scratch, less, depth + 1);
            check(cudaStreamDestroy(stream));
        }
        if (n - greater > 1) {
            check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            quicksort<<<1, THREADS, 0, stream>>>(data + greater, scratch + greater, n - greater,
                                                 depth + 1);
            check(cudaStreamDestroy(stream));
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    if (n < 1) {
        fprintf(stderr, "usage: quicksort [n, at least 1]\n");
        return 2;
    }
    std::vector<unsigned> host(n);
    for (int i = 0; i < n; i++) {
        host[i] = (i * 2654435761u) >> 8;
    }

    unsigned *data = nullptr, *scratch = nullptr;
    check(cudaMalloc(&data, n * sizeof(unsigned)));
    check(cudaMalloc(&scratch, n * sizeof(unsigned)));
    check(cudaMemcpy(data, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    quicksort<<<1, THREADS>>>(data, scratch, n, 0);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    std::vector<unsigned> sorted(n);
    check(cudaMemcpy(sorted.data(), data, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    check(cudaFree(data));
    check(cudaFree(scratch));
    std::sort(host.begin(), host.end());
    if (sorted != host) {
        printf("quicksort: FAILED: not in order\n");
        return 1;
    }
    printf("quicksort: %d numbers in order\n", n);
    return 0;
}
