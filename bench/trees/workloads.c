/* Trees of launches: inputs, checks, and the table of all implementations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/serve.h"
#include "implementation.h"

enum { NODES = ((1 << (2 * (TREE_DEPTH + 1))) - 1) / 3, EDGES = 3 * VERTICES - 4 };

static unsigned next_random(unsigned *state)
{
    return (*state = *state * 1664525 + 1013904223) >> 8;
}

/* ---- keys ---- */

static unsigned *original, *keys, *scratch;

static void prepare_sort(void)
{
    unsigned state = 1;
    original = impl_alloc(SORT_SIZE * sizeof(unsigned));
    keys = impl_alloc(SORT_SIZE * sizeof(unsigned));
    scratch = impl_alloc(SORT_SIZE * sizeof(unsigned));
    for (int i = 0; i < SORT_SIZE; i++) {
        original[i] = next_random(&state) << 8 ^ next_random(&state);
    }
}

static void run_sort(void)
{
    memcpy(keys, original, SORT_SIZE * sizeof(unsigned));
    impl_sort(SORT_SIZE, keys, scratch);
}

static int order(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static bool sort_is_right(int runs)
{
    (void)runs;
    qsort(original, SORT_SIZE, sizeof(unsigned), order);
    return memcmp(original, keys, SORT_SIZE * sizeof(unsigned)) == 0;
}

static void finish_sort(void)
{
    impl_free(original);
    impl_free(keys);
    impl_free(scratch);
}

/* ---- a graph: each new vertex has three edges to the ends of randomly chosen edges, so a vertex
 * with many edges gets more ---- */

static int *first, *edges, *distances, *queue;

static void draw_edges(int *ends)
{
    unsigned state = 1;
    ends[0] = ends[1] = 0;
    for (int edge = 1; edge <= EDGES; edge++) {
        ends[2 * edge] = edge / 3 + 1;
        ends[2 * edge + 1] = ends[next_random(&state) % (unsigned)(2 * edge)];
    }
}

/* Each edge in both directions, sorted by counting. */
static void prepare_search(void)
{
    int *ends = malloc(2 * (EDGES + 1) * sizeof(int));
    int *next = calloc(VERTICES + 2, sizeof(int));
    first = impl_alloc((VERTICES + 1) * sizeof(int));
    edges = impl_alloc(2 * (EDGES + 1) * sizeof(int));
    distances = impl_alloc(VERTICES * sizeof(int));
    queue = impl_alloc(VERTICES * sizeof(int));
    draw_edges(ends);
    for (int i = 0; i < 2 * (EDGES + 1); i++) {
        next[ends[i] + 1]++;
    }
    for (int vertex = 0; vertex <= VERTICES; vertex++) {
        next[vertex + 1] += next[vertex];
        first[vertex] = next[vertex];
    }
    for (int i = 0; i < 2 * (EDGES + 1); i++) {
        edges[next[ends[i]]++] = ends[i ^ 1];
    }
    free(ends);
    free(next);
}

static void run_search(void)
{
    impl_search(VERTICES, first, edges, distances, queue);
}

/* Distances are right if the source's is 0, and every other vertex has a neighbour that is one
 * nearer and none that is more than one nearer. */
static bool search_is_right(int runs)
{
    (void)runs;
    for (int vertex = 0; vertex < VERTICES; vertex++) {
        int nearest = vertex == 0 ? -1 : VERTICES;
        for (int edge = first[vertex]; edge < first[vertex + 1]; edge++) {
            nearest = distances[edges[edge]] < nearest ? distances[edges[edge]] : nearest;
        }
        if (distances[vertex] != nearest + 1) {
            return false;
        }
    }
    return true;
}

static void finish_search(void)
{
    impl_free(first);
    impl_free(edges);
    impl_free(distances);
    impl_free(queue);
}

/* ---- points, denser towards one corner ---- */

static struct point *points, *sorted, *spare;
static struct tree_node *nodes;

static void prepare_quadtree(void)
{
    unsigned state = 1;
    points = impl_alloc(POINTS * sizeof(struct point));
    sorted = impl_alloc(POINTS * sizeof(struct point));
    spare = impl_alloc(POINTS * sizeof(struct point));
    nodes = impl_alloc(NODES * sizeof(struct tree_node));
    for (int i = 0; i < POINTS; i++) {
        float x = (float)next_random(&state) / 16777216.0f;
        float y = (float)next_random(&state) / 16777216.0f;
        points[i] = (struct point){x * x, y * y};
    }
}

static void run_quadtree(void)
{
    memcpy(sorted, points, POINTS * sizeof(struct point));
    impl_quadtree(POINTS, sorted, spare, nodes);
}

static bool holds(const struct tree_node *node, struct point point)
{
    return point.x >= node->x && point.x < node->x + node->size && point.y >= node->y &&
           point.y < node->y + node->size;
}

/* Adds the leaves' points to a sum that does not depend on their order; -1: a bad node. */
static double sum_of(int index, int begin, int *end, int depth)
{
    const struct tree_node *node = &nodes[index];
    int count = node->end - node->begin;
    double sum = 0;
    if (node->begin != begin || node->is_leaf != (depth == TREE_DEPTH || count <= TREE_LEAF)) {
        return -1;
    }
    *end = node->end;
    for (int i = node->begin; i < node->end && node->is_leaf; i++) {
        if (!holds(node, sorted[i])) {
            return -1;
        }
        sum += (double)sorted[i].x + 3.0 * (double)sorted[i].y;
    }
    for (int k = 0, place = begin; k < 4 && !node->is_leaf; k++) {
        double part = sum_of(4 * index + 1 + k, place, &place, depth + 1);
        if (part < 0 || (k == 3 && place != node->end)) {
            return -1;
        }
        sum += part;
    }
    return sum;
}

static bool quadtree_is_right(int runs)
{
    (void)runs;
    int end = 0;
    double expected = 0, sum = sum_of(0, 0, &end, 0);
    for (int i = 0; i < POINTS; i++) {
        expected += (double)points[i].x + 3.0 * (double)points[i].y;
    }
    double difference = sum - expected;
    return end == POINTS && difference < 1e-6 && difference > -1e-6;
}

static void finish_quadtree(void)
{
    impl_free(points);
    impl_free(sorted);
    impl_free(spare);
    impl_free(nodes);
}

/* ---- leaves ---- */

static void nothing(void)
{
}

static void run_leaves(void)
{
    impl_leaves(LEAVES_DEPTH);
}

static bool always(int runs)
{
    (void)runs;
    return true;
}

int main(void)
{
    static const struct workload table[] = {
        {"sort", "quicksort of 1,000,000 keys; a sequential introsort", 1.3, 1, prepare_sort,
         run_sort, sort_is_right, finish_sort},
        {"search", "breadth-first search, 1,000,000 vertices, 3,000,000 edges; tasks", 1.3, 1,
         prepare_search, run_search, search_is_right, finish_search},
        {"quadtree", "quadtree of 1,000,000 points; tasks", 1.3, 1, prepare_quadtree, run_quadtree,
         quadtree_is_right, finish_quadtree},
        {"leaves", "a tree of 2^20 one-thread leaves; tasks", 0, 1, nothing, run_leaves, always,
         nothing},
    };
    return serve(table, sizeof table / sizeof *table);
}
