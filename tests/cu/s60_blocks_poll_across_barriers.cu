// races: one test polls by volatile loads
// One thread of a block polls for another block, and tells its own block across barriers. With one worker
// the polling block must give way although it passes barriers all the time.
#include <stdio.h>
enum { BLOCKS = 5, THREADS = 64 };
struct Volatile {
    static __device__ int load(int *flag) { return *(volatile int *)flag; }
};
struct Atomic {
    static __device__ int load(int *flag) { return atomicAdd(flag, 0); }
};
struct Swap {
    static __device__ int load(int *flag) { return atomicCAS(flag, 0, 0); }
};
struct Exchange { /* takes the flag, as a letter from a box */
    static __device__ int load(int *flag) { return atomicExch(flag, 0); }
};
struct Most {
    static __device__ int load(int *flag) { return atomicMax(flag, 0); }
};
/* The block before this one may go on. */
__device__ void tell(int *flags, int *out)
{
    atomicAdd(out, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}
/* Each block waits for the next one. */
template <class Read> __global__ void shared(int *flags, int *out)
{
    __shared__ int seen;
    bool is_last = blockIdx.x + 1 == gridDim.x;
    for (bool found = is_last; !found;) {
        if (threadIdx.x == 0) {
            seen = Read::load(&flags[blockIdx.x + 1]);
        }
        __syncthreads();
        found = seen != 0;
        __syncthreads();
    }
    tell(flags, out);
}
template <class Read> __global__ void voted(int *flags, int *out)
{
    bool is_last = blockIdx.x + 1 == gridDim.x;
    while (!is_last && !__syncthreads_or(threadIdx.x == 0 && Read::load(&flags[blockIdx.x + 1]))) {
    }
    tell(flags, out);
}
/* Many barriers for each poll: a sum of what the threads have read. */
template <class Read> __global__ void summed(int *flags, int *out)
{
    __shared__ int sums[THREADS];
    bool is_last = blockIdx.x + 1 == gridDim.x;
    for (bool found = is_last; !found;) {
        sums[threadIdx.x] = threadIdx.x == 5 ? Read::load(&flags[blockIdx.x + 1]) : 0;
        for (int width = THREADS / 2; width > 0; width /= 2) {
            __syncthreads();
            if (threadIdx.x < width) {
                sums[threadIdx.x] += sums[threadIdx.x + width];
            }
        }
        __syncthreads();
        found = sums[0] != 0;
        __syncthreads();
    }
    tell(flags, out);
}
template <class Read> void run(const char *name)
{
    int *flags, *out;
    cudaMallocManaged(&flags, BLOCKS * sizeof *flags);
    cudaMallocManaged(&out, sizeof *out);
    *out = 0;
    cudaMemset(flags, 0, BLOCKS * sizeof *flags);
    shared<Read><<<BLOCKS, THREADS>>>(flags, out);
    cudaMemsetAsync(flags, 0, BLOCKS * sizeof *flags);
    voted<Read><<<BLOCKS, THREADS>>>(flags, out);
    cudaMemsetAsync(flags, 0, BLOCKS * sizeof *flags);
    summed<Read><<<BLOCKS, THREADS>>>(flags, out);
    cudaError_t status = cudaDeviceSynchronize();
    printf("%s: %s, %d\n", name, cudaGetErrorName(status), *out);
    cudaFree(flags);
    cudaFree(out);
}
int main()
{
    run<Volatile>("volatile");
    run<Atomic>("atomicAdd");
    run<Swap>("atomicCAS");
    run<Exchange>("atomicExch");
    run<Most>("atomicMax");
}
