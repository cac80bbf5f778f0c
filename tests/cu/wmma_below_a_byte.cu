// Fragments of 4-bit and 1-bit elements are not supported, and the message says so.
// error: mma.h: cdpcc has no fragments of elements below a byte; use signed char or unsigned char
#include <mma.h>
using namespace nvcuda;

__global__ void kernel() {
    wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::s4, wmma::row_major> a;
    (void)a;
}
int main() {}
