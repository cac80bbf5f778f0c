// Breadth-first search on a power-law graph. Most vertices have a few edges, and one thread visits
// these. The few vertices with many edges would delay their whole block, so each of them gets a
// child grid with one thread per edge.
//
// The levels follow each other on the device: a grid in the tail-launch stream starts the next
// level when the present one and all its children are complete.
//
//   bfs [N [FILE]]       a random graph of N vertices (2000), written to FILE
//   bfs FILE [source]    a graph of lines "from to", vertices from 0
#include <algorithm>
#include <vector>

#include "check.h"

#define THREADS 128
#define LARGE 32 // more edges than this: a child grid
typedef std::pair<int, int> Edge;

__managed__ int *first, *edges; // edges of v: edges[first[v]] to edges[first[v + 1] - 1]
__managed__ int *distances;     // -1: not reached yet
__managed__ int *queue;         // the vertices in the order they were reached
__managed__ int reached = 1, children = 0;

__device__ void visit(int vertex, int distance)
{
    // Most vertices are known, and a load is cheaper than an exchange.
    int *known = &distances[vertex];
    if (__nv_atomic_load_n(known, __NV_ATOMIC_RELAXED) == -1 &&
        atomicCAS(known, -1, distance) == -1) {
        queue[atomicAdd(&reached, 1)] = vertex;
    }
}

__global__ void visitEdges(int begin, int end, int distance)
{
    int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) {
        visit(edges[i], distance);
    }
}

// A level: the vertices of the queue from begin to end, and those reached from them.
__global__ void expand(int begin, int end, int distance)
{
    int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= end) {
        return;
    }
    int firstEdge = first[queue[i]], endEdge = first[queue[i] + 1];
    if (endEdge - firstEdge > LARGE) {
        atomicAdd(&children, 1);
        int blocks = (endEdge - firstEdge + THREADS - 1) / THREADS;
        visitEdges<<<blocks, THREADS, 0, cudaStreamFireAndForget>>>(firstEdge, endEdge, distance);
        return;
    }
    for (int edge = firstEdge; edge < endEdge; edge++) {
        visit(edges[edge], distance);
    }
}

__global__ void nextLevel(int begin, int distance)
{
    int end = reached;
    if (begin < end) {
        expand<<<(end - begin + THREADS - 1) / THREADS, THREADS>>>(begin, end, distance);
        nextLevel<<<1, 1, 0, cudaStreamTailLaunch>>>(end, distance + 1);
    }
}

// Each new vertex gets three edges to the ends of randomly chosen edges, so a vertex with many
// edges is likely to get more.
static void generate(int n, FILE *file)
{
    std::vector<int> ends = {0};
    unsigned random = 1;
    for (int edge = 3; edge < 3 * n; edge++) {
        random = random * 1664525 + 1013904223;
        int vertex = edge / 3, other = ends[(random >> 4) % ends.size()];
        fprintf(file, "%d %d\n", vertex, other);
        ends.insert(ends.end(), {vertex, other});
    }
    rewind(file);
}

// Each edge in both directions, in order; empty if the file has other lines.
static std::vector<Edge> readGraph(FILE *file)
{
    std::vector<Edge> list;
    int from, to, fields;
    while ((fields = fscanf(file, "%d %d", &from, &to)) == 2 && unsigned(from | to) < 1u << 28) {
        list.push_back({from, to});
        list.push_back({to, from});
    }
    fclose(file);
    std::sort(list.begin(), list.end());
    return fields == EOF ? list : std::vector<Edge>();
}

static bool sameOnHost(int n, int source)
{
    std::vector<int> expected(n, -1), order = {source};
    expected[source] = 0;
    for (size_t i = 0; i < order.size(); i++) {
        for (int edge = first[order[i]]; edge < first[order[i] + 1]; edge++) {
            if (expected[edges[edge]] < 0) {
                expected[edges[edge]] = expected[order[i]] + 1;
                order.push_back(edges[edge]);
            }
        }
    }
    return std::equal(expected.begin(), expected.end(), distances);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2000; // 0: a file's name
    int source = n == 0 && argc > 2 ? atoi(argv[2]) : 0;
    FILE *file = n == 0 ? fopen(argv[1], "r") : argc > 2 ? fopen(argv[2], "w+") : tmpfile();
    if (file == nullptr) {
        perror("bfs");
        return 2;
    }
    generate(n, file); // nothing into the user's file
    std::vector<Edge> list = readGraph(file);
    n = list.empty() ? 0 : list.back().first + 1;
    if (source < 0 || source >= n) {
        fprintf(stderr, "usage: bfs [N [FILE]] or bfs FILE [source]; N > 1, FILE has edges\n");
        return 2;
    }
    check(cudaMallocManaged(&first, (3 * (size_t)n + 1 + list.size()) * sizeof(int)));
    edges = first + n + 1;
    distances = edges + list.size();
    queue = distances + n;
    for (int v = 0; v <= n; v++) {
        first[v] = std::lower_bound(list.begin(), list.end(), Edge(v, 0)) - list.begin();
    }
    std::transform(list.begin(), list.end(), edges, [](Edge edge) { return edge.second; });
    std::fill_n(distances, n, -1);
    distances[source] = 0;
    queue[0] = source;
    nextLevel<<<1, 1>>>(0, 1);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    if (!sameOnHost(n, source)) {
        printf("bfs: FAILED: not the host's distances\n");
        return 1;
    }
    int levels = *std::max_element(distances, distances + n) + 1;
    check(cudaFree(first));
    printf("bfs: %d vertices, %zu edges, %d levels, %d child grids\n", n, list.size() / 2, levels,
           children);
    return 0;
}
