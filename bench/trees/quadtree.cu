// examples/quadtree.cu as an implementation of the trees, and the trees' memory.
#define main quadtree_main
#include "../../examples/quadtree.cu"
#undef main
#include "implementation.h"

static_assert(sizeof(Node) == sizeof(tree_node) && sizeof(float2) == sizeof(point),
              "the program and the example have the same nodes");

void impl_quadtree(int n, point *points, point *scratch, tree_node *nodes)
{
    *nodes = tree_node{0, 0, 1, 0, n, 0};
    build<<<1, THREADS>>>((Node *)nodes, 0, (float2 *)points, (float2 *)scratch, 0);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
}

void *impl_alloc(size_t bytes)
{
    void *memory = nullptr;
    check(cudaMallocManaged(&memory, bytes));
    check(cudaMemset(memory, 0, bytes));
    return memory;
}

void impl_free(void *memory)
{
    check(cudaFree(memory));
}
