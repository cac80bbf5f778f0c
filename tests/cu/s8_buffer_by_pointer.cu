// The first guide's form of cudaGetParameterBuffer, and the limits of the other one.
#include "show.h"
struct Params {
    int *out;
    int value;
};
__global__ void child(int *out, int value) { atomicAdd(out, value); }
__global__ void parent(int *out) {
    void *buffer = nullptr;
    SHOW(cudaGetParameterBuffer(&buffer));
    printf("%d\n", (int)((size_t)buffer % 64));
    *(Params *)buffer = Params{out, 5};
    SHOW(cudaLaunchDevice((void *)child, buffer, dim3(2), dim3(3), 0, 0));
    printf("%d\n", cudaGetParameterBuffer(64, 32764) != nullptr);
    SHOW(cudaGetLastError());
    printf("%d\n", cudaGetParameterBuffer(64, 32765) != nullptr);
    SHOW(cudaGetLastError());
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    *out = 0;
    parent<<<1, 1>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *out);
}
