// The first guide's program on memory: after the wait and the barrier every thread of the
// parent sees what the child made of its number.
#include "show.h"
__device__ int unseen;
__global__ void child_launch(int *data) { data[threadIdx.x] = data[threadIdx.x] + 1; }
__global__ void parent_launch(int *data) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        child_launch<<<1, 256>>>(data);
        cudaDeviceSynchronize();
    }
    __syncthreads();
    if (data[threadIdx.x] != (int)threadIdx.x + 1) {
        atomicAdd(&unseen, 1);
    }
}
static void host_launch(int *data) { parent_launch<<<1, 256>>>(data); }
int main() {
    int *data, result, wrong = 0;
    MUST(cudaMallocManaged(&data, 256 * sizeof(int)));
    host_launch(data);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++) {
        wrong += data[i] != i + 1;
    }
    MUST(cudaMemcpyFromSymbol(&result, unseen, sizeof(result)));
    printf("%d wrong, %d unseen\n", wrong, result);
}
