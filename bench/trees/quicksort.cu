// examples/quicksort.cu as an implementation of the trees.
#define main quicksort_main
#include "../../examples/quicksort.cu"
#undef main
#include "implementation.h"

void impl_sort(int n, unsigned *keys, unsigned *scratch)
{
    quicksort<<<1, THREADS>>>(keys, scratch, keys, n, 0);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
}
