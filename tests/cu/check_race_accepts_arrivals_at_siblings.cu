// cdpcc: --check=race
// workers: 1 2 8
// An arrival at the mbarrier of another block orders what was before it.
#include "arrival_at_sibling.inc"

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, sizeof *out);
    kernel<<<2, 1>>>(out);
    printf("%s%s\n", cudaGetErrorName(cudaDeviceSynchronize()), *out == 7 ? ", 7" : ", wrong");
}
