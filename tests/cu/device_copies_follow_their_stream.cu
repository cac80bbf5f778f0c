// rules: S35
#include "show.h"
__global__ void fill(int *out, int value) { out[threadIdx.x] = value + threadIdx.x; }
__global__ void parent(int *a, int *b, int *c) {
    fill<<<1, 64>>>(a, 100);
    SHOW(cudaMemcpyAsync(b, a, 64 * sizeof(int), cudaMemcpyDeviceToDevice, 0));
    fill<<<1, 64>>>(a, 500);
    SHOW(cudaMemsetAsync(c, 0xff, 64 * sizeof(int), 0));
    SHOW(cudaMemcpyAsync(c, a, 32 * sizeof(int), cudaMemcpyDefault, 0));
    SHOW(cudaMemcpyAsync(c, a, 4, cudaMemcpyHostToDevice, 0));
    SHOW(cudaMemcpyAsync(c, a, 0, cudaMemcpyDeviceToDevice, 0));
}
int main() {
    int *memory;
    MUST(cudaMallocManaged(&memory, 192 * sizeof(int)));
    parent<<<1, 1>>>(memory, memory + 64, memory + 128);
    MUST(cudaDeviceSynchronize());
    printf("%d %d %d %d\n", memory[0], memory[64 + 63], memory[128 + 31], memory[128 + 32]);
}
