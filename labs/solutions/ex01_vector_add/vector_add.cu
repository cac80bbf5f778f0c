// Adds two vectors: one thread for each element.
//
//   vector_add N        N: the number of elements
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THREADS 256

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void add(const float *a, const float *b, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sum[i] = a[i] + b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    if (n < 1) {
        printf("usage: vector_add N, at least 1\n");
        return 2;
    }
    size_t bytes = n * sizeof(float);
    std::vector<float> a(n), b(n), sum(n);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }

    float *deviceA, *deviceB, *deviceSum;
    CHECK(cudaMalloc(&deviceA, bytes));
    CHECK(cudaMalloc(&deviceB, bytes));
    CHECK(cudaMalloc(&deviceSum, bytes));
    CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));

    int blocks = (n + THREADS - 1) / THREADS;
    add<<<blocks, THREADS>>>(deviceA, deviceB, deviceSum, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sum.data(), deviceSum, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceA));
    CHECK(cudaFree(deviceB));
    CHECK(cudaFree(deviceSum));

    double total = 0;
    for (float x : sum) {
        total += x;
    }
    printf("%d blocks of %d threads\n", blocks, THREADS);
    printf("the last sum is %g, the total is %.0f\n", sum[n - 1], total);
    return 0;
}
