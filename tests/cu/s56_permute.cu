// The guides' recursion with shared memory.  As printed it starts 256 threads at every
// level, for shared memory of half as many numbers each time; here each level has as many
// threads as numbers.
#include "show.h"
// Even places first, odd ones after them.
__device__ void permute_data(int *smem, int n) {
    int i = threadIdx.x;
    int mine = smem[i];
    __syncthreads();
    smem[i % 2 == 0 ? i / 2 : n / 2 + i / 2] = mine;
}
__global__ void permute(int n, int *data) {
    extern __shared__ int smem[];
    if (n <= 1) {
        return;
    }
    smem[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    permute_data(smem, n);
    __syncthreads();
    // Back to global memory: shared memory cannot be given to children.
    data[threadIdx.x] = smem[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        permute<<<1, n / 2, n / 2 * sizeof(int)>>>(n / 2, data);
        permute<<<1, n / 2, n / 2 * sizeof(int)>>>(n / 2, data + n / 2);
    }
}
static void host_launch(int *data) { permute<<<1, 256, 256 * sizeof(int)>>>(256, data); }
int main() {
    int *data, wrong = 0;
    MUST(cudaMallocManaged(&data, 256 * sizeof(int)));
    for (int i = 0; i < 256; i++) {
        data[i] = i;
    }
    host_launch(data);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++) {
        int reversed = 0;
        for (int bit = 0; bit < 8; bit++) {
            reversed |= ((i >> bit) & 1) << (7 - bit);
        }
        wrong += data[i] != reversed;
    }
    printf("%d wrong\n", wrong);
}
