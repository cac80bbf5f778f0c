// cdpcc: --check=memory
// With the check of memory, kernels must not access pageable host memory, and a program that asks
// learns it.
#include "show.h"

int main()
{
    int attribute;
    cudaDeviceProp properties;
    MUST(cudaDeviceGetAttribute(&attribute, cudaDevAttrPageableMemoryAccess, 0));
    MUST(cudaGetDeviceProperties(&properties, 0));
    printf("%d %d\n", attribute, properties.pageableMemoryAccess);
}
