// cg::reduce, scans, shfl, any and all of tiles of 64 threads and more, several tiles and several
// sizes at the same time; with and without memory passed to the block; and their results in atomics.
#include "show.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// Has the form of cuda::atomic.
struct Atomic {
    int value;
    __device__ int load() const { return *(volatile const int *)&value; }
    __device__ void store(int v) { *(volatile int *)&value = v; }
    __device__ bool compare_exchange_weak(int &expected, int desired)
    {
        const int seen = atomicCAS(&value, expected, desired), before = expected;
        expected = seen;
        return seen == before;
    }
};
// Neither commutative nor four bytes wide: 2 by 2 matrices modulo 2^32.
struct Matrix {
    unsigned a, b, c, d;
};
struct Product {
    __device__ Matrix operator()(const Matrix &x, const Matrix &y) const
    {
        return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
                x.c * y.b + x.d * y.d};
    }
};
__device__ bool operator!=(const Matrix &x, const Matrix &y)
{
    return x.a != y.a || x.b != y.b || x.c != y.c || x.d != y.d;
}
__device__ int value_of(unsigned n) { return (int)(n * 2654435761u >> 20) % 1000; }
__device__ Matrix matrix_of(unsigned n) { return {n + 1, n & 3, 1, n % 5}; }

template <unsigned size, class Block> __device__ void ask(const Block &block, int *wrong, Atomic *atomics)
{
    auto tile = cg::tiled_partition<size>(block);
    const unsigned me = threadIdx.x, first = me / size * size, rank = me - first;
    int sum = 0, least = 1000, greatest = -1, before = 0, bits = 0;
    Matrix all = {1, 0, 0, 1}, upto = all;
    for (unsigned i = 0; i < size; i++) {
        const int v = value_of(first + i);
        before += i < rank ? v : 0;
        sum += v;
        least = min(least, v), greatest = max(greatest, v), bits ^= v;
        all = Product()(all, matrix_of(first + i));
        upto = i <= rank ? all : upto;
    }
    const int v = value_of(me);
    int bad = tile.size() != size || tile.thread_rank() != rank;
    bad += tile.meta_group_rank() != me / size || tile.meta_group_size() != blockDim.x / size;
    bad += cg::reduce(tile, v) != sum;
    bad += cg::reduce(tile, v, cg::plus<int>()) != sum;
    bad += cg::reduce(tile, v, cg::less<int>()) != least;
    bad += cg::reduce(tile, v, cg::greater<int>()) != greatest;
    bad += cg::reduce(tile, v, cg::bit_xor<int>()) != bits;
    bad += cg::reduce(tile, (double)v, [](double a, double b) { return a + b; }) != sum;
    bad += cg::reduce(tile, (short)(me & 7), cg::plus<short>()) != (short)(size / 8 * 28);
    bad += cg::reduce(tile, matrix_of(me), Product()) != all;
    bad += cg::inclusive_scan(tile, v) != before + v;
    bad += cg::exclusive_scan(tile, v) != before;
    bad += cg::inclusive_scan(tile, matrix_of(me), Product()) != upto;
    bad += cg::exclusive_scan(tile, v, cg::plus<int>()) != before;
    bad += tile.shfl(v, size - 3) != value_of(first + size - 3);
    bad += tile.shfl(matrix_of(me), 5) != matrix_of(first + 5);
    bad += tile.any(rank == size - 1) != 1 || tile.any(0) != 0;
    bad += tile.all(1) != 1 || tile.all(rank != size - 1) != 0;
    // Tiles of tiles count within them.
    auto half = cg::tiled_partition<size / 2>(tile);
    bad += half.meta_group_rank() != rank / (size / 2) || half.meta_group_size() != 2;
    cg::thread_block_tile<size / 2> copy = half;
    bad += copy.meta_group_rank() != rank / (size / 2) || copy.meta_group_size() != 2;
    bad += cg::reduce(half, 1) != (int)(size / 2);
    // Large tiles as plain groups.
    const cg::thread_group &group = tile;
    cg::sync(group);
    bad += group.size() != size;
    // Results in memory: one atomic for each tile.
    Atomic *mine = &atomics[me / size];
    const int after = cg::inclusive_scan_update(tile, *mine, v, cg::plus<int>());
    bad += after - (before + v) != 100;
    tile.sync();
    bad += mine->load() != 100 + sum;
    tile.sync();
    bad += cg::exclusive_scan_update(tile, *mine, v) != 100 + sum + before;
    tile.sync();
    cg::reduce_update_async(tile, *mine, v, cg::plus<int>());
    tile.sync();
    bad += mine->load() != 100 + 3 * sum;
    tile.sync();
    cg::reduce_store_async(tile, &mine->value, v, cg::less<int>());
    tile.sync();
    bad += mine->load() != least;
    tile.sync();
    cg::reduce_store_async(tile, *mine, 100, cg::less<int>());
    int once = 0;
    cg::invoke_one(tile, [&](int n) { once += n; }, 3);
    bad += once != (rank == 0 ? 3 : 0);
    bad += cg::invoke_one_broadcast(tile, [&] { return (int)me + 1; }) != (int)first + 1;
    block.sync();
    if (bad) {
        atomicAdd(wrong, 1);
    }
}
__global__ void kernel(int *wrong, Atomic *atomics)
{
    __shared__ cg::block_tile_memory<1024> memory;
    auto with_memory = cg::this_thread_block(memory);
    auto plain = cg::this_thread_block();
    atomics += 16 * blockIdx.x;
    ask<64>(with_memory, wrong, atomics);
    ask<128>(plain, wrong, atomics);
    ask<256>(with_memory, wrong, atomics);
    ask<512>(plain, wrong, atomics);
    if (blockDim.x == 1024) {
        ask<1024>(plain, wrong, atomics);
    }
}
int main()
{
    for (int threads = 512; threads <= 1024; threads *= 2) {
        int *wrong;
        Atomic *atomics;
        MUST(cudaMallocManaged(&wrong, sizeof(int)));
        MUST(cudaMallocManaged(&atomics, 3 * 16 * sizeof(Atomic)));
        for (int i = 0; i < 3 * 16; i++) {
            atomics[i].value = 100;
        }
        kernel<<<3, threads>>>(wrong, atomics);
        MUST(cudaDeviceSynchronize());
        printf("%d\n", *wrong);
    }
}
