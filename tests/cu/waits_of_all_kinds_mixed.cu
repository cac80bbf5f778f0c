// Threads of one block wait for children, barriers and warps alternately, at two levels.
#include "show.h"
__device__ int wrong;
__global__ void leaf(int *value) { atomicAdd(value, __shfl_xor_sync(0xffffffff, 1, 5)); }
__global__ void middle(int *values) {
    int *mine = values + threadIdx.x % 4;
    leaf<<<1, 32>>>(mine);
    if (threadIdx.x % 3 == 0) {
        cudaDeviceSynchronize();
    }
    __syncthreads();
    int lane = __shfl_sync(__activemask(), (int)threadIdx.x, 0);
    if (lane % 32 != 0) {
        atomicAdd(&wrong, 1);
    }
    leaf<<<1, 32>>>(mine);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        cudaDeviceSynchronize();
    }
}
__global__ void parent(int *values) {
    int *mine = values + 4 * blockIdx.x;
    for (int turn = 0; turn < 3; turn++) {
        if (threadIdx.x == (unsigned)turn * 10) {
            middle<<<1, 40>>>(mine);
            cudaDeviceSynchronize();
        }
        __syncthreads();
        if (((volatile int *)mine)[threadIdx.x % 4] != (turn + 1) * 10 * 2 * 32) {
            atomicAdd(&wrong, 1);
        }
        __syncthreads();
    }
}
int main() {
    int *values;
    MUST(cudaMalloc(&values, 4 * 20 * sizeof(int)));
    MUST(cudaMemset(values, 0, 4 * 20 * sizeof(int)));
    parent<<<20, 33>>>(values);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
