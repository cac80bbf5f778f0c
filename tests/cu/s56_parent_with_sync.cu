// The tutorial's parent that waits before it uses what its child made, and the one that
// does not, whose own work may come first.
#include "show.h"
__global__ void child_kernel(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i] = 2 * i;
    }
}
__global__ void parent_with_sync(int *data, int n, long long *sum) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        child_kernel<<<(n + 255) / 256, 256>>>(data, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) {
            *sum += data[i];
        }
    }
}
__global__ void parent_without_sync(int *data, int n) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        child_kernel<<<(n + 255) / 256, 256>>>(data, n);
    }
}
int main() {
    const int n = 1000;
    int *data, wrong = 0;
    long long *sum;
    MUST(cudaMallocManaged(&data, n * sizeof(int)));
    MUST(cudaMallocManaged(&sum, sizeof(*sum)));
    *sum = 0;
    parent_with_sync<<<1, 32>>>(data, n, sum);
    MUST(cudaDeviceSynchronize());
    printf("%lld\n", *sum);
    MUST(cudaMemset(data, 0, n * sizeof(int)));
    parent_without_sync<<<1, 32>>>(data, n);
    MUST(cudaDeviceSynchronize()); // the host waits for the child too
    for (int i = 0; i < n; i++) {
        wrong += data[i] != 2 * i;
    }
    printf("%d wrong\n", wrong);
}
