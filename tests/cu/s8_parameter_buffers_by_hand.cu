#include "show.h"
struct Params {
    int *out;
    char a;
    double b;
};
__global__ void child(int *out, char a, double b) { atomicAdd(out, a + (int)b); }
__device__ int runs;
__global__ void noParameters() { runs++; }
__global__ void parent(int *out) {
    void *buffer = cudaGetParameterBuffer(64, sizeof(Params));
    printf("%d\n", (int)((size_t)buffer % 64));
    *(Params *)buffer = Params{out, 5, 600.5};
    SHOW(cudaLaunchDevice((void *)child, buffer, dim3(1), dim3(2), 0, 0));
    SHOW(cudaLaunchDevice((void *)noParameters, nullptr, dim3(1), dim3(1), 0, 0));

    buffer = cudaGetParameterBufferV2((void *)child, dim3(1), dim3(1), 0);
    *(Params *)buffer = Params{out, 7, 8000};
    SHOW(cudaLaunchDeviceV2(buffer, 0));

    printf("%d\n", cudaGetParameterBuffer(64, 40000) == nullptr);
    printf("%d\n", cudaGetLastError() != cudaSuccess);
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    *out = 0;
    parent<<<1, 1>>>(out);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, runs, sizeof(result)));
    printf("%d %d\n", *out, result);
}
