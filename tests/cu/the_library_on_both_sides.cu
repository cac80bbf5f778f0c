/* The C and C++ library in device code, and host code full of lambdas and threads in
 * the same unit, in functions of one side and of both. */
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};

__host__ __device__ inline int twice(int v)
{
    return 2 * v;
}
__host__ __device__ inline cudaError_t last_error()
{
    return cudaGetLastError();
}
template <class F> __global__ void apply(F f, int *p)
{
    p[threadIdx.x] = f((int)threadIdx.x);
}

__global__ void library(int *p)
{
    int a[] = {3, 1, 2}, n = 0;
    std::swap(a[0], a[1]);
    p[n++] = a[0] * 10 + a[1];
    p[n++] = std::max(a[0], 2) + std::min(a[1], 2) + max(1, 4u) + min(2.0f, 3.0);
    p[n++] = std::abs(-2) + std::abs(-3.5) + abs(-4) + (int)labs(-5L);
    p[n++] = std::isnan(NAN) + isinf(INFINITY) + std::signbit(-0.0f) + isfinite(1.0);
    p[n++] = std::numeric_limits<int>::max() == 2147483647;
    p[n++] = (int)(std::sqrt(16.0f) + pow(2.0f, 3) + std::pow(2, 4) + fabs(-1.0) + fmaf(2, 3, 4));
    p[n++] = (int)(sinf(0.0f) + std::cos(0.0) + exp2f(3) + log10(1000.0) + cbrt(27.0));
    char text[8];
    memcpy(text, "device", 7);
    p[n++] = (int)strlen(text) + (memcmp(text, "device", 7) == 0);
    Shape *shape = new Square(7);
    p[n++] = shape->area();
    delete shape;
    int *list = (int *)malloc(3 * sizeof *list);
    list[2] = 5;
    p[n++] = list[2] + twice(1) + (last_error() == cudaSuccess);
    free(list);
    assert(n == 10);
}

int main()
{
    int *p;
    cudaMallocManaged(&p, 16 * sizeof *p);
    std::vector<int> values = {3, 1, 2};
    std::sort(values.begin(), values.end(), [](int a, int b) { return a < b; });
    const int factor = values.back();
    apply<<<1, 4>>>([=] __device__(int i) { return i * factor; }, p);
    auto both = [=] __host__ __device__(int i) { return i + factor; };
    apply<<<1, 4>>>(both, p + 4);
    /* For the compiler a lambda is a function of both sides; this one belongs to the host. */
    auto wait = [&] {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        cudaMemcpy(p + 8, p, sizeof *p, cudaMemcpyDefault);
        cudaStreamSynchronize(stream);
        return cudaStreamDestroy(stream);
    };
    std::mutex mutex;
    std::thread thread([&] {
        std::lock_guard<std::mutex> guard(mutex);
        wait();
    });
    thread.join();
    const std::function<int(int)> next = [](int v) { return v + 1; };
    printf("%d %d %d %d\n", p[3], p[7], both(1), next(twice(4)));
    library<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    for (int i = 0; i < 10; i++) {
        printf("%d ", p[i]);
    }
    printf("%s\n", cudaGetErrorName(last_error()));
}
