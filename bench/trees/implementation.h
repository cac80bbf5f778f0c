/* The interface of an implementation of the trees: memory, and the work itself. workloads.c has the
 * inputs, the checks and the table for serve.h. */
#ifndef BENCH_TREES_IMPLEMENTATION_H
#define BENCH_TREES_IMPLEMENTATION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SORT_SIZE = 1000000,
    VERTICES = 1000000,
    POINTS = 1000000,
    TREE_DEPTH = 7, /* the value in examples/quadtree.cu */
    TREE_LEAF = 16,
    LEAVES_DEPTH = 20,
};

struct point {
    float x, y;
};

/* Child k of node i is node 4 * i + 1 + k. */
struct tree_node {
    float x, y, size;
    int begin, end, is_leaf;
};

/* Memory that the program and the implementation both use; never NULL. */
void *impl_alloc(size_t bytes);
void impl_free(void *memory);

void impl_sort(int n, unsigned *keys, unsigned *scratch);
/* Starts at vertex 0. Vertex v has the edges from first[v] to first[v + 1] - 1. */
void impl_search(int n, const int *first, const int *edges, int *distances, int *queue);
/* Afterwards the points are in the order of the leaves. */
void impl_quadtree(int n, struct point *points, struct point *scratch, struct tree_node *nodes);
void impl_leaves(int depth);

#ifdef __cplusplus
}
#endif

#endif
