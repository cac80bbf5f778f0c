// A quadtree over points in the unit square, built by recursion on the device.
//
// Each block owns one node. It sorts the node's points by quadrant into a second buffer:
// every thread counts its points, adds the counts to the block's with shared-memory
// atomics, and reserves as many places with the same counters. Then one thread launches
// one grid of four blocks, one for each child. At every level the two buffers change
// roles.
//
//   quadtree [points]        default 5000
#include <algorithm>
#include <vector>

#include "check.h"

#define THREADS 64
#define MAX_DEPTH 7
#define MIN_POINTS 16

struct Node {
    float x, y, size; // lower left corner and side; exact, as powers of two
    int begin, end;   // its points
    int isLeaf;
};

// Child k of node i is node 4 * i + 1 + k.
static const int nodeCount = ((1 << (2 * (MAX_DEPTH + 1))) - 1) / 3;

__host__ __device__ inline int quadrantOf(const Node &node, float2 point)
{
    float half = node.size / 2;
    return (point.x >= node.x + half ? 1 : 0) + (point.y >= node.y + half ? 2 : 0);
}

__global__ void build(Node *nodes, int firstNode, float2 *from, float2 *to, int depth)
{
    __shared__ int next[4]; // counts, then the next free place of each quadrant
    int index = firstNode + blockIdx.x;
    Node node = nodes[index];

    if (depth == MAX_DEPTH || node.end - node.begin <= MIN_POINTS) {
        // The result is always in the first buffer, to which odd levels write.
        for (int i = node.begin + threadIdx.x; depth % 2 != 0 && i < node.end; i += THREADS) {
            to[i] = from[i];
        }
        if (threadIdx.x == 0) {
            nodes[index].isLeaf = 1;
        }
        return;
    }

    if (threadIdx.x < 4) {
        next[threadIdx.x] = 0;
    }
    __syncthreads();
    int a = 0, b = 0, c = 0, d = 0; // this thread's points in each quadrant, then its next places
    for (int i = node.begin + threadIdx.x; i < node.end; i += THREADS) {
        int quadrant = quadrantOf(node, from[i]);
        a += quadrant == 0;
        b += quadrant == 1;
        c += quadrant == 2;
        d += quadrant == 3;
    }
    atomicAdd(&next[0], a);
    atomicAdd(&next[1], b);
    atomicAdd(&next[2], c);
    atomicAdd(&next[3], d);
    __syncthreads();
    if (threadIdx.x == 0) {
        int place = node.begin;
        float half = node.size / 2;
        for (int k = 0; k < 4; k++) {
            float x = node.x + (k & 1) * half, y = node.y + (k >> 1) * half;
            Node child = {x, y, half, place, place + next[k], 0};
            nodes[4 * index + 1 + k] = child;
            next[k] = place;
            place = child.end;
        }
    }
    __syncthreads();
    a = atomicAdd(&next[0], a);
    b = atomicAdd(&next[1], b);
    c = atomicAdd(&next[2], c);
    d = atomicAdd(&next[3], d);
    for (int i = node.begin + threadIdx.x; i < node.end; i += THREADS) {
        float2 point = from[i];
        int quadrant = quadrantOf(node, point);
        to[quadrant < 2 ? (quadrant == 0 ? a++ : b++) : (quadrant == 2 ? c++ : d++)] = point;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        build<<<4, THREADS>>>(nodes, 4 * index + 1, to, from, depth + 1);
    }
}

// Compares the subtree with the result of a plain recursion over the points.
static bool isRight(const std::vector<Node> &nodes, int index, const std::vector<float2> &sorted,
                    const std::vector<float2> &points, int depth, int *leaves)
{
    const Node &node = nodes[index];
    if (node.end - node.begin != (int)points.size()) {
        return false;
    }
    if (depth == MAX_DEPTH || points.size() <= MIN_POINTS) {
        std::vector<float2> mine(sorted.begin() + node.begin, sorted.begin() + node.end);
        std::vector<float2> theirs = points;
        auto before = [](float2 a, float2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
        std::sort(mine.begin(), mine.end(), before);
        std::sort(theirs.begin(), theirs.end(), before);
        (*leaves)++;
        return node.isLeaf &&
               std::equal(mine.begin(), mine.end(), theirs.begin(),
                          [](float2 a, float2 b) { return a.x == b.x && a.y == b.y; });
    }
    std::vector<float2> parts[4];
    for (float2 point : points) {
        parts[quadrantOf(node, point)].push_back(point);
    }
    bool right = !node.isLeaf;
    for (int k = 0; k < 4; k++) {
        right = isRight(nodes, 4 * index + 1 + k, sorted, parts[k], depth + 1, leaves) && right;
    }
    return right;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5000;
    if (n < 1) {
        fprintf(stderr, "usage: quadtree [points, at least 1]\n");
        return 2;
    }
    std::vector<float2> points(n);
    unsigned random = 1;
    for (float2 &point : points) { // denser towards one corner
        float coordinate[2];
        for (float &c : coordinate) {
            random = random * 1664525 + 1013904223;
            c = (random >> 8) / 16777216.0f;
        }
        point = make_float2(coordinate[0] * coordinate[0], coordinate[1] * coordinate[1]);
    }

    float2 *first = nullptr, *second = nullptr;
    Node *nodes = nullptr, root = {0, 0, 1, 0, n, 0};
    check(cudaMalloc(&first, n * sizeof(float2)));
    check(cudaMalloc(&second, n * sizeof(float2)));
    check(cudaMalloc(&nodes, nodeCount * sizeof(Node)));
    check(cudaMemcpy(first, points.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
    check(cudaMemcpy(nodes, &root, sizeof(root), cudaMemcpyHostToDevice));
    build<<<1, THREADS>>>(nodes, 0, first, second, 0);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    std::vector<Node> tree(nodeCount);
    std::vector<float2> sorted(n);
    check(cudaMemcpy(tree.data(), nodes, nodeCount * sizeof(Node), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(sorted.data(), first, n * sizeof(float2), cudaMemcpyDeviceToHost));
    check(cudaFree(first));
    check(cudaFree(second));
    check(cudaFree(nodes));
    int leaves = 0;
    if (!isRight(tree, 0, sorted, points, 0, &leaves)) {
        printf("quadtree: FAILED: not the host's tree\n");
        return 1;
    }
    printf("quadtree: %d points in %d leaves\n", n, leaves);
    return 0;
}
