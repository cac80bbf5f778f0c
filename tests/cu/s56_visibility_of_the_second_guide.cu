// The same in the second generation: the child's work is seen by a tail launch.
// cdpcc: --cdp=2
#include "show.h"
__global__ void tail_launch(int *data) { data[threadIdx.x] = data[threadIdx.x] * 10; }
__global__ void child_launch(int *data) { data[threadIdx.x] = data[threadIdx.x] + 1; }
__global__ void parent_launch(int *data) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        child_launch<<<1, 256>>>(data);
        tail_launch<<<1, 256, 0, cudaStreamTailLaunch>>>(data);
    }
}
static void host_launch(int *data) { parent_launch<<<1, 256>>>(data); }
int main() {
    int *data, wrong = 0;
    MUST(cudaMallocManaged(&data, 256 * sizeof(int)));
    host_launch(data);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++) {
        wrong += data[i] != 10 * (i + 1);
    }
    printf("%d wrong\n", wrong);
}
