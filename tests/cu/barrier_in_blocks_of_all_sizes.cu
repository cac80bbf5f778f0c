#include "show.h"
__device__ int wrong;
__global__ void rotate(int rounds) {
    __shared__ int cells[1024];
    unsigned n = blockDim.x * blockDim.y * blockDim.z;
    unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    cells[i] = i;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        int next = cells[(i + 1) % n];
        __syncthreads();
        cells[i] = next;
        __syncthreads();
    }
    if (cells[i] != (int)((i + rounds) % n)) {
        atomicAdd(&wrong, 1);
    }
}
int main() {
    const int sizes[] = {1, 2, 31, 32, 33, 64, 100, 255, 256, 1000, 1024};
    for (int size : sizes) {
        rotate<<<3, size>>>(10);
    }
    rotate<<<dim3(2, 2), dim3(4, 3, 5)>>>(7);
    rotate<<<2, dim3(2, 8, 64)>>>(7);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
