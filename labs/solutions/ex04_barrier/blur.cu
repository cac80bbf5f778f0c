// Smooths a row of numbers: each becomes the sum of itself and its neighbours. The threads of a block
// read the numbers once, into shared memory, with one more at each end.
//
//   blur N        N: how many numbers
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THREADS 128

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void blur(const int *in, int *out, int n)
{
    __shared__ int tile[THREADS + 2]; // tile[t + 1] is the number of thread t
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x;

    tile[t + 1] = i < n ? in[i] : 0;
    if (t == 0) {
        tile[0] = i > 0 ? in[i - 1] : 0;
    }
    if (t == THREADS - 1) {
        tile[THREADS + 1] = i + 1 < n ? in[i + 1] : 0;
    }
    __syncthreads();
    if (i < n) {
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    if (n < 1) {
        printf("usage: blur N, at least 1\n");
        return 2;
    }
    size_t bytes = n * sizeof(int);
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = i * i % 101;
    }

    int *deviceIn, *deviceOut;
    CHECK(cudaMalloc(&deviceIn, bytes));
    CHECK(cudaMalloc(&deviceOut, bytes));
    CHECK(cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice));
    blur<<<(n + THREADS - 1) / THREADS, THREADS>>>(deviceIn, deviceOut, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceIn));
    CHECK(cudaFree(deviceOut));

    long long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (long long)(i + 1) * out[i];
    }
    printf("first %d, last %d, checksum %lld\n", out[0], out[n - 1], sum);
    return 0;
}
