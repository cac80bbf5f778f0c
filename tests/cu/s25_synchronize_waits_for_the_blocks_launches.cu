// Launches of any thread of the block before the barrier are complete after the wait, in any
// stream.
#include "show.h"
__device__ int wrong;
__global__ void grandchild(int *value) { atomicAdd(value, 1); }
__global__ void child(int *value) { grandchild<<<1, 2>>>(value); }
__global__ void parent(int *values) {
    int *mine = values + blockIdx.x;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    child<<<1, 1, 0, threadIdx.x % 2 == 0 ? stream : 0>>>(mine);
    __syncthreads();
    if (threadIdx.x == 7) {
        if (cudaDeviceSynchronize() != cudaSuccess || *(volatile int *)mine != 64) {
            atomicAdd(&wrong, 1);
        }
    }
    cudaStreamDestroy(stream);
}
int main() {
    int *values;
    MUST(cudaMalloc(&values, 16 * sizeof(int)));
    MUST(cudaMemset(values, 0, 16 * sizeof(int)));
    parent<<<16, 32>>>(values);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
