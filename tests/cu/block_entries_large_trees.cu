// cdpcc: --entry=block -O2
// Trees and scans of large blocks. If the size is known, their steps become straight-line code, with
// the lanes of each step as constants. Otherwise the loop over chunks ends after the last active lane.
#include <stdio.h>
enum { BLOCKS = 3 };
template<int SIZE> __global__ void halves(const int *in, int *out)
{
    __shared__ int sums[SIZE];
    sums[threadIdx.x] = in[blockIdx.x * SIZE + threadIdx.x];
    __syncthreads();
    for (int half = SIZE / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    out[blockIdx.x * SIZE + threadIdx.x] = sums[0] + threadIdx.x;
}
template<int SIZE> __global__ void doubles(const int *in, int *out)
{
    __shared__ int sums[SIZE];
    sums[threadIdx.x] = in[blockIdx.x * SIZE + threadIdx.x];
    __syncthreads();
    for (int apart = 1; apart < SIZE; apart *= 2) {
        if (threadIdx.x % (2 * apart) == 0) {
            sums[threadIdx.x] += sums[threadIdx.x + apart];
        }
        __syncthreads();
    }
    out[blockIdx.x * SIZE + threadIdx.x] = sums[0] - threadIdx.x;
}
template<int SIZE> __global__ void firsts(const int *in, int *out)
{
    __shared__ int sums[SIZE];
    sums[threadIdx.x] = in[blockIdx.x * SIZE + threadIdx.x];
    __syncthreads();
    for (int apart = 1; apart < SIZE; apart *= 2) {
        int at = 2 * apart * threadIdx.x;
        if (at < SIZE) {
            sums[at] += sums[at + apart];
        }
        __syncthreads();
    }
    out[blockIdx.x * SIZE + threadIdx.x] = sums[threadIdx.x & ~1];
}
template<int SIZE> __global__ void scan(const int *in, int *out)
{
    __shared__ int sums[SIZE];
    int thread = threadIdx.x;
    sums[thread] = in[blockIdx.x * SIZE + thread];
    __syncthreads();
    for (int distance = 1; distance < SIZE; distance <<= 1) {
        int before = thread >= distance ? sums[thread - distance] : 0;
        __syncthreads();
        sums[thread] += before;
        __syncthreads();
    }
    out[blockIdx.x * SIZE + thread] = sums[thread];
}
template<int SIZE> __global__ void there_and_back(const int *in, int *out)
{
    __shared__ int sums[SIZE];
    int thread = threadIdx.x, apart = 1;
    sums[thread] = in[blockIdx.x * SIZE + thread];
    for (int pairs = SIZE / 2; pairs > 0; pairs >>= 1) {
        __syncthreads();
        if (thread < pairs) {
            sums[apart * (2 * thread + 2) - 1] += sums[apart * (2 * thread + 1) - 1];
        }
        apart *= 2;
    }
    if (thread == 0) {
        sums[SIZE - 1] = 0;
    }
    for (int pairs = 1; pairs < SIZE; pairs *= 2) {
        apart >>= 1;
        __syncthreads();
        if (thread < pairs) {
            int left = apart * (2 * thread + 1) - 1, right = apart * (2 * thread + 2) - 1;
            int was = sums[left];
            sums[left] = sums[right];
            sums[right] += was;
        }
    }
    __syncthreads();
    out[blockIdx.x * SIZE + thread] = sums[thread];
}
/* Each iteration begins with the barrier. The last one decides what follows the loop, by a value
 * that is uniform in the block or, with `stop`, by memory. */
template<int SIZE> __global__ void barrier_first(const int *in, int *out, const int *stop)
{
    __shared__ int sums[SIZE];
    int thread = threadIdx.x;
    sums[thread] = in[blockIdx.x * SIZE + thread];
    for (int half = SIZE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half) {
            sums[thread] += sums[thread + half];
        }
        if (stop != nullptr && stop[half] != 0) {
            break;
        }
    }
    if (thread % 3 == 1) {
        out[blockIdx.x * SIZE + thread] = -thread;
        return;
    }
    __syncthreads();
    out[blockIdx.x * SIZE + thread] = sums[0] + thread;
}
template<int SIZE> static void run_first(const int *in, int *out)
{
    static int stop[1024];
    for (int last : {0, 1, SIZE / 4}) {
        int wrong = 0;
        stop[last] = last != 0;
        if (last == 0) {
            barrier_first<SIZE><<<BLOCKS, SIZE>>>(in, out, nullptr);
        } else {
            barrier_first<SIZE><<<BLOCKS, SIZE>>>(in, out, stop);
        }
        if (cudaDeviceSynchronize() != cudaSuccess) {
            printf("failed\n");
        }
        stop[last] = 0;
        for (int block = 0; block < BLOCKS; block++) {
            int sum = 0;
            for (int i = 0; i < SIZE; i += last == 0 ? 1 : last) {
                sum += in[block * SIZE + i];
            }
            for (int i = 0; i < SIZE; i++) {
                wrong += out[block * SIZE + i] != (i % 3 == 1 ? -i : sum + i);
            }
        }
        printf("%d, barrier first, until %d: %d wrong\n", SIZE, last, wrong);
    }
}
/* Any size: a step uses the upper half of the rest. */
__global__ void any_size(const int *in, int *out)
{
    __shared__ int sums[1024], late;
    int thread = threadIdx.x, left = blockDim.x;
    sums[thread] = in[blockIdx.x * blockDim.x + thread];
    __syncthreads();
    while (left > 1) {
        int half = (left + 1) / 2;
        if (thread < left - half) {
            sums[thread] += sums[thread + half];
        }
        left = half;
        __syncthreads();
    }
    if (thread < (int)blockDim.x - 90) {
        late = sums[0];
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + thread] = sums[0] + late + thread;
}
static void run_any(int *in, int *out, int size)
{
    int wrong = 0;
    any_size<<<BLOCKS, size>>>(in, out);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("failed\n");
    }
    for (int block = 0; block < BLOCKS; block++) {
        int all = 0;
        for (int i = 0; i < size; i++) {
            all += in[block * size + i];
        }
        for (int i = 0; i < size; i++) {
            wrong += out[block * size + i] != 2 * all + i;
        }
    }
    printf("any size, %d: %d wrong\n", size, wrong);
}
static unsigned hash_of(const int *numbers, int count)
{
    unsigned hash = 2166136261u;
    for (int i = 0; i < count; i++) {
        hash = (hash ^ (unsigned)numbers[i]) * 16777619u;
    }
    return hash;
}
/* The expected results of each block's threads come from sequential sums. */
template<int SIZE> static void run(int *in, int *out)
{
    unsigned wrong[5] = {0}, firsts_hash = 0;
    for (int which = 0; which < 5; which++) {
        switch (which) {
        case 0: halves<SIZE><<<BLOCKS, SIZE>>>(in, out); break;
        case 1: doubles<SIZE><<<BLOCKS, SIZE>>>(in, out); break;
        case 2: firsts<SIZE><<<BLOCKS, SIZE>>>(in, out); break;
        case 3: scan<SIZE><<<BLOCKS, SIZE>>>(in, out); break;
        default: there_and_back<SIZE><<<BLOCKS, SIZE>>>(in, out);
        }
        if (cudaDeviceSynchronize() != cudaSuccess) {
            printf("failed\n");
        }
        firsts_hash = which == 2 ? hash_of(out, BLOCKS * SIZE) : firsts_hash;
        for (int block = 0; block < BLOCKS; block++) {
            int all = 0, sum = 0;
            for (int i = 0; i < SIZE; i++) {
                all += in[block * SIZE + i];
            }
            for (int i = 0; i < SIZE; i++) {
                int got = out[block * SIZE + i];
                int mine = in[block * SIZE + i];
                int want[] = {all + i, all - i, i < 2 ? all : got, sum + mine, sum};
                wrong[which] += got != want[which];
                sum += mine;
            }
        }
    }
    printf("%d:", SIZE);
    for (int which = 0; which < 5; which++) {
        printf(" %u wrong", wrong[which]);
    }
    printf("; firsts %08x\n", firsts_hash);
}
int main()
{
    static int in[BLOCKS * 1024], out[BLOCKS * 1024];
    for (int i = 0; i < BLOCKS * 1024; i++) {
        in[i] = i * 7919 % 1013 - 400;
    }
    run<32>(in, out);
    run<256>(in, out);
    run<512>(in, out);
    run<1024>(in, out);
    run_first<32>(in, out);
    run_first<512>(in, out);
    run_first<1024>(in, out);
    run_any(in, out, 100);
    run_any(in, out, 128);
    run_any(in, out, 1000);
    run_any(in, out, 1024);
}
