// Breadth-first search on a power-law graph.  Most vertices have a few edges, so
// one thread walks them; the few with many would hold up their whole block, so
// each of those gets a child grid with one thread per edge.
//
// The levels follow each other on the device: a grid in the tail-launch stream
// starts the next level when the present one and all its children are complete.
//
//   bfs                            a small random graph, in a temporary file
//   bfs FILE [source]              a graph of lines "from to", vertices from 0
//   bfs --generate N FILE          writes such a graph with N vertices
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <unistd.h>

#include "check.h"

#define THREADS 128
#define LARGE 32 // more edges than this: a child grid
#define MAX_VERTEX (1 << 28)

struct Search {
    const int *first, *edges; // edges of v: edges[first[v]] to edges[first[v + 1] - 1]
    int *distance;            // -1: not reached yet
    int *frontier[2];         // of this level and of the next
    int count[2];
    int level, children;
};

__device__ void visit(Search *search, int vertex)
{
    if (atomicCAS(&search->distance[vertex], -1, search->level + 1) == -1) {
        int next = (search->level + 1) & 1;
        search->frontier[next][atomicAdd(&search->count[next], 1)] = vertex;
    }
}

__global__ void visitEdges(Search *search, int begin, int end)
{
    int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) {
        visit(search, search->edges[i]);
    }
}

__global__ void expand(Search *search)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int present = search->level & 1;
    if (i >= search->count[present]) {
        return;
    }
    int vertex = search->frontier[present][i];
    int begin = search->first[vertex], end = search->first[vertex + 1];
    if (end - begin > LARGE) {
        atomicAdd(&search->children, 1);
        visitEdges<<<(end - begin + THREADS - 1) / THREADS, THREADS, 0, cudaStreamFireAndForget>>>(
            search, begin, end);
        return;
    }
    for (int edge = begin; edge < end; edge++) {
        visit(search, search->edges[edge]);
    }
}

__global__ void nextLevel(Search *search)
{
    search->count[search->level & 1] = 0;
    search->level++;
    int count = search->count[search->level & 1];
    if (count > 0) {
        expand<<<(count + THREADS - 1) / THREADS, THREADS>>>(search);
        nextLevel<<<1, 1, 0, cudaStreamTailLaunch>>>(search);
    }
}

typedef std::vector<std::pair<int, int>> Edges;

// Each new vertex is joined to the ends of edges drawn at random, so a vertex
// with many edges is likely to get more.
static bool generate(int n, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == nullptr) {
        perror(path);
        return false;
    }
    std::vector<int> ends = {0};
    unsigned random = 1;
    for (int vertex = 1; vertex < n; vertex++) {
        for (int edge = 0; edge < 3; edge++) {
            random = random * 1664525 + 1013904223;
            int other = ends[(random >> 4) % ends.size()];
            fprintf(file, "%d %d\n", vertex, other);
            ends.push_back(other);
        }
        ends.push_back(vertex);
    }
    return fclose(file) == 0;
}

static bool readGraph(const char *path, Edges *edges, int *vertices)
{
    FILE *file = fopen(path, "r");
    if (file == nullptr) {
        perror(path);
        return false;
    }
    int from, to, fields;
    while ((fields = fscanf(file, "%d %d", &from, &to)) == 2 && from >= 0 && to >= 0 &&
           from < MAX_VERTEX && to < MAX_VERTEX) {
        edges->push_back({from, to});
        edges->push_back({to, from});
        *vertices = std::max(*vertices, std::max(from, to) + 1);
    }
    fclose(file);
    if (fields != EOF || edges->empty()) {
        fprintf(stderr, "bfs: %s: not a list of edges \"from to\"\n", path);
        return false;
    }
    return true;
}

static std::vector<int> searchOnHost(const std::vector<int> &first, const std::vector<int> &edges,
                                     int source)
{
    std::vector<int> distance(first.size() - 1, -1), queue = {source};
    distance[source] = 0;
    for (size_t i = 0; i < queue.size(); i++) {
        for (int edge = first[queue[i]]; edge < first[queue[i] + 1]; edge++) {
            if (distance[edges[edge]] < 0) {
                distance[edges[edge]] = distance[queue[i]] + 1;
                queue.push_back(edges[edge]);
            }
        }
    }
    return distance;
}

template <typename T> static T *managed(const std::vector<T> &values)
{
    T *copy = nullptr;
    check(cudaMallocManaged(&copy, values.size() * sizeof(T)));
    std::copy(values.begin(), values.end(), copy);
    return copy;
}

static int search(const char *path, int source)
{
    Edges list;
    int n = 0;
    if (!readGraph(path, &list, &n)) {
        return 2;
    }
    if (source < 0 || source >= n) {
        fprintf(stderr, "bfs: source %d: the graph has vertices 0 to %d\n", source, n - 1);
        return 2;
    }
    std::vector<int> first(n + 1), edges(list.size()), distance(n, -1);
    for (auto &edge : list) {
        first[edge.first + 1]++;
    }
    for (int i = 0; i < n; i++) {
        first[i + 1] += first[i];
    }
    std::vector<int> next(first);
    for (auto &edge : list) {
        edges[next[edge.first]++] = edge.second;
    }

    // Level -1 has reached one vertex: the source, in the frontier of level 0.
    distance[source] = 0;
    std::vector<int> frontier(n, source);
    Search *state = managed(std::vector<Search>(1));
    *state = {managed(first),
              managed(edges),
              managed(distance),
              {managed(frontier), managed(frontier)},
              {1, 0},
              -1,
              0};
    nextLevel<<<1, 1>>>(state);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    std::copy(state->distance, state->distance + n, distance.begin());
    int levels = state->level, children = state->children;
    void *owned[] = {(void *)state->first, (void *)state->edges, state->distance,
                     state->frontier[0],   state->frontier[1],   state};
    for (void *memory : owned) {
        check(cudaFree(memory));
    }
    if (distance != searchOnHost(first, edges, source)) {
        printf("bfs: FAILED: distances differ from the host's\n");
        return 1;
    }
    printf("bfs: %d vertices, %zu edges, %d levels, %d child grids\n", n, list.size() / 2, levels,
           children);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--generate") == 0 && atoi(argv[2]) > 1) {
        return generate(atoi(argv[2]), argv[3]) ? 0 : 1;
    }
    if (argc > 3 || (argc > 1 && argv[1][0] == '-')) {
        fprintf(stderr, "usage: bfs [FILE [source]] | bfs --generate N FILE\n");
        return 2;
    }
    if (argc > 1) {
        return search(argv[1], argc > 2 ? atoi(argv[2]) : 0);
    }
    static struct Temporary { // gone however the program ends
        char path[16] = "/tmp/bfs-XXXXXX";
        ~Temporary()
        {
            unlink(path);
        }
    } graph;
    int file = mkstemp(graph.path);
    if (file < 0) {
        perror(graph.path);
        return 1;
    }
    close(file);
    return generate(2000, graph.path) ? search(graph.path, 0) : 1;
}
