// The book's quadtree: points and nodes in thrust's vectors, one block for a node, which
// counts its points by quadrant, sorts them into the other buffer, and launches a grid of
// four blocks for its children.  As printed it reads the wrong arguments, and a center that
// is not in scope.
#include "show.h"
#include <thrust/device_vector.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/tuple.h>
#define THREADS 64

struct Points {
    float *x, *y;
};
struct Box {
    float2 low, high;
    __host__ __device__ float2 center() const {
        return make_float2(0.5f * (low.x + high.x), 0.5f * (low.y + high.y));
    }
    __host__ __device__ bool contains(float x, float y) const {
        return x >= low.x && x < high.x && y >= low.y && y < high.y;
    }
    // Quadrant 0 is top left, 1 top right, 2 bottom left, 3 bottom right.
    __host__ __device__ Box quadrant(int k) const {
        float2 c = center();
        Box box;
        box.low = make_float2(k % 2 == 0 ? low.x : c.x, k < 2 ? c.y : low.y);
        box.high = make_float2(k % 2 == 0 ? c.x : high.x, k < 2 ? high.y : c.y);
        return box;
    }
};
struct Node {
    Box box;
    int begin, end;
    int id, buffer; // which buffer has the points of a leaf; -1 for a node with children
};
struct Parameters {
    int max_depth, min_points;
};

__device__ int quadrantOf(float2 center, float x, float y) {
    return (x >= center.x ? 1 : 0) + (y >= center.y ? 0 : 2);
}
// The node of this block: the children of a level lie side by side in nodes.
__global__ void build_quadtree_kernel(Node *nodes, Points *points, Parameters params, int depth) {
    __shared__ int next[4];
    Node &node = nodes[blockIdx.x];
    const Points in = points[depth % 2], out = points[(depth + 1) % 2];
    if (depth >= params.max_depth || node.end - node.begin <= params.min_points) {
        if (threadIdx.x == 0) {
            node.buffer = depth % 2;
        }
        return;
    }
    const float2 center = node.box.center();
    if (threadIdx.x < 4) {
        next[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = node.begin + threadIdx.x; i < node.end; i += blockDim.x) {
        atomicAdd(&next[quadrantOf(center, in.x[i], in.y[i])], 1);
    }
    __syncthreads();
    // Offsets of the quadrants, and the children's nodes: behind this level's, by number.
    Node *children = &node - node.id + (1 << (2 * depth)) + 4 * node.id;
    if (threadIdx.x == 0) {
        int offset = node.begin;
        for (int k = 0; k < 4; k++) {
            int count = next[k];
            next[k] = offset;
            children[k] = Node{node.box.quadrant(k), offset, offset + count, 4 * node.id + k, -1};
            offset += count;
        }
    }
    __syncthreads();
    for (int i = node.begin + threadIdx.x; i < node.end; i += blockDim.x) {
        int to = atomicAdd(&next[quadrantOf(center, in.x[i], in.y[i])], 1);
        out.x[to] = in.x[i];
        out.y[to] = in.y[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        node.buffer = -1;
        build_quadtree_kernel<<<4, THREADS>>>(children, points, params, depth + 1);
    }
}

struct Random_generator {
    unsigned calls = 0;
    __host__ __device__ thrust::tuple<float, float> operator()() {
#ifdef __CUDA_ARCH__
        unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#else
        unsigned thread = 0;
#endif
        thrust::default_random_engine engine(thread * 7919 + calls++ + 1);
        engine.discard(3);
        thrust::uniform_real_distribution<float> distribution(0.0f, 1.0f);
        float x = distribution(engine);
        return thrust::make_tuple(x * x, distribution(engine));
    }
};

// Points in the leaves of a node that lie in their box; -1 if one does not.
static int check(const Node *level, int id, int depth, const thrust::host_vector<float> *x,
                 const thrust::host_vector<float> *y) {
    const Node &node = level[id];
    int sum = 0;
    if (node.buffer >= 0) {
        for (int i = node.begin; i < node.end; i++) {
            if (!node.box.contains(x[node.buffer][i], y[node.buffer][i])) {
                return -1;
            }
        }
        return node.end - node.begin;
    }
    for (int k = 0; k < 4; k++) {
        int part = check(level + (1 << (2 * depth)), 4 * id + k, depth + 1, x, y);
        if (part < 0) {
            return -1;
        }
        sum += part;
    }
    return sum;
}

int main() {
    const int num_points = 3000;
    const Parameters params = {6, 16};
    thrust::device_vector<float> x0(num_points), x1(num_points), y0(num_points), y1(num_points);
    thrust::generate(thrust::make_zip_iterator(thrust::make_tuple(x0.begin(), y0.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(x0.end(), y0.end())),
                     Random_generator());
    thrust::host_vector<Points> pointers(2);
    pointers[0] = Points{thrust::raw_pointer_cast(&x0[0]), thrust::raw_pointer_cast(&y0[0])};
    pointers[1] = Points{thrust::raw_pointer_cast(&x1[0]), thrust::raw_pointer_cast(&y1[0])};
    thrust::device_vector<Points> points = pointers;
    int max_nodes = 0;
    for (int depth = 0; depth <= params.max_depth; depth++) {
        max_nodes += 1 << (2 * depth);
    }
    const Node root = {{make_float2(0, 0), make_float2(1, 1)}, 0, num_points, 0, -1};
    thrust::device_vector<Node> nodes(max_nodes);
    nodes[0] = root;
    build_quadtree_kernel<<<1, THREADS>>>(thrust::raw_pointer_cast(&nodes[0]),
                                          thrust::raw_pointer_cast(&points[0]), params, 0);
    MUST(cudaDeviceSynchronize());
    thrust::host_vector<Node> result = nodes;
    thrust::host_vector<float> x[2] = {x0, x1}, y[2] = {y0, y1};
    printf("%d points in their leaves, root %s\n", check(&result[0], 0, 0, x, y),
           result[0].buffer < 0 ? "divided" : "whole");
}
