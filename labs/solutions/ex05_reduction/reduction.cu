// Adds up N numbers. Each block adds its numbers in shared memory, in a tree, and then adds the block's
// sum to the total.
//
//   reduction N
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THREADS 256 // a power of two

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void reduce(const int *in, int n, int *total)
{
    __shared__ int sums[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x;

    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(total, sums[0]);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10000;
    if (n < 1) {
        printf("usage: reduction N, at least 1\n");
        return 2;
    }
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) {
        in[i] = i % 1000;
    }

    int *deviceIn, *deviceTotal, total = 0;
    CHECK(cudaMalloc(&deviceIn, n * sizeof(int)));
    CHECK(cudaMalloc(&deviceTotal, sizeof(int)));
    CHECK(cudaMemcpy(deviceIn, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(deviceTotal, 0, sizeof(int)));
    reduce<<<(n + THREADS - 1) / THREADS, THREADS>>>(deviceIn, n, deviceTotal);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&total, deviceTotal, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceIn));
    CHECK(cudaFree(deviceTotal));
    printf("the sum of %d numbers is %d\n", n, total);
    return 0;
}
