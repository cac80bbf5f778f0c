// Templates, static, overloaded, in namespaces, recursive, through a pointer, structs by value.
#include "show.h"
struct Point {
    double x;
    int weight;
};
struct Big {
    char name[13];
    Point points[3];
};
__device__ double sums[9];
template <typename T, int N> __global__ void scaled(T value) { sums[0] += value * N; }
static __global__ void fileLocal(int value) { sums[1] += value; }
__global__ void overloaded(int value) { sums[2] += value; }
__global__ void overloaded(double value) { sums[2] += 100 * value; }
namespace outer {
namespace {
__global__ void inAnonymousNamespace(int value) { sums[3] += value; }
}
__global__ void inNamespace(int value) { inAnonymousNamespace<<<1, 1>>>(2 * value); }
}
__global__ void recursive(int depth) {
    sums[4] += depth;
    if (depth > 0) {
        recursive<<<1, 1>>>(depth - 1);
    }
}
__global__ void byPointer(int value) { sums[5] += value; }
__global__ void byOtherPointer(int value) { sums[5] += 10 * value; }
__global__ void structs(Point point, Big big) {
    sums[6] += point.x * point.weight + big.points[2].x + big.name[12];
}
struct Operation {
    int factor;
    __device__ int operator()(int x) const { return factor * x; }
};
template <typename F> __global__ void apply(F function, int x) { sums[7] += function(x); }
__global__ void parent() {
    scaled<float, 3><<<1, 1>>>(1.5f);
    scaled<int, 4><<<1, 1>>>(2);
    fileLocal<<<1, 1>>>(5);
    overloaded<<<1, 1>>>(1);
    overloaded<<<1, 1>>>(2.0);
    outer::inNamespace<<<1, 1>>>(4);
    recursive<<<1, 1>>>(4);
    void (*kernels[])(int) = {byPointer, byOtherPointer};
    for (auto kernel : kernels) {
        kernel<<<1, 1>>>(3);
    }
    Big big = {"ABCDEFGHIJKL", {{1, 1}, {2, 2}, {3, 3}}};
    big.name[12] = 'A';
    structs<<<1, 1>>>(Point{2.5, 4}, big);
    apply<<<1, 1>>>(Operation{6}, 7);
    int factor = 2;
    apply<<<1, 1>>>([factor](int x) { return factor + x; }, 100);
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    double result[8];
    MUST(cudaMemcpyFromSymbol(result, sums, sizeof(result)));
    for (double value : result) {
        printf("%g\n", value);
    }
}
