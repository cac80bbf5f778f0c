// The heap's limit is raised and lowered while kernels allocate from the heap: each piece belongs
// to its kernel, and its contents are kept.
#include "show.h"
#include <thread>
#define ROUNDS 200
__device__ int wrong;
__global__ void leaf(int *piece, int mark)
{
    for (int i = threadIdx.x; i < 256; i += 32) {
        if (piece[i] != mark + i) {
            atomicAdd(&wrong, 1);
        }
    }
}
__global__ void use(int seed)
{
    int mark = seed * 1000 + (int)(blockIdx.x * blockDim.x + threadIdx.x) * 7;
    int *piece = (int *)malloc(256 * sizeof(int));
    if (piece != nullptr) {
        for (int i = 0; i < 256; i++) {
            piece[i] = mark + i;
        }
        leaf<<<1, 32>>>(piece, mark);
        cudaDeviceSynchronize();
        free(piece);
    }
}
int main()
{
    cudaStream_t stream;
    int failures = 0, odd = 0, count;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::thread setter([&] {
        for (int i = 0; i < ROUNDS; i++) {
            cudaError_t error =
                cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)(8 + i % 9) << 20);
            odd += error != cudaSuccess && error != cudaErrorInvalidValue;
            (void)cudaGetLastError();
        }
    });
    for (int i = 0; i < ROUNDS; i++) {
        use<<<2, 8, 0, stream>>>(i);
        failures += cudaStreamSynchronize(stream) != cudaSuccess;
    }
    setter.join();
    SHOW(cudaDeviceSynchronize());
    MUST(cudaMemcpyFromSymbol(&count, wrong, sizeof count));
    printf("%d failures, %d odd answers, %d wrong\n", failures, odd, count);
}
