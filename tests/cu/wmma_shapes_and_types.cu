// Every shape and type of nvcuda::wmma against loops on the host. Small integers, so all types give
// exact results. Each product has other layouts, leading dimensions larger than the tile, and four
// warps with a tile each. The accumulators are scaled by their elements.
// slow: 24 products, each compiled as straight-line code
// with: wmma_shapes_and_types.cu -DWMMA_SECOND
#include <mma.h>

#include <cstdio>
#include <cstdlib>
using namespace nvcuda;

constexpr int warps = 4, pad = 8;

template <class T> struct memory { typedef T type; };
template <> struct memory<wmma::precision::tf32> { typedef float type; };

// A tile in memory: lines of `length` elements, `pad` more between them.
template <bool row_major> __host__ __device__ int place(int row, int column, int rows, int columns) {
    return row_major ? row * (columns + pad) + column : column * (rows + pad) + row;
}
template <class L> struct is_row { enum { value = 0 }; };
template <> struct is_row<wmma::row_major> { enum { value = 1 }; };

template <int m, int n, int k, class T, class LA, class LB, class C, class D>
__global__ void product(const typename memory<T>::type *a, const typename memory<T>::type *b,
                        const C *c, D *d, int a_size, int b_size, int c_size) {
    const int warp = threadIdx.x / 32;
    wmma::fragment<wmma::matrix_a, m, n, k, T, LA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, C> fc;
    wmma::fragment<wmma::accumulator, m, n, k, D> fd;
    wmma::load_matrix_sync(fa, a + warp * a_size, is_row<LA>::value ? k + pad : m + pad);
    wmma::load_matrix_sync(fb, b + warp * b_size, is_row<LB>::value ? n + pad : k + pad);
    wmma::load_matrix_sync(fc, c + warp * c_size, m + pad, wmma::mem_col_major);
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] = C(float(fc.x[i]) * 2.0f);
    wmma::mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; i++) fd.x[i] = D(float(fd.x[i]) + float(fc.x[i]));
    wmma::store_matrix_sync(d + warp * c_size, fd, n + pad, wmma::mem_row_major);
}

template <class T> T *managed(int count, int low, int high) {
    T *p;
    cudaMallocManaged(&p, count * sizeof(T));
    for (int i = 0; i < count; i++) p[i] = T(float(low + rand() % (high - low + 1)));
    return p;
}

template <int m, int n, int k, class T, class LA, class LB, class C, class D>
void test(const char *name, int low) {
    typedef typename memory<T>::type E;
    const int larger = (m > n ? m : n) > k ? (m > n ? m : n) : k, size = larger * (larger + pad);
    E *a = managed<E>(warps * size, low, 5), *b = managed<E>(warps * size, low, 4);
    C *c = managed<C>(warps * size, -9, 9);
    D *d = managed<D>(warps * size, 77, 77);
    product<m, n, k, T, LA, LB, C, D><<<1, 32 * warps>>>(a, b, c, d, size, size, size);
    const cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0, written = 0;
    for (int w = 0; w < warps; w++) {
        const int base = w * size;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float sum = 4 * float(c[base + place<false>(i, j, m, n)]);
                for (int l = 0; l < k; l++)
                    sum += float(a[base + place<is_row<LA>::value>(i, l, m, k)]) *
                           float(b[base + place<is_row<LB>::value>(l, j, k, n)]);
                wrong += float(d[base + place<true>(i, j, m, n)]) != sum;
            }
        for (int i = 0; i < m; i++)
            for (int j = n; j < n + pad; j++) written += float(d[base + i * (n + pad) + j]) != 77;
    }
    typedef wmma::fragment<wmma::matrix_a, m, n, k, T, LA> FA;
    typedef wmma::fragment<wmma::matrix_b, m, n, k, T, LB> FB;
    typedef wmma::fragment<wmma::accumulator, m, n, k, D> FD;
    printf("%s %dx%dx%d: %s, %d wrong, %d beyond, elements %d %d %d\n", name, m, n, k,
           cudaGetErrorName(error), wrong, written, int(FA::num_elements), int(FB::num_elements),
           int(FD::num_storage_elements));
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

typedef wmma::row_major R;
typedef wmma::col_major L;
#ifdef WMMA_SECOND
void second() {
    test<16, 16, 16, signed char, R, L, int, int>("signed char", -6);
    test<32, 8, 16, signed char, L, R, int, int>("signed char", -6);
    test<8, 32, 16, signed char, R, R, int, int>("signed char", -6);
    test<16, 16, 16, unsigned char, L, L, int, int>("unsigned char", 0);
    test<32, 8, 16, unsigned char, R, L, int, int>("unsigned char", 0);
    test<8, 32, 16, unsigned char, L, R, int, int>("unsigned char", 0);
    test<16, 16, 8, wmma::precision::tf32, R, R, float, float>("tf32", -6);
    test<16, 16, 8, wmma::precision::tf32, L, L, float, float>("tf32", -6);
    test<8, 8, 4, double, R, L, double, double>("double", -6);
    test<8, 8, 4, double, L, R, double, double>("double", -6);
}
#else
void second();
int main() {
    test<16, 16, 16, half, R, R, float, float>("half", -6);
    test<32, 8, 16, half, R, L, half, half>("half", -6);
    test<8, 32, 16, half, L, R, half, float>("half", -6);
    test<16, 16, 16, half, L, L, float, half>("half", -6);
    test<16, 16, 16, __nv_bfloat16, R, L, float, float>("bfloat16", -6);
    test<32, 8, 16, __nv_bfloat16, L, R, float, float>("bfloat16", -6);
    test<8, 32, 16, __nv_bfloat16, L, L, float, float>("bfloat16", -6);
    second();
}
#endif
