// stderr: cudaErrorLaunchFailure: trap
// A fault while other host threads launch, copy and wait: each of them gets it, none hangs, and
// after a reset by one of them the device works again for all.
#include "show.h"

#include <thread>
#include <vector>

__global__ void child(int *p)
{
    atomicAdd(p, 1);
}
__global__ void parent(int *p)
{
    child<<<2, 2>>>(p);
}
__global__ void trap()
{
    __trap();
}

// Works until an error stops it.
static cudaError_t work(int *counter)
{
    for (;;) {
        parent<<<4, 2, 0, cudaStreamPerThread>>>(counter);
        cudaError_t error = cudaGetLastError();
        int seen;
        if (error == cudaSuccess) {
            error = cudaMemcpyAsync(&seen, counter, sizeof seen, cudaMemcpyDeviceToHost,
                                    cudaStreamPerThread);
        }
        if (error == cudaSuccess) {
            error = cudaStreamSynchronize(cudaStreamPerThread);
        }
        if (error != cudaSuccess) {
            return error;
        }
    }
}

int main()
{
    for (int turn = 0; turn < 10; turn++) {
        int *counters; // one for each thread
        std::vector<std::thread> threads;
        cudaError_t errors[4], seen[4];
        MUST(cudaMalloc(&counters, 4 * sizeof *counters));
        MUST(cudaMemset(counters, 0, 4 * sizeof *counters));
        for (int i = 0; i < 4; i++) {
            threads.emplace_back([&, i] {
                errors[i] = work(counters + i);
                seen[i] = cudaFree(counters);
            });
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        trap<<<1, 1>>>();
        SHOW(cudaDeviceSynchronize());
        for (int i = 0; i < 4; i++) {
            threads[i].join();
            if (errors[i] != cudaErrorLaunchFailure || seen[i] != cudaErrorLaunchFailure) {
                printf("thread %d: %d %d\n", i, errors[i], seen[i]);
            }
        }
        SHOW(cudaDeviceReset());
        SHOW(cudaGetLastError());
    }
    return 0;
}
