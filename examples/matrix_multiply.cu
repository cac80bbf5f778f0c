// Matrix product by tiles: each block loads square tiles of both factors into shared
// memory. So every number is read from global memory n / TILE times instead of n
// times.
//
//   matrix_multiply [n]        n by n, default 128
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define TILE 16

__global__ void multiply(const float *a, const float *b, float *product, int n)
{
    __shared__ float tileA[TILE][TILE], tileB[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < n; start += TILE) {
        int k = start + threadIdx.x;
        tileA[threadIdx.y][threadIdx.x] = row < n && k < n ? a[row * n + k] : 0;
        k = start + threadIdx.y;
        tileB[threadIdx.y][threadIdx.x] = column < n && k < n ? b[k * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
        }
        __syncthreads(); // no thread loads the next tiles before all have used these
    }
    if (row < n && column < n) {
        product[row * n + column] = sum;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 128;
    if (n < 1 || n > 8192) {
        fprintf(stderr, "usage: matrix_multiply [n, from 1 to 8192]\n");
        return 2;
    }
    std::vector<float> a(n * n), b(n * n), product(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = (i % 101 - 50) / 50.0f;
        b[i] = (i % 103 - 51) / 51.0f;
    }

    size_t bytes = n * n * sizeof(float);
    float *deviceA = nullptr, *deviceB = nullptr, *deviceProduct = nullptr;
    check(cudaMalloc(&deviceA, bytes));
    check(cudaMalloc(&deviceB, bytes));
    check(cudaMalloc(&deviceProduct, bytes));
    check(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));
    int tiles = (n + TILE - 1) / TILE;
    multiply<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(deviceA, deviceB, deviceProduct, n);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(product.data(), deviceProduct, bytes, cudaMemcpyDeviceToHost));
    check(cudaFree(deviceA));
    check(cudaFree(deviceB));
    check(cudaFree(deviceProduct));
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            double expected = 0;
            for (int k = 0; k < n; k++) {
                expected += (double)a[row * n + k] * b[k * n + column];
            }
            if (!(fabs(product[row * n + column] - expected) <= 1e-5 * n)) {
                printf("matrix_multiply: FAILED: [%d][%d] is %g instead of %g\n", row, column,
                       product[row * n + column], expected);
                return 1;
            }
        }
    }
    printf("matrix_multiply: %d x %d product right\n", n, n);
    return 0;
}
