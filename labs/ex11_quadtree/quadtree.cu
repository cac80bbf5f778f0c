// A quadtree: a square with more than MOST points is divided into four squares, and so on.
//
//   quadtree N        N: the number of points
#include <cstdio>
#include <cstdlib>
#include <vector>

#define SIDE 1024
#define MOST 4

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

struct Point {
    int x, y;
};

// A square of the tree, and its points: `count` of them, from the `first` one on.
struct Node {
    int x, y, size;
    int first, count;
    int depth;
};

// What the whole tree is like.
struct Tree {
    int leaves;
    int depth;
    int points;
};

// The quadrant of a point: 0 and 1 are the upper ones, 1 and 3 the right ones.
__device__ int quadrantOf(const Node &node, Point point)
{
    int half = node.size / 2;
    return (point.x >= node.x + half) + 2 * (point.y >= node.y + half);
}

// Divides one square. Its points are in `from`. They are sorted by quadrant into the same places of `to`.
__global__ void divide(Node node, Point *from, Point *to, Tree *tree)
{
    if (node.count <= MOST || node.size == 1) {
        atomicAdd(&tree->leaves, 1);
        atomicMax(&tree->depth, node.depth);
        atomicAdd(&tree->points, node.count);
        return;
    }
    int counts[4] = {0, 0, 0, 0};
    for (int i = node.first; i < node.first + node.count; i++) {
        counts[quadrantOf(node, from[i])]++;
    }
    int first[4] = {node.first, 0, 0, 0}; // the first point of each quadrant
    for (int quadrant = 1; quadrant < 4; quadrant++) {
        first[quadrant] = first[quadrant - 1] + counts[quadrant - 1];
    }
    int next[4] = {first[0], first[1], first[2], first[3]};
    for (int i = node.first; i < node.first + node.count; i++) {
        to[next[quadrantOf(node, from[i])]++] = from[i];
    }
    // TODO: for each quadrant make its Node, and launch divide<<<1, 1>>> for it.
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200;
    if (n < 1 || n > 10000) {
        printf("usage: quadtree N, from 1 to 10000\n");
        return 2;
    }
    std::vector<Point> points(n);
    unsigned random = 1;
    for (Point &point : points) {
        random = random * 1664525 + 1013904223;
        int x = random >> 22, y = random >> 8 & (SIDE - 1);
        point = {x * x / SIDE, y * y / SIDE}; // there are more of them near the origin
    }

    Point *from, *to;
    Tree *deviceTree, tree;
    CHECK(cudaMalloc(&from, n * sizeof(Point)));
    CHECK(cudaMalloc(&to, n * sizeof(Point)));
    CHECK(cudaMalloc(&deviceTree, sizeof(Tree)));
    CHECK(cudaMemcpy(from, points.data(), n * sizeof(Point), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(deviceTree, 0, sizeof(Tree)));
    Node root = {0, 0, SIDE, 0, n, 0};
    divide<<<1, 1>>>(root, from, to, deviceTree);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&tree, deviceTree, sizeof(Tree), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    CHECK(cudaFree(deviceTree));
    printf("%d leaves, at most %d deep, with %d points\n", tree.leaves, tree.depth, tree.points);
    return 0;
}
