// cdpcc: --entry=block -O2
// A recursion that a vector of threads has no stack for: once half of the stack is used, its lanes run
// one after the other.
#include "show.h"

enum { N = 192 };

__noinline__ __host__ __device__ unsigned power(unsigned x, int n)
{
    return n == 0 ? 1 : power(x, n - 1) * x + (unsigned)n;
}
__noinline__ __host__ __device__ int add(int *a, int n)
{
    if (n <= 0) {
        return 0;
    }
    int rest = add(a + 1, n - 1);
    a[0] += rest * 3;
    return rest / 2 + n;
}

__global__ void powers(unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = power((unsigned)i * 3, n);
}
__global__ void sums(int *out, int *numbers, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = add(numbers + i * 16, n);
}

int main()
{
    static int wanted[N * 16];
    unsigned *out;
    int *sum, *numbers;
    MUST(cudaMallocManaged(&out, N * sizeof *out));
    MUST(cudaMallocManaged(&sum, N * sizeof *sum));
    MUST(cudaMallocManaged(&numbers, sizeof wanted));
    for (int n : {1, 50, 700, 2500}) {
        powers<<<3, N / 3>>>(out, n);
        MUST(cudaDeviceSynchronize());
        int wrong = 0;
        for (int i = 0; i < N; i++) {
            wrong += out[i] != power((unsigned)i * 3, n);
        }
        printf("depth %d: %d wrong\n", n, wrong);
    }
    for (int n : {0, 7, 16}) {
        for (int i = 0; i < N * 16; i++) {
            wanted[i] = numbers[i] = i % 97;
        }
        sums<<<4, N / 4>>>(sum, numbers, n);
        MUST(cudaDeviceSynchronize());
        int wrong = 0;
        for (int i = 0; i < N; i++) {
            wrong += sum[i] != add(wanted + i * 16, n);
        }
        for (int i = 0; i < N * 16; i++) {
            wrong += numbers[i] != wanted[i];
        }
        printf("%d numbers: %d wrong\n", n, wrong);
    }
    MUST(cudaFree(out));
    MUST(cudaFree(sum));
    MUST(cudaFree(numbers));
    return 0;
}
