// rules: S32
// with: units/s5_other.cu
#include "show.h"
template <typename T> __global__ void shared(T *out) { *out += 1; }
extern __device__ int otherValue;
__device__ int twice(int x);
__global__ void otherChild(int *out, int value);
__global__ void parent(int *out) {
    otherChild<<<1, 1>>>(out, twice(otherValue));
    shared<<<1, 1>>>(out);
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    *out = 0;
    parent<<<1, 1>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *out);
    otherChild<<<1, 1>>>(out, 1000);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *out);
}
