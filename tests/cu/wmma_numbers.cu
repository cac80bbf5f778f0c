// Numbers of nvcuda::wmma beyond small integers: random half values in a product of several tiles
// from shared memory, saturation, sums of half that round once, tf32 operands that are cut off, and
// __float_to_tf32.
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
using namespace nvcuda;

constexpr int n = 64;

// Two warps, 16 rows; the tiles come from shared memory, and beta * c is added by elements.
__global__ void gemm(const half *a, const half *b, const float *c, float *d, float alpha,
                     float beta) {
    __shared__ half rows[16][n + 8];
    __shared__ half columns[2][16][24];
    const int warp = threadIdx.y, lane = threadIdx.x;
    const int row = blockIdx.y * 16, column = (blockIdx.x * 2 + warp) * 16;
    for (int i = warp * 32 + lane; i < 16 * n; i += 64) rows[i / n][i % n] = a[row * n + i];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, fc;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        for (int i = lane; i < 256; i += 32)
            columns[warp][i / 16][i % 16] = b[(k + i / 16) * n + column + i % 16];
        __syncthreads();
        wmma::load_matrix_sync(fa, &rows[0][k], n + 8);
        wmma::load_matrix_sync(fb, &columns[warp][0][0], 24);
        wmma::mma_sync(sum, fa, fb, sum);
        __syncthreads();
    }
    wmma::load_matrix_sync(fc, c + row * n + column, n, wmma::mem_row_major);
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] = alpha * sum.x[i] + beta * fc.x[i];
    wmma::store_matrix_sync(d + row * n + column, fc, n, wmma::mem_row_major);
}

// All elements of a tile are the same, so one result says all.
template <int k, class T, class D, class V, class... Satf>
__device__ void uniform(D *out, V a, V b, D c, Satf... satf) {
    wmma::fragment<wmma::matrix_a, 16, 16, k, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, k, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, k, D> sum;
    wmma::fill_fragment(fa, a);
    wmma::fill_fragment(fb, b);
    wmma::fill_fragment(sum, c);
    wmma::mma_sync(sum, fa, fb, sum, satf...);
    *out = sum.x[threadIdx.x % 8];
}
__global__ void ints(int *out) {
    for (int i = 0; i < 4; i++)
        uniform<16, signed char, int>(out + i, (signed char)(i % 2 ? -100 : 100), (signed char)100,
                                      i % 2 ? -2147483600 : 2147483600, i < 2);
}
__global__ void floats(float *out, half *halves) {
    uniform<16, half>(halves, half(1.0f), half(0.3125f), half(2048.0f));
    uniform<8, wmma::precision::tf32>(out, 0x1.006p0f, 1.0f, 0.0f);
    const unsigned bits[] = {0x3f801000, 0x3f800fff, 0xbf801000, 0x7f800000, 0x7fffffff, 0x7f800001};
    for (int i = 0; i < 6; i++) out[i + 1] = wmma::__float_to_tf32(__uint_as_float(bits[i]));
}

template <class T> T *managed(int count) {
    T *p;
    cudaMallocManaged(&p, count * sizeof(T));
    return p;
}

int main() {
    half *a = managed<half>(n * n), *b = managed<half>(n * n);
    float *c = managed<float>(n * n), *d = managed<float>(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = half(rand() / (float)RAND_MAX - 0.5f);
        b[i] = half(rand() / (float)RAND_MAX - 0.5f);
        c[i] = rand() / (float)RAND_MAX - 0.5f;
    }
    gemm<<<dim3(n / 32, n / 16), dim3(32, 2)>>>(a, b, c, d, 3.0f, 0.5f);
    const cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += double(float(a[i * n + k])) * float(b[k * n + j]);
            wrong += !(std::fabs(d[i * n + j] - (3.0 * sum + 0.5 * c[i * n + j])) < 2e-5);
        }
    printf("gemm: %s, %d wrong\n", cudaGetErrorName(error), wrong);

    int *out = managed<int>(4);
    ints<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("saturated %d %d, wrapped %d %d\n", out[0], out[1], out[2], out[3]);

    floats<<<1, 32>>>(d, a);
    cudaDeviceSynchronize();
    printf("half %g, tf32 %a\n", float(a[0]), d[0]);
    for (int i = 1; i < 7; i++) printf("%08x ", ((unsigned *)d)[i]);
    printf("\n");
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d), cudaFree(out);
}
