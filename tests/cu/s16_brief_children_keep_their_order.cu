// cdpcc: -O2
// rules: S15 S16 S17 S21
// Children of a few instructions may run inside the launch.  They still run in the order of their
// streams, all threads of their blocks run, and the launching thread keeps its own indices.
#include "show.h"

enum { THREADS = 100 };

// It has a loop, so it does not run inside the launch.
__global__ void slow(int *x)
{
    int value = 1;
    for (int i = 0; i < x[1]; i++) {
        value = value * 3 + i;
    }
    x[0] = value | 1;
}

__global__ void copy(const int *x, int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        to[i] = x[0];
    }
}

// Its results are right only if no two of these run at the same time.
__global__ void bump(int *x)
{
    x[0] += 1;
}

__global__ void count(unsigned *sum, int weight)
{
    atomicAdd(sum, weight * (1 + threadIdx.x + 10 * blockIdx.x));
}

__global__ void in_null_stream(int *x, int *copies, int *indices)
{
    if (threadIdx.x == 0) {
        slow<<<1, 1>>>(x);
        copy<<<2, 32>>>(x, copies, 50);
    }
    __syncthreads();
    bump<<<1, 1>>>(x);
    bump<<<1, 1>>>(x);
    indices[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
}

__global__ void in_other_streams(int *x, int *copies)
{
    cudaStream_t first, second;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    slow<<<1, 1, 0, first>>>(x);
    copy<<<1, 32, 0, first>>>(x, copies, 20);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    copy<<<1, 32, 0, second>>>(copies + 19, copies + 20, 30);
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

enum { BLOCKS = 7, SIZES = BLOCKS * 9 };
#define LISTS                                                                                      \
    const int blocks[BLOCKS] = {1, 2, 3, 5, 32, 100, 1025},                                        \
              threads[9] = {1, 2, 3, 4, 16, 17, 64, 300, 1024}

__global__ void sizes(unsigned *sums)
{
    LISTS;
    for (int b = 0; b < BLOCKS; b++) {
        for (int t = 0; t < 9; t++) {
            count<<<blocks[b], threads[t]>>>(&sums[SIZES * blockIdx.x + 9 * b + t],
                                             1 + threadIdx.x);
        }
    }
}

// Each child adds to what the one before it has stored, so they must run in order.
__global__ void next(unsigned *step, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == n) {
        step[0] = step[0] * 5 + n;
    }
}

__global__ void steps(unsigned *step)
{
    for (unsigned n = 32; n <= 1 << 16 && threadIdx.x == 5 % blockDim.x; n *= 2) {
        next<<<n / 32, 32>>>(&step[blockIdx.x], n - 1);
        next<<<n / 16, 32>>>(&step[blockIdx.x], n + 3);
    }
}

static long sum_of(int blocks, int threads)
{
    long sum = 0;
    for (int b = 0; b < blocks; b++) {
        for (int t = 0; t < threads; t++) {
            sum += 1 + t + 10 * b;
        }
    }
    return sum;
}

int main()
{
    enum { PARENTS = 40 };
    int *x, *copies, *indices;
    unsigned *sums, *step, last = 0;
    MUST(cudaMallocManaged(&x, 2 * sizeof(int)));
    MUST(cudaMallocManaged(&copies, 50 * sizeof(int)));
    MUST(cudaMallocManaged(&indices, 3 * THREADS * sizeof(int)));
    MUST(cudaMallocManaged(&sums, 3 * SIZES * sizeof(int)));
    MUST(cudaMallocManaged(&step, PARENTS * sizeof(int)));
    x[1] = 5000;
    in_null_stream<<<1, THREADS>>>(x, copies, indices);
    MUST(cudaDeviceSynchronize());
    int wrong = 0, slow_result = x[0] - 2 * THREADS;
    for (int i = 0; i < 50; i++) {
        wrong += copies[i] != slow_result;
    }
    for (int i = 0; i < THREADS; i++) {
        wrong += indices[i] != i;
    }
    printf("NULL stream: %d wrong, odd result: %d\n", wrong, slow_result & 1);
    x[0] = 0;
    in_other_streams<<<1, 1>>>(x, copies);
    MUST(cudaDeviceSynchronize());
    wrong = 0;
    for (int i = 0; i < 50; i++) {
        wrong += copies[i] != slow_result;
    }
    printf("other streams: %d wrong\n", wrong);
    sizes<<<3, 2>>>(sums);
    MUST(cudaDeviceSynchronize());
    LISTS;
    wrong = 0;
    for (int i = 0; i < SIZES; i++) {
        unsigned sum = (unsigned)(3 * sum_of(blocks[i / 9], threads[i % 9]));
        wrong += (sums[i] != sum) + (sums[SIZES + i] != sum) + (sums[2 * SIZES + i] != sum);
    }
    printf("sizes: %d wrong\n", wrong);
    for (unsigned n = 32; n <= 1 << 16; n *= 2) {
        last = (last * 5 + n - 1) * 5 + n + 3;
    }
    for (int threads = 1; threads <= 64; threads *= 64) { // by thread entries, by block entries
        for (int i = 0; i < PARENTS; i++) {
            step[i] = 0;
        }
        steps<<<PARENTS, threads>>>(step);
        MUST(cudaDeviceSynchronize());
        wrong = 0;
        for (int i = 0; i < PARENTS; i++) {
            wrong += step[i] != last;
        }
        printf("steps: %d wrong\n", wrong);
    }
}
