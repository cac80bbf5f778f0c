// A fragment whose shape or type CUDA does not have fails to compile, as with nvcc. So does mma_sync
// of a combination that CUDA does not have: bfloat16 with sums of half.
// error: implicit instantiation of undefined template 'nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 8, 16, __half
// error: no matching function for call to 'mma_sync'
#include <mma.h>
using namespace nvcuda;

__global__ void shape() {
    wmma::fragment<wmma::matrix_a, 16, 8, 16, half, wmma::row_major> a;
    (void)a;
}
__global__ void accumulator() {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
    wmma::mma_sync(c, a, b, c);
}
int main() {}
