// Host threads set limits while launch trees of others run: each waits for the running work, and no
// tree is affected.
#include "show.h"
#include <thread>
#include <vector>
__global__ void level(int depth, int *leaves) {
    if (depth == 0) {
        void *p = malloc(64);
        atomicAdd(leaves, p != nullptr);
        free(p);
        return;
    }
    level<<<2, 2>>>(depth - 1, leaves);
    cudaDeviceSynchronize();
}
static void run(int *leaves, int *failures) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < 10; i++) {
        level<<<1, 1, 0, stream>>>(3, leaves);
        *failures += cudaStreamSynchronize(stream) != cudaSuccess;
    }
    cudaStreamDestroy(stream);
}
int main() {
    int *leaves, failures[4] = {}, refused = 0;
    MUST(cudaMallocManaged(&leaves, sizeof(int)));
    *leaves = 0;
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 8));
    std::vector<std::thread> threads;
    for (int &count : failures) {
        threads.emplace_back(run, leaves, &count);
    }
    for (int i = 0; i < 20; i++) {
        refused += cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1000 + i) != cudaSuccess;
        refused += cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 8 + i % 4) != cudaSuccess;
        refused += cudaDeviceSetLimit(cudaLimitStackSize, 1024 + 16 * i) != cudaSuccess;
        refused += cudaDeviceSetLimit(cudaLimitPrintfFifoSize, (1 << 20) + 1024 * i) != cudaSuccess;
    }
    for (auto &thread : threads) {
        thread.join();
    }
    MUST(cudaDeviceSynchronize());
    printf("%d refused, %d failed, %d leaves\n", refused,
           failures[0] + failures[1] + failures[2] + failures[3], *leaves);
}
