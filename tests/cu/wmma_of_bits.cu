// slow: three products of types that programs rarely use
// cdpcc: -std=c++17
// Fragments of 4-bit and 1-bit elements: an H100's results for tiles of any bits.
#include <cstdio>
#include <mma.h>

using namespace nvcuda;
namespace sub = nvcuda::wmma::experimental;
typedef unsigned int u32;

template <class T, int K> __global__ void multiply(const int *a, const int *b, const int *c, int *d, int op)
{
    wmma::fragment<wmma::matrix_a, 8, 8, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, K, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, K, int> fc, fd;
    wmma::load_matrix_sync(fa, a, K);
    wmma::load_matrix_sync(fb, b, K);
    wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
    if constexpr (K == 128) {
        wmma::bmma_sync(fd, fa, fb, fc, op == 0 ? sub::bmmaBitOpXOR : sub::bmmaBitOpAND);
    } else {
        wmma::mma_sync(fd, fa, fb, fc, op != 0);
    }
    wmma::store_matrix_sync(d, fd, 8, wmma::mem_col_major);
    if (threadIdx.x == 0) {
        d[64] = fa.num_elements * 1000 + fb.num_elements * 100 + fc.num_elements;
        d[65] = sizeof fa.x;
    }
}

int main()
{
    int *data;
    cudaMallocManaged(&data, 512 * sizeof(int));
    for (u32 i = 0; i < 512; i++) {
        u32 x = i * 2654435761u;
        data[i] = (int)(x ^ x >> 11);
    }
    data[70] = 0x7ffffff0;
    for (int i = 0; i < 6; i++) {
        int *a = data, *b = data + 32, *c = data + 64, *d = data + 256;
        i / 2 == 0   ? multiply<sub::precision::s4, 32><<<1, 32>>>((int *)a, b, c, d, i % 2)
        : i / 2 == 1 ? multiply<sub::precision::u4, 32><<<1, 32>>>(a, b, c, d, i % 2)
                     : multiply<sub::precision::b1, 128><<<1, 32>>>(a, b, c, d, i % 2);
        cudaError_t error = cudaDeviceSynchronize();
        u32 hash = 2166136261u;
        for (int k = 0; k < 64; k++) {
            hash = (hash ^ (u32)d[k]) * 16777619u;
        }
        printf("%d: %s %08x %d %d\n", i, cudaGetErrorName(error), hash, d[64], d[65]);
    }
}
