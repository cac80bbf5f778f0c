// Transposes a square matrix of N x N numbers.
//
//   tiles N        N: a multiple of 32
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TILE 32

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

// Each block moves one tile of 32 x 32 numbers; a row of 32 threads is one warp.
__global__ void transpose(const int *in, int *out, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 128;
    if (n < TILE || n % TILE != 0) {
        printf("usage: tiles N, a multiple of %d\n", TILE);
        return 2;
    }
    size_t bytes = n * n * sizeof(int);
    std::vector<int> in(n * n), out(n * n);
    for (int i = 0; i < n * n; i++) {
        in[i] = i;
    }

    int *deviceIn, *deviceOut;
    CHECK(cudaMalloc(&deviceIn, bytes));
    CHECK(cudaMalloc(&deviceOut, bytes));
    CHECK(cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice));
    transpose<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(deviceIn, deviceOut, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceIn));
    CHECK(cudaFree(deviceOut));

    long long sum = 0;
    for (int i = 0; i < n * n; i++) {
        sum += (long long)i * out[i];
    }
    printf("the corners are %d %d %d %d, checksum %lld\n", out[0], out[n - 1], out[n * (n - 1)], out[n * n - 1], sum);
    return 0;
}
