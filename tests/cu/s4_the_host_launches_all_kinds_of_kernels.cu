#include "show.h"
struct Odd {
    char bytes[3];
};
struct alignas(32) Aligned {
    float values[8];
};
__device__ int sum;
template <typename T> __global__ void add(T value, int times) { atomicAdd(&sum, (int)value * times); }
static __global__ void mixed(char a, Odd odd, double b, short c, Aligned d, const int *e) {
    sum += a + odd.bytes[2] + (int)b + c + (int)d.values[7] + *e;
}
int main() {
    int *seven;
    MUST(cudaMallocManaged(&seven, sizeof(int)));
    *seven = 7;
    add<<<2, 2>>>(10L, 1);
    add<char><<<1, 1>>>(3, 2);
    void (*kernel)(float, int) = add<float>;
    kernel<<<1, 1>>>(5.5f, 100);
    MUST(cudaDeviceSynchronize());
    Aligned aligned = {{0, 0, 0, 0, 0, 0, 0, 40000}};
    mixed<<<1, 1>>>(1, Odd{{0, 0, 2}}, 3000.5, 400, aligned, seven);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, sum, sizeof(result)));
    printf("%d\n", result);
}
