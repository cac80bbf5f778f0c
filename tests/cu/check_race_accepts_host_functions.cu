// cdpcc: --check=race
// A function of the host comes after the work of its stream. So does what it starts, and what waits
// for it: the host's threads count as one.
#include <atomic>
#include <cstdio>
#include <thread>

enum { THREADS = 100 };

__global__ void add(int *cells, int by)
{
    cells[threadIdx.x] += by;
}

static int *cells, *copies;
static std::thread starts;
static int sum;
static std::atomic<bool> is_told;

static void start(void *)
{
    starts = std::thread([] {
        for (int i = 0; i < THREADS; i++) {
            sum += cells[i];
        }
    });
}

static void CUDART_CB tell(cudaStream_t, cudaError_t, void *)
{
    for (int i = 0; i < THREADS; i++) {
        copies[i] = cells[i];
    }
    is_told = true;
}

int main()
{
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaMallocManaged(&cells, THREADS * sizeof *cells);
    cudaMallocManaged(&copies, THREADS * sizeof *copies);
    for (int i = 0; i < THREADS; i++) {
        cells[i] = i;
    }
    add<<<1, THREADS, 0, one>>>(cells, 1);
    cudaLaunchHostFunc(one, start, nullptr);
    cudaStreamAddCallback(one, tell, nullptr, 0);
    while (!is_told) {
        std::this_thread::yield();
    }
    int both = 0;
    for (int i = 0; i < THREADS; i++) {
        both += cells[i] + copies[i];
    }
    add<<<1, THREADS, 0, two>>>(copies, 1);
    cudaStreamSynchronize(two);
    starts.join();
    printf("%d %d %d\n", sum, both, copies[9]);
}
