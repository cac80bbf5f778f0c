// mma_sync of a combination that CUDA does not have fails to compile: bfloat16 with sums of half.
// error: no matching function for call to 'mma_sync'
#include <mma.h>
using namespace nvcuda;

__global__ void kernel() {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
    wmma::mma_sync(c, a, b, c);
}
int main() {}
