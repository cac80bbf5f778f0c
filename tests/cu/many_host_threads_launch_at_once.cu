#include "show.h"
#include <thread>
#include <vector>
__device__ int total;
__global__ void child(int *value) { atomicAdd(value, 1); }
__global__ void parent(int *value) {
    child<<<2, 4>>>(value);
    atomicAdd(&total, 1);
}
static void work(int *failures) {
    int *value, result = 0;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&value, sizeof(int));
    for (int turn = 0; turn < 20; turn++) {
        cudaMemsetAsync(value, 0, sizeof(int), stream);
        parent<<<3, 5, 0, stream>>>(value);
        cudaMemcpyAsync(&result, value, sizeof(int), cudaMemcpyDeviceToHost, stream);
        if (cudaStreamSynchronize(stream) != cudaSuccess || result != 120) {
            ++*failures;
        }
    }
    cudaFree(value);
    cudaStreamDestroy(stream);
}
int main() {
    int failures[8] = {}, sum = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++) {
        threads.emplace_back(work, &failures[i]);
    }
    for (auto &thread : threads) {
        thread.join();
    }
    for (int failure : failures) {
        sum += failure;
    }
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, total, sizeof(result)));
    printf("%d failures, %d\n", sum, result);
}
