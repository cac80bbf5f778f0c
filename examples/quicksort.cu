// Quicksort: each grid partitions its range around a pivot and launches one child for each side, in
// two streams so that they may run side by side.
//
// The threads of a block partition together, from one buffer into the other. Every thread counts
// its numbers, reserves as many places with shared-memory counters, and fills these places. Short
// ranges are sorted in shared memory: each thread counts how many numbers belong before its own.
// Ranges that are still long at the depth limit are sorted by heapsort, so that no input takes
// quadratic time.
//
//   quicksort [n]        default 20000
#include <algorithm>
#include <vector>

#include "check.h"

#define THREADS 128
#define SHORT 256
#define MAX_DEPTH 32

__device__ void swap(unsigned *a, unsigned *b)
{
    unsigned value = *a;
    *a = *b;
    *b = value;
}

__global__ void heapsort(const unsigned *from, unsigned *data, int n)
{
    for (int i = 0; i < n; i++) {
        data[i] = from[i];
    }
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

__global__ void sortShort(const unsigned *from, unsigned *data, int n)
{
    __shared__ unsigned values[SHORT];
    for (int i = threadIdx.x; i < n; i += THREADS) {
        values[i] = from[i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS) {
        unsigned value = values[i];
        int before = 0;
        for (int j = 0; j < n; j++) {
            before += values[j] < value || (values[j] == value && j < i);
        }
        data[before] = value;
    }
}

__global__ void quicksort(unsigned *from, unsigned *to, unsigned *data, int n, int depth);

// The numbers in `from` must be sorted into `data`, which is `from` or `to`.
__device__ void sortRange(unsigned *from, unsigned *to, unsigned *data, int n, int depth)
{
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (n <= SHORT) {
        sortShort<<<1, THREADS, 0, stream>>>(from, data, n);
    } else if (depth >= MAX_DEPTH) {
        heapsort<<<1, 1, 0, stream>>>(from, data, n);
    } else {
        quicksort<<<1, THREADS, 0, stream>>>(from, to, data, n, depth);
    }
    check(cudaStreamDestroy(stream));
}

__global__ void quicksort(unsigned *from, unsigned *to, unsigned *data, int n, int depth)
{
    __shared__ int lessCount, equalCount, greaterCount;
    unsigned a = from[0], b = from[n / 2], c = from[n - 1];
    unsigned pivot = max(min(a, b), min(max(a, b), c)); // the median
    if (threadIdx.x == 0) {
        lessCount = equalCount = greaterCount = 0;
    }
    __syncthreads();
    int less = 0, equal = 0, greater = 0; // this thread's numbers; then its next place for each
    for (int i = threadIdx.x; i < n; i += THREADS) {
        less += from[i] < pivot;
        equal += from[i] == pivot;
        greater += from[i] > pivot;
    }
    less = atomicAdd(&lessCount, less);
    greater = n - atomicAdd(&greaterCount, greater) - greater;
    __syncthreads();
    equal = lessCount + atomicAdd(&equalCount, equal);
    for (int i = threadIdx.x; i < n; i += THREADS) {
        unsigned value = from[i];
        int place = value < pivot ? less++ : value > pivot ? greater++ : equal++;
        to[place] = value;
    }
    __syncthreads();
    int left = lessCount, right = n - greaterCount;
    for (int i = left + threadIdx.x; i < right && data != to; i += THREADS) {
        data[i] = pivot;
    }
    if (threadIdx.x == 0) {
        sortRange(to, from, data, left, depth + 1);
        sortRange(to + right, from + right, data + right, n - right, depth + 1);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    if (n < 1) {
        fprintf(stderr, "usage: quicksort [n, at least 1]\n");
        return 2;
    }
    unsigned *data = nullptr; // followed by scratch memory
    check(cudaMallocManaged(&data, 2 * sizeof(unsigned) * n));
    for (int i = 0; i < n; i++) {
        data[i] = (i * 2654435761u) >> 8;
    }
    std::vector<unsigned> expected(data, data + n);
    std::sort(expected.begin(), expected.end());
    quicksort<<<1, THREADS>>>(data, data + n, data, n, 0);
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
