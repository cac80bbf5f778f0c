// A store that the compiler can see goes to NULL: LLVM assumes that it is never reached.
// cdpcc: -lineinfo
// rules: S42
// stderr: cudaErrorIllegalAddress: illegal access to address .*, which is the null pointer
// stderr: in kernel storeToNull, block \(0,0,0\), .*s42_a_store_to_a_constant_null_faults.cu:12
#include <cstdio>

__global__ void storeToNull(int *out, int n)
{
    int *p = nullptr;
    if (n > 3) {
        *p = 5;
    }
    out[0] = 1;
}

int main()
{
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    *out = 0;
    storeToNull<<<1, 1>>>(out, 3);
    printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(" %d\n", *out);
    storeToNull<<<1, 1>>>(out, 4);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
