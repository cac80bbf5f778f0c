// rules: S32
#include "show.h"
__device__ int plain = 5;
static __device__ double statics[3] = {1, 2, 3};
__constant__ float constants[4] = {1, 2, 3, 4};
__managed__ int managedValue = 9;
template <typename T> struct Holder {
    static __device__ T value;
};
__global__ void print() {
    printf("%d %g %g %d\n", plain, statics[2], constants[3], managedValue);
}
int main() {
    print<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int six = 6;
    double doubles[2] = {20, 30};
    float floats[4] = {10, 20, 30, 40};
    MUST(cudaMemcpyToSymbol(plain, &six, sizeof(six)));
    MUST(cudaMemcpyToSymbol(statics, doubles, sizeof(doubles), sizeof(double)));
    MUST(cudaMemcpyToSymbol(constants, floats, sizeof(floats)));
    managedValue++;
    print<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int *address;
    size_t size;
    MUST(cudaGetSymbolAddress((void **)&address, plain));
    MUST(cudaMemset(address, 0, sizeof(int)));
    MUST(cudaGetSymbolSize(&size, statics));
    print<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    double back;
    MUST(cudaMemcpyFromSymbol(&back, statics, sizeof(back), sizeof(double)));
    printf("%zu %g\n", size, back);
    SHOW(cudaMemcpyToSymbol(plain, &six, 8));
    SHOW(cudaMemcpyToSymbol(six, &six, 4));
}
