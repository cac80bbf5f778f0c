// cdpcc: -O2
// Small children run inside their parents, but not if their threads yield: between volatile accesses. The
// children have one to three threads, and no size is a constant.
#include "show.h"
enum { PARENTS = 12, WORDS = 16 };

__global__ void child(volatile int *own, int *out)
{
    own[0] = 1;
    own[2] = own[1] + 1;
    out[threadIdx.x] = 5 + threadIdx.x;
}
__global__ void ordered(int *own, int *out)
{
    __threadfence();
    out[3 + threadIdx.x] = own[0] + threadIdx.x;
}
__global__ void parent(int *words, int *out, int threads)
{
    int *own = words + WORDS * blockIdx.x;
    if (threadIdx.x == 0) {
        child<<<1, threads>>>(own, own + 3);
        ordered<<<1, threads>>>(own, own + 3);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = blockIdx.x + 1;
    }
}

int main()
{
    int *words, *out;
    MUST(cudaMallocManaged(&words, PARENTS * WORDS * 4 * sizeof(int)));
    MUST(cudaMallocManaged(&out, PARENTS * sizeof(int)));
    for (int size = 1; size <= 64; size += 63) {
        for (int threads = 1; threads <= 3; threads++) {
            MUST(cudaMemset(words, 0, PARENTS * WORDS * sizeof(int)));
            MUST(cudaMemset(out, 0, PARENTS * sizeof(int)));
            parent<<<PARENTS, size>>>(words, out, threads);
            MUST(cudaDeviceSynchronize());
            long sum = 0;
            for (int i = 0; i < PARENTS * WORDS; i++) {
                sum = sum * 31 % 1000003 + words[i];
            }
            for (int i = 0; i < PARENTS; i++) {
                sum = sum * 31 % 1000003 + out[i];
            }
            printf("%d, %d: %ld\n", size, threads, sum);
        }
    }
}
