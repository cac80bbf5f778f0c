// examples/bfs.cu as an implementation of the trees.
#define main bfs_main
#include "../../examples/bfs.cu"
#undef main
#include "implementation.h"

void impl_search(int n, const int *first_, const int *edges_, int *distances_, int *queue_)
{
    first = const_cast<int *>(first_);
    edges = const_cast<int *>(edges_);
    distances = distances_;
    queue = queue_;
    reached = 1;
    check(cudaMemset(distances, -1, n * sizeof(int)));
    check(cudaMemset(distances, 0, sizeof(int)));
    check(cudaMemset(queue, 0, sizeof(int)));
    nextLevel<<<1, 1>>>(0, 1);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
}
