// A lambda in host code may call host functions that do not exist in device code.
#include "show.h"
template <typename F> static cudaError_t call(F function) { return function(); }
__global__ void kernel(int *p) { *p += 1; }
int main() {
    int *p, result = 5;
    MUST(cudaMalloc(&p, sizeof(int)));
    SHOW(call([&] { return cudaMemcpy(p, &result, sizeof(int), cudaMemcpyHostToDevice); }));
    SHOW(call([&] { return kernel<<<1, 1>>>(p), cudaDeviceSynchronize(); }));
    SHOW(call([&] { return cudaMemcpy(&result, p, sizeof(int), cudaMemcpyDeviceToHost); }));
    SHOW(call([=] { return cudaMemset(p, 0, sizeof(int)); }));
    SHOW(call([] { return cudaStreamSynchronize(0); }));
    SHOW(call([] { return cudaSetDevice(0); }));
    printf("%d\n", result);
}
