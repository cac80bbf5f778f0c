// cdpcc: --check=race
// races: its flags are volatile, which ThreadSanitizer does not know
// The host waits for the device by a flag in pinned memory, and the device for the host: by reading the
// flag, or by taking it. Blocks wait for blocks by a flag of one byte.
#include <atomic>
#include <cstdio>

enum { THREADS = 100 };

__global__ void produce(int *cells, volatile int *flag)
{
    cells[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        *flag = 1;
    }
}

__global__ void consume(const int *cells, volatile int *flag, int *sum)
{
    if (threadIdx.x == 0) {
        while (*flag == 0) {
        }
        __threadfence_system();
    }
    __syncthreads();
    atomicAdd(sum, cells[threadIdx.x]);
}

__global__ void take(const int *cells, int *flag, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS_system(flag, 1, 0) != 1) {
        }
    }
    __syncthreads();
    atomicAdd(sum, cells[threadIdx.x]);
}

__global__ void handOn(int *cell, volatile bool *isSet, int *sum)
{
    if (blockIdx.x == 0) {
        *cell = 5;
        __threadfence();
        *isSet = true;
    } else {
        while (!*isSet) {
        }
        *sum = *cell;
    }
}

static bool from_device(int *cells, volatile int *flag)
{
    *flag = 0;
    produce<<<1, THREADS>>>(cells, flag);
    while (*flag == 0) {
    }
    bool right = true;
    for (int i = 0; i < THREADS; i++) {
        right = right && cells[i] == i;
        cells[i] = 0;
    }
    cudaDeviceSynchronize();
    return right;
}

static int to_device(int *cells, volatile int *flag, bool takes)
{
    int *sum, result;
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = *flag = 0;
    if (takes) {
        take<<<1, THREADS>>>(cells, (int *)flag, sum);
    } else {
        consume<<<1, THREADS>>>(cells, flag, sum);
    }
    for (int i = 0; i < THREADS; i++) {
        cells[i] = i;
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *flag = 1;
    cudaDeviceSynchronize();
    result = *sum;
    cudaFree(sum);
    return result;
}

int main()
{
    int *cells, *flag;
    cudaMallocHost(&cells, THREADS * sizeof *cells);
    cudaMallocHost(&flag, sizeof *flag);
    printf("%d\n", from_device(cells, flag));
    printf("%d\n", to_device(cells, flag, false));
    printf("%d\n", to_device(cells, flag, true));
    cells[0] = *flag = 0;
    handOn<<<2, 1>>>(&cells[1], (volatile bool *)flag, &cells[0]);
    cudaDeviceSynchronize();
    printf("%d\n", cells[0]);
    cudaFreeHost(cells);
    cudaFreeHost(flag);
}
