// A tree with two children per grid and 2^depth leaves, one thread each.
#include "../../examples/check.h"
#include "implementation.h"

__global__ void tree(int depth)
{
    if (depth > 0) {
        tree<<<1, 1>>>(depth - 1);
        tree<<<1, 1>>>(depth - 1);
    }
}

void impl_leaves(int depth)
{
    tree<<<1, 1>>>(depth);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
}
