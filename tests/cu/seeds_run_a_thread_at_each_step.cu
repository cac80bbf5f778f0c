// With a seed the device's clock counts the schedule's steps. Most steps run a thread: the worker does
// not leave a block for another one before a thread of it has run.
// env: CDP_SEED=1
// workers: 1
#include <cstdio>

const int BLOCKS = 32, THREADS = 64, BARRIERS = 20, STEP_NS = 100;

__device__ unsigned long long now()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void meet(unsigned long long *first, unsigned long long *last)
{
    atomicMin(first, now());
    for (int i = 0; i < BARRIERS; i++) {
        __syncthreads();
    }
    atomicMax(last, now());
}

int main()
{
    unsigned long long *times;
    cudaMallocManaged(&times, 2 * sizeof *times);
    times[0] = ~0ull;
    times[1] = 0;
    meet<<<BLOCKS, THREADS>>>(&times[0], &times[1]);
    cudaDeviceSynchronize();
    unsigned long long steps = (times[1] - times[0]) / STEP_NS;
    unsigned long long waits = (unsigned long long)BLOCKS * THREADS * BARRIERS;
    bool is_plausible = steps > waits / 2, is_few = steps < 4 * waits;
    printf("%s\n", is_plausible && is_few ? "few" : "many");
    return 0;
}
