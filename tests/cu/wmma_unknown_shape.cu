// A fragment whose shape or type CUDA does not have fails to compile, as with nvcc.
// error: implicit instantiation of undefined template 'nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 8, 16, __half
#include <mma.h>

__global__ void kernel() {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 8, 16, half, nvcuda::wmma::row_major> a;
    (void)a;
}
int main() {}
