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
#include <vector>

#include "check.h"

#define THREADS 128
#define SHORT 512
#define MAX_DEPTH 20

__device__ void swap(unsigned *a, unsigned *b)
{
    unsigned value = *a;
    *a = *b;
    *b = value;
}

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
                    swap(&values[i], &values[partner]);
                }
            }
            __syncthreads();
        }
    }
    for (int i = threadIdx.x; i < n; i += THREADS) {
        data[i] = values[i];
    }
}

__device__ void heapsort(unsigned *data, int n)
{
    int start = n / 2, end = n;
    while (end > 1) {
        if (start > 0) { // not yet a heap
            start--;
        } else {
            swap(&data[0], &data[--end]);
        }
        for (int root = start, child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && data[child + 1] > data[child]) {
                child++;
            }
            if (data[root] >= data[child]) {
                break;
            }
            swap(&data[root], &data[child]);
        }
    }
}

__device__ int sideOf(unsigned value, unsigned pivot)
{
    return (value >= pivot) + (value > pivot); // 0, 1, 2: less, equal, greater
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
    __shared__ int next[3]; // counts, then the next free place, of less, equal and greater
    unsigned a = data[0], b = data[n / 2], c = data[n - 1];
    unsigned pivot = max(min(a, b), min(max(a, b), c)); // the median
    if (threadIdx.x < 3) {
        next[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS) {
        scratch[i] = data[i];
        atomicAdd(&next[sideOf(data[i], pivot)], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        next[2] = next[0] + next[1];
        next[1] = next[0];
        next[0] = 0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS) {
        data[atomicAdd(&next[sideOf(scratch[i], pivot)], 1)] = scratch[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) { // each place is now the start of the next side
        int starts[] = {0, next[1]}, ends[] = {next[0], n};
        for (int side = 0; side < 2; side++) {
            int from = starts[side], count = ends[side] - from;
            if (count > 1) {
                cudaStream_t stream;
                check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
                quicksort<<<1, THREADS, 0, stream>>>(data + from, scratch + from, count, depth + 1);
                check(cudaStreamDestroy(stream));
            }
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
    unsigned *data = nullptr; // and scratch behind it
    check(cudaMallocManaged(&data, 2 * sizeof(unsigned) * n));
    for (int i = 0; i < n; i++) {
        data[i] = (i * 2654435761u) >> 8;
    }
    std::vector<unsigned> expected(data, data + n);
    std::sort(expected.begin(), expected.end());
    quicksort<<<1, THREADS>>>(data, data + n, n, 0);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    if (!std::equal(expected.begin(), expected.end(), data)) {
        printf("quicksort: FAILED: not in order\n");
        return 1;
    }
    check(cudaFree(data));
    printf("quicksort: %d numbers in order\n", n);
    return 0;
}
