// The same pattern with counters by operations that C11 does not have: ThreadSanitizer, too, sees
// that they order the accesses before and after them.
#include "show.h"
enum { BLOCKS = 64 };
__device__ float floats;
__device__ double doubles;
__device__ unsigned left = BLOCKS - 1;
__device__ int highest[BLOCKS];
template <int Way> __device__ bool is_last() {
    if (Way == 0) return atomicAdd(&floats, 1.0f) == BLOCKS - 1;
    if (Way == 1) return atomicAdd(&doubles, 1.0) == BLOCKS - 1;
    return atomicDec(&left, BLOCKS - 1) == 0;
}
template <int Way> __global__ void kernel(int *partial, int *out) {
    partial[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (is_last<Way>()) {
        int total = 0;
        for (int i = 0; i < BLOCKS; i++) {
            total += partial[i];
        }
        *out = total;
    }
}
// Each block continues with the result of the block before it.
__global__ void hand_on(int *data) {
    int i = blockIdx.x;
    while (i > 0 && atomicMax(&highest[i - 1], 0) == 0) {
    }
    *data += i;
    __threadfence();
    atomicMax(&highest[i], 1);
}
int main() {
    int *partial, *out;
    MUST(cudaMallocManaged(&partial, BLOCKS * sizeof(int)));
    MUST(cudaMallocManaged(&out, 4 * sizeof(int)));
    kernel<0><<<BLOCKS, 1>>>(partial, out);
    kernel<1><<<BLOCKS, 1>>>(partial, out + 1);
    kernel<2><<<BLOCKS, 1>>>(partial, out + 2);
    hand_on<<<8, 1>>>(out + 3);
    MUST(cudaDeviceSynchronize());
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
}
