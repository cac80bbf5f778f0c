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

__global__ void count(int *sum, int weight)
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

__global__ void sizes(int *sums)
{
    const int blocks[] = {1, 2, 3, 5, 32}, threads[] = {1, 2, 3, 4, 16, 17, 64, 300, 1024};
    for (int b = 0; b < 5; b++) {
        for (int t = 0; t < 9; t++) {
            count<<<blocks[b], threads[t]>>>(&sums[9 * b + t], 1 + threadIdx.x);
        }
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
    int *x, *copies, *indices, *sums;
    MUST(cudaMallocManaged(&x, 2 * sizeof(int)));
    MUST(cudaMallocManaged(&copies, 50 * sizeof(int)));
    MUST(cudaMallocManaged(&indices, 3 * THREADS * sizeof(int)));
    MUST(cudaMallocManaged(&sums, 45 * sizeof(int)));
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
    sizes<<<1, 2>>>(sums);
    MUST(cudaDeviceSynchronize());
    const int blocks[] = {1, 2, 3, 5, 32}, threads[] = {1, 2, 3, 4, 16, 17, 64, 300, 1024};
    wrong = 0;
    for (int i = 0; i < 45; i++) {
        wrong += sums[i] != (int)(3 * sum_of(blocks[i / 9], threads[i % 9]));
    }
    printf("sizes: %d wrong\n", wrong);
}
