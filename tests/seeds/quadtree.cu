// args: 3000 6 16
// Book: a quadtree over random points, one block per node. A block counts its points by quadrant,
// moves them to the other buffer by quadrant, and launches a grid of four blocks for its children.
//
// As printed (-DAS_PRINTED) every block of a level launches the same four nodes, whose numbers are
// also wrong, and all threads of a block add to their node's number at the same time: it races, and
// most of the points are in no leaf's box.
#include <stdio.h>
#include <stdlib.h>
#include <thrust/device_vector.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/tuple.h>

class Points
{
    float *m_x;
    float *m_y;

  public:
    __host__ __device__ Points() : m_x(NULL), m_y(NULL) {}
    __host__ __device__ Points(float *x, float *y) : m_x(x), m_y(y) {}

    __host__ __device__ __forceinline__ float2 get_point(int idx) const
    {
        return make_float2(m_x[idx], m_y[idx]);
    }
    __host__ __device__ __forceinline__ void set_point(int idx, const float2 &p)
    {
        m_x[idx] = p.x;
        m_y[idx] = p.y;
    }
    __host__ __device__ __forceinline__ void set(float *x, float *y)
    {
        m_x = x;
        m_y = y;
    }
};

class Bounding_box
{
    float2 m_p_min;
    float2 m_p_max;

  public:
    __host__ __device__ Bounding_box()
    {
        m_p_min = make_float2(0.0f, 0.0f);
        m_p_max = make_float2(1.0f, 1.0f);
    }
    __host__ __device__ void compute_center(float2 &center) const
    {
        center.x = 0.5f * (m_p_min.x + m_p_max.x);
        center.y = 0.5f * (m_p_min.y + m_p_max.y);
    }
    __host__ __device__ __forceinline__ const float2 &get_max() const
    {
        return m_p_max;
    }
    __host__ __device__ __forceinline__ const float2 &get_min() const
    {
        return m_p_min;
    }
    __host__ __device__ bool contains(const float2 &p) const
    {
        return p.x >= m_p_min.x && p.x < m_p_max.x && p.y >= m_p_min.y && p.y < m_p_max.y;
    }
    __host__ __device__ void set(float min_x, float min_y, float max_x, float max_y)
    {
        m_p_min.x = min_x;
        m_p_min.y = min_y;
        m_p_max.x = max_x;
        m_p_max.y = max_y;
    }
};

class Quadtree_node
{
    int m_id; // within its level
    Bounding_box m_bounding_box;
    int m_begin, m_end; // its points

  public:
    __host__ __device__ Quadtree_node() : m_id(0), m_begin(0), m_end(0) {}
    __host__ __device__ int id() const
    {
        return m_id;
    }
    __host__ __device__ void set_id(int new_id)
    {
        m_id = new_id;
    }
    __host__ __device__ __forceinline__ const Bounding_box &bounding_box() const
    {
        return m_bounding_box;
    }
    __host__ __device__ __forceinline__ void set_bounding_box(float min_x, float min_y,
                                                              float max_x, float max_y)
    {
        m_bounding_box.set(min_x, min_y, max_x, max_y);
    }
    __host__ __device__ __forceinline__ int num_points() const
    {
        return m_end - m_begin;
    }
    __host__ __device__ __forceinline__ int points_begin() const
    {
        return m_begin;
    }
    __host__ __device__ __forceinline__ int points_end() const
    {
        return m_end;
    }
    __host__ __device__ __forceinline__ void set_range(int begin, int end)
    {
        m_begin = begin;
        m_end = end;
    }
};

struct Parameters {
    int point_selector;          // the buffer that has the points of this level's nodes
    int num_nodes_at_this_level; // 4^k at level k
    int depth;
    const int max_depth;
    const int min_points_per_node;

    __host__ __device__ Parameters(int max_depth, int min_points_per_node)
        : point_selector(0), num_nodes_at_this_level(1), depth(0), max_depth(max_depth),
          min_points_per_node(min_points_per_node)
    {
    }
    // The parameters of the next level.
    __host__ __device__ Parameters(const Parameters &params, bool)
        : point_selector((params.point_selector + 1) % 2),
          num_nodes_at_this_level(4 * params.num_nodes_at_this_level), depth(params.depth + 1),
          max_depth(params.max_depth), min_points_per_node(params.min_points_per_node)
    {
    }
};

// Whether the node is a leaf.  Its points are in buffer 0 then.
__device__ bool check_num_points_and_depth(Quadtree_node &node, Points *points, int num_points,
                                           Parameters params)
{
    if (params.depth >= params.max_depth || num_points <= params.min_points_per_node) {
        if (params.point_selector == 1) {
            int it = node.points_begin(), end = node.points_end();
            for (it += threadIdx.x; it < end; it += blockDim.x)
                if (it < end)
                    points[0].set_point(it, points[1].get_point(it));
        }
        return true;
    }
    return false;
}

__device__ void count_points_in_children(const Points &in_points, int *smem, int range_begin,
                                         int range_end, float2 center)
{
    if (threadIdx.x < 4)
        smem[threadIdx.x] = 0;
    __syncthreads();
    for (int iter = range_begin + threadIdx.x; iter < range_end; iter += blockDim.x) {
        float2 p = in_points.get_point(iter);
        if (p.x < center.x && p.y >= center.y)
            atomicAdd(&smem[0], 1); // top left
        if (p.x >= center.x && p.y >= center.y)
            atomicAdd(&smem[1], 1); // top right
        if (p.x < center.x && p.y < center.y)
            atomicAdd(&smem[2], 1); // bottom left
        if (p.x >= center.x && p.y < center.y)
            atomicAdd(&smem[3], 1); // bottom right
    }
    __syncthreads();
}

__device__ void scan_for_offsets(int node_points_begin, int *smem)
{
    int *smem2 = &smem[4];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; i++)
            smem2[i] = i == 0 ? 0 : smem2[i - 1] + smem[i - 1];
        for (int i = 0; i < 4; i++)
            smem2[i] += node_points_begin;
    }
    __syncthreads();
}

__device__ void reorder_points(Points &out_points, const Points &in_points, int *smem,
                               int range_begin, int range_end, float2 center)
{
    int *smem2 = &smem[4];
    for (int iter = range_begin + threadIdx.x; iter < range_end; iter += blockDim.x) {
        int dest;
        float2 p = in_points.get_point(iter);
        if (p.x < center.x && p.y >= center.y)
            dest = atomicAdd(&smem2[0], 1);
        if (p.x >= center.x && p.y >= center.y)
            dest = atomicAdd(&smem2[1], 1);
        if (p.x < center.x && p.y < center.y)
            dest = atomicAdd(&smem2[2], 1);
        if (p.x >= center.x && p.y < center.y)
            dest = atomicAdd(&smem2[3], 1);
        out_points.set_point(dest, p);
    }
    __syncthreads();
}

__device__ void prepare_children(Quadtree_node *children, Quadtree_node &node,
                                 const Bounding_box &bbox, int *smem)
{
    int child_offset = 4 * node.id();

#ifdef AS_PRINTED
    children[child_offset + 0].set_id(4 * node.id() + 0);
    children[child_offset + 1].set_id(4 * node.id() + 4);
    children[child_offset + 2].set_id(4 * node.id() + 8);
    children[child_offset + 3].set_id(4 * node.id() + 12);
#else
    children[child_offset + 0].set_id(4 * node.id() + 0);
    children[child_offset + 1].set_id(4 * node.id() + 1); // mended: the place in the level
    children[child_offset + 2].set_id(4 * node.id() + 2); // mended: the same
    children[child_offset + 3].set_id(4 * node.id() + 3); // mended: the same
#endif

    const float2 &p_min = bbox.get_min();
    const float2 &p_max = bbox.get_max();

    float2 center;               // mended: it was not in scope
    bbox.compute_center(center); // mended: the same
    children[child_offset + 0].set_bounding_box(p_min.x, center.y, center.x, p_max.y);
    children[child_offset + 1].set_bounding_box(center.x, center.y, p_max.x, p_max.y);
    children[child_offset + 2].set_bounding_box(p_min.x, p_min.y, center.x, center.y);
    children[child_offset + 3].set_bounding_box(center.x, p_min.y, p_max.x, center.y);

    children[child_offset + 0].set_range(node.points_begin(), smem[4 + 0]);
    children[child_offset + 1].set_range(smem[4 + 0], smem[4 + 1]);
    children[child_offset + 2].set_range(smem[4 + 1], smem[4 + 2]);
    children[child_offset + 3].set_range(smem[4 + 2], smem[4 + 3]);
}

__global__ void build_quadtree_kernel(Quadtree_node *nodes, Points *points, Parameters params)
{
    __shared__ int smem[8];

    Quadtree_node &node = nodes[blockIdx.x];
#ifdef AS_PRINTED
    node.set_id(node.id() + blockIdx.x); // mended: left out; prepare_children has set it
#endif
    int num_points = node.num_points();

    bool exit = check_num_points_and_depth(node, points, num_points, params);
    if (exit)
        return;

    const Bounding_box &bbox = node.bounding_box();
    float2 center;
    bbox.compute_center(center);

    int range_begin = node.points_begin();
    int range_end = node.points_end();
    const Points &in_points = points[params.point_selector];
    Points &out_points = points[(params.point_selector + 1) % 2];

    count_points_in_children(in_points, smem, range_begin, range_end, center);

    scan_for_offsets(node.points_begin(), smem);

    reorder_points(out_points, in_points, smem, range_begin, range_end, center);

    if (threadIdx.x == blockDim.x - 1) {
#ifdef AS_PRINTED
        Quadtree_node *children = &nodes[params.num_nodes_at_this_level];
#else
        // mended: nodes are the four of this grid, the first of which has number id & ~3 in the level
        Quadtree_node *children = &nodes[params.num_nodes_at_this_level - (node.id() & ~3)];
#endif

        prepare_children(children, node, bbox, smem);

#ifndef AS_PRINTED
        children = &children[4 * node.id()]; // mended: the children of this node
#endif
        build_quadtree_kernel<<<4, blockDim.x, 8 * sizeof(int)>>>(children, points,
                                                                  Parameters(params, true));
    }
}

struct Random_generator {
    int count;
    __host__ __device__ Random_generator() : count(0) {}
    __host__ __device__ unsigned int hash(unsigned int a)
    {
        a = (a + 0x7ed55d16) + (a << 12);
        a = (a ^ 0xc761c23c) ^ (a >> 19);
        a = (a + 0x165667b1) + (a << 5);
        a = (a ^ 0xd3a2646c) + (a << 9);
        a = (a + 0xfd7046c5) + (a << 3);
        a = (a ^ 0xb55a4f09) ^ (a >> 16);
        return a;
    }
    __host__ __device__ __forceinline__ thrust::tuple<float, float> operator()()
    {
#ifdef __CUDA_ARCH__
        unsigned seed = hash(blockIdx.x * blockDim.x + threadIdx.x + count);
        count += blockDim.x * gridDim.x;
#else
        unsigned seed = hash(0);
#endif
        thrust::default_random_engine rng(seed);
        thrust::random::uniform_real_distribution<float> distrib;
        return thrust::make_tuple(distrib(rng), distrib(rng));
    }
};

// Added: the number of points in leaves, and within the boxes of these.
static int count_in_leaves(const Quadtree_node *level, int id, const float *x, const float *y,
                           Parameters params)
{
    const Quadtree_node &node = level[id];
    int sum = 0;
    if (params.depth >= params.max_depth || node.num_points() <= params.min_points_per_node) {
        for (int i = node.points_begin(); i < node.points_end(); i++) {
            sum += node.bounding_box().contains(make_float2(x[i], y[i]));
        }
        return sum;
    }
    for (int k = 0; k < 4; k++) {
        sum += count_in_leaves(level + params.num_nodes_at_this_level, 4 * id + k, x, y,
                               Parameters(params, true));
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s POINTS DEPTH LEAST\n", argv[0]);
        return 2;
    }
    const int num_points = atoi(argv[1]);          // mended: argv[0] is the program's name
    const int max_depth = atoi(argv[2]);           // mended: the same
    const int min_points_per_node = atoi(argv[3]); // mended: the same

    thrust::device_vector<float> x_d0(num_points);
    thrust::device_vector<float> x_d1(num_points);
    thrust::device_vector<float> y_d0(num_points);
    thrust::device_vector<float> y_d1(num_points);

    Random_generator rnd;
    thrust::generate(
        thrust::make_zip_iterator(thrust::make_tuple(x_d0.begin(), y_d0.begin())),
        thrust::make_zip_iterator(thrust::make_tuple(x_d0.end(), y_d0.end())), rnd);

    Points points_init[2];
    points_init[0].set(thrust::raw_pointer_cast(&x_d0[0]), thrust::raw_pointer_cast(&y_d0[0]));
    points_init[1].set(thrust::raw_pointer_cast(&x_d1[0]), thrust::raw_pointer_cast(&y_d1[0]));

    Points *points;
    cudaMalloc((void **)&points, 2 * sizeof(Points));
    cudaMemcpy(points, points_init, 2 * sizeof(Points), cudaMemcpyHostToDevice);

    // mended: <= for <; the nodes of the greatest depth are some, too
    int max_nodes = 0;
    for (int i = 0, num_nodes_at_level = 1; i <= max_depth; ++i, num_nodes_at_level *= 4)
        max_nodes += num_nodes_at_level;

    Quadtree_node root;
    root.set_range(0, num_points);
    Quadtree_node *nodes;
    cudaMalloc((void **)&nodes, max_nodes * sizeof(Quadtree_node));
    cudaMemcpy(nodes, &root, sizeof(Quadtree_node), cudaMemcpyHostToDevice);

    cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, max_depth);

    Parameters prmtrs(max_depth, min_points_per_node);
    const int NUM_THREADS_PER_BLOCK = 128;
    const size_t smem_size = 8 * sizeof(int);
    build_quadtree_kernel<<<1, NUM_THREADS_PER_BLOCK, smem_size>>>(nodes, points, prmtrs);

    thrust::host_vector<float> x_h(x_d0);
    thrust::host_vector<float> y_h(y_d0);
    Quadtree_node *host_nodes = new Quadtree_node[max_nodes];
    cudaMemcpy(host_nodes, nodes, max_nodes * sizeof(Quadtree_node), cudaMemcpyDeviceToHost);
    printf("%d of %d points in the boxes of leaves (%s)\n",
           count_in_leaves(host_nodes, 0, &x_h[0], &y_h[0], prmtrs), num_points,
           cudaGetErrorString(cudaDeviceSynchronize()));

    delete[] host_nodes;
    cudaFree(nodes);
    cudaFree(points);
}
