/* The trees' reference in C: a sequential introsort, and breadth-first search and a quadtree with
 * OpenMP's tasks. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "implementation.h"

/* ---- introsort: quicksort by the median of three, insertion sort at the end, heapsort if there
 * are too many levels ---- */

enum { SHORT_RANGE = 16 };

static void swap(unsigned *a, unsigned *b)
{
    unsigned value = *a;
    *a = *b;
    *b = value;
}

static void sift_down(unsigned *keys, size_t root, size_t count)
{
    unsigned value = keys[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && keys[child + 1] > keys[child];
        if (value >= keys[child]) {
            break;
        }
        keys[root] = keys[child];
    }
    keys[root] = value;
}

static void heapsort(unsigned *keys, size_t count)
{
    for (size_t root = count / 2; root-- > 0;) {
        sift_down(keys, root, count);
    }
    for (size_t end = count; --end > 0;) {
        swap(&keys[0], &keys[end]);
        sift_down(keys, 0, end);
    }
}

/* Hoare's algorithm: the outer two of the three are sentinels. Returns the start of the right
 * part. */
static size_t partition(unsigned *keys, size_t count)
{
    unsigned *first = keys, *middle = keys + count / 2, *last = keys + count - 1;
    if (*middle < *first) {
        swap(first, middle);
    }
    if (*last < *middle) {
        swap(middle, last);
        if (*middle < *first) {
            swap(first, middle);
        }
    }
    unsigned pivot = *middle;
    for (;;) {
        while (*++first < pivot) {
        }
        while (*--last > pivot) {
        }
        if (first >= last) {
            return (size_t)(first - keys);
        }
        swap(first, last);
    }
}

static void quicksort(unsigned *keys, size_t count, int levels)
{
    while (count > SHORT_RANGE) {
        if (levels-- == 0) {
            heapsort(keys, count);
            return;
        }
        size_t right = partition(keys, count);
        quicksort(keys + right, count - right, levels);
        count = right;
    }
}

static void insertion_sort(unsigned *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        unsigned key = keys[i];
        size_t place = i;
        for (; place > 0 && keys[place - 1] > key; place--) {
            keys[place] = keys[place - 1];
        }
        keys[place] = key;
    }
}

void impl_sort(int n, unsigned *keys, unsigned *scratch)
{
    (void)scratch;
    int levels = 0;
    for (int size = n; size > 1; size /= 2) {
        levels += 2;
    }
    quicksort(keys, (size_t)n, levels);
    insertion_sort(keys, (size_t)n);
}

/* ---- breadth-first search: a task for each piece of a level, and for each vertex with many edges,
 * where the kernels use threads and child grids ---- */

enum { PIECE = 512, MANY_EDGES = 4096 };

/* A search; queue is the vertices in the order in which they were reached. */
struct search {
    const int *first, *edges;
    int *distances, *queue;
    int reached;
};

/* Tests before it exchanges: most vertices are known. */
static void visit(struct search *search, int vertex, int distance)
{
    int unknown = -1;
    if (__atomic_load_n(&search->distances[vertex], __ATOMIC_RELAXED) == -1 &&
        __atomic_compare_exchange_n(&search->distances[vertex], &unknown, distance, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        search->queue[__atomic_fetch_add(&search->reached, 1, __ATOMIC_RELAXED)] = vertex;
    }
}

static void visit_edges(struct search *search, int begin, int end, int distance)
{
    for (int edge = begin; edge < end; edge++) {
        visit(search, search->edges[edge], distance);
    }
}

static void expand(struct search *search, int begin, int end, int distance)
{
    for (int i = begin; i < end; i++) {
        int vertex = search->queue[i];
        int edge = search->first[vertex], last = search->first[vertex + 1];
        for (; last - edge > MANY_EDGES; edge += MANY_EDGES) {
#pragma omp task firstprivate(edge)
            visit_edges(search, edge, edge + MANY_EDGES, distance);
        }
        visit_edges(search, edge, last, distance);
    }
}

void impl_search(int n, const int *first, const int *edges, int *distances, int *queue)
{
    struct search search = {first, edges, distances, queue, 1};
    memset(distances, -1, (size_t)n * sizeof *distances);
    distances[0] = 0;
    queue[0] = 0;
#pragma omp parallel
#pragma omp single
    for (int begin = 0, end = 1, distance = 1; begin < end; distance++) {
#pragma omp taskgroup
        for (int piece = begin; piece < end; piece += PIECE) {
            int last = piece + PIECE < end ? piece + PIECE : end;
#pragma omp task if (end - begin > PIECE)
            expand(&search, piece, last, distance);
        }
        begin = end;
        end = search.reached;
    }
}

/* ---- quadtree: a task for each node that is large enough ---- */

enum { WORTH_A_TASK = 2048 };

/* Shared by all nodes: the points, and the buffer to which they are moved; the two alternate. */
struct quadtree {
    struct tree_node *nodes;
    struct point *buffers[2];
};

static int quadrant_of(const struct tree_node *node, struct point point)
{
    float half = node->size / 2;
    return (point.x >= node->x + half) + 2 * (point.y >= node->y + half);
}

/* Sorts the node's points by quadrant, and creates the four children. */
static void split(const struct quadtree *tree, int index, int depth)
{
    struct tree_node *node = &tree->nodes[index];
    const struct point *from = tree->buffers[depth % 2];
    struct point *to = tree->buffers[(depth + 1) % 2];
    int next[4] = {0}, place = node->begin;
    for (int i = node->begin; i < node->end; i++) {
        next[quadrant_of(node, from[i])]++;
    }
    float half = node->size / 2;
    for (int k = 0; k < 4; k++) {
        float x = node->x + (float)(k & 1) * half, y = node->y + (float)(k >> 1) * half;
        tree->nodes[4 * index + 1 + k] = (struct tree_node){x, y, half, place, place + next[k], 0};
        next[k] = place;
        place = tree->nodes[4 * index + 1 + k].end;
    }
    for (int i = node->begin; i < node->end; i++) {
        to[next[quadrant_of(node, from[i])]++] = from[i];
    }
}

static void build(const struct quadtree *tree, int index, int depth)
{
    struct tree_node *node = &tree->nodes[index];
    int count = node->end - node->begin;
    if (depth == TREE_DEPTH || count <= TREE_LEAF) {
        if (depth % 2 != 0) {
            memcpy(tree->buffers[0] + node->begin, tree->buffers[1] + node->begin,
                   (size_t)count * sizeof(struct point));
        }
        node->is_leaf = 1;
        return;
    }
    split(tree, index, depth);
    for (int k = 0; k < 4; k++) {
#pragma omp task if (count > WORTH_A_TASK)
        build(tree, 4 * index + 1 + k, depth + 1);
    }
}

void impl_quadtree(int n, struct point *points, struct point *scratch, struct tree_node *nodes)
{
    struct quadtree tree = {nodes, {points, scratch}};
    nodes[0] = (struct tree_node){0, 0, 1, 0, n, 0};
#pragma omp parallel
#pragma omp single
    build(&tree, 0, 0);
}

/* ---- a tree with nothing in it ---- */

static void grow(int depth)
{
    for (int child = 0; depth > 0 && child < 2; child++) {
#pragma omp task
        grow(depth - 1);
    }
}

void impl_leaves(int depth)
{
#pragma omp parallel
#pragma omp single
    grow(depth);
}

/* ---- memory ---- */

void *impl_alloc(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL) {
        abort();
    }
    return memset(memory, 0, bytes);
}

void impl_free(void *memory)
{
    free(memory);
}
