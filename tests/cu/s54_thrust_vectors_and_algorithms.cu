// Thrust as in the book's programs: device vectors, generate over a zip iterator, raw pointers for
// kernels that launch children; and its algorithms, on the device's threads.
// slow: its algorithms compile for more than a minute; the quadtree of tests/seeds has Thrust, too
#include "show.h"
#include <thrust/device_vector.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
// A pair of numbers for each element: each device thread has a generator of its own.
struct Pairs {
    unsigned calls = 0;
    __host__ __device__ thrust::tuple<float, float> operator()() {
#ifdef __CUDA_ARCH__
        unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#else
        unsigned thread = 0;
#endif
        thrust::default_random_engine engine(thread * 7919 + calls++ + 1);
        thrust::uniform_real_distribution<float> distribution(0.0f, 1.0f);
        float x = distribution(engine);
        return thrust::make_tuple(x, distribution(engine));
    }
};
struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
__global__ void child(const float *values, int *inside) {
    float value = values[threadIdx.x];
    if (value >= 0.0f && value < 1.0f) {
        atomicAdd(inside, 1);
    }
}
__global__ void parent(const float *x, const float *y, int *inside) {
    child<<<1, 500>>>(x, inside);
    child<<<1, 500>>>(y, inside);
}
int main() {
    thrust::device_vector<float> x(500), y(500);
    thrust::device_vector<int> inside(1, 0);
    thrust::generate(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end())), Pairs());
    parent<<<1, 1>>>(thrust::raw_pointer_cast(&x[0]), thrust::raw_pointer_cast(y.data()),
                     thrust::raw_pointer_cast(inside.data()));
    MUST(cudaDeviceSynchronize());
    printf("%d inside, %d distinct\n", (int)inside[0], x[0] != x[1] && x[0] != y[0]);

    thrust::device_vector<int> numbers(1000), sums(1000);
    thrust::sequence(numbers.begin(), numbers.end());
    thrust::transform(numbers.begin(), numbers.end(), numbers.begin(), Square());
    printf("%d\n", thrust::reduce(numbers.begin(), numbers.end()));
    thrust::inclusive_scan(numbers.begin(), numbers.end(), sums.begin());
    printf("%d\n", (int)sums[999]);
    thrust::sort(numbers.begin(), numbers.end(), thrust::greater<int>());
    thrust::host_vector<int> sorted = numbers;
    printf("%d %d %d\n", sorted[0], sorted[1], sorted[999]);
}
