// Each wait is for all earlier launches, in whatever order the children complete.
#include "show.h"
#define THREADS 1024
#define ROUNDS 20
__device__ int wrong, runs[THREADS];
__global__ void child(int thread) {
    if (thread % 3 == 0) {
        __nanosleep(1000);
    }
    atomicAdd(&runs[thread], 1);
}
__global__ void parent() {
    int me = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 1; i <= ROUNDS; i++) {
        child<<<1, 1, 0, me % 2 == 0 ? stream : 0>>>(me);
        if ((me + i) % 4 == 0) {
            continue;
        }
        cudaDeviceSynchronize();
        if (*(volatile int *)&runs[me] != i) {
            atomicAdd(&wrong, 1);
        }
    }
    cudaStreamDestroy(stream);
}
int main() {
    parent<<<2, THREADS / 2>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
