#include "show.h"
__device__ int runs;
__global__ void child() { atomicAdd(&runs, 1); }
__global__ void parent() {
    for (int i = 0; i < 50; i++) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        child<<<1, 2, 0, stream>>>();
        if (cudaStreamDestroy(stream) != cudaSuccess) {
            printf("refused\n");
        }
    }
    if (threadIdx.x == 0) {
        SHOW(cudaStreamDestroy(0));
    }
}
int main() {
    parent<<<1, 10>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, runs, sizeof(result)));
    printf("%d\n", result);
}
