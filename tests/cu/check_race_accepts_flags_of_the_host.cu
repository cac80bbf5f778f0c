// cdpcc: --check=race
// The host waits for the device by a flag in pinned memory, and the device for the host.
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

static int to_device(int *cells, volatile int *flag)
{
    int *sum, result;
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = *flag = 0;
    consume<<<1, THREADS>>>(cells, flag, sum);
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
    printf("%d\n", to_device(cells, flag));
    cudaFreeHost(cells);
    cudaFreeHost(flag);
}
