// Warp operations below conditions that are uniform within each warp.  In blocks of one row of unknown
// size, threadIdx.x / 32 is the warp's number, also where the kernel reads threadIdx.y, as groups do.
// In blocks whose rows are whole warps, threadIdx.y is uniform within a warp.
#include "show.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
enum { MOST = 1024, BLOCKS = 2 };

__global__ void sums(const int *in, int *out, int size, int groups)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int warps = blockDim.x / 32, own = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int r = 0; r < (groups + warps - 1) / warps; r++) {
        int group = r * warps + own;
        if (group < groups) {
            int sum = 0;
            for (int i = lane; i < size; i += 32) {
                sum += in[group * size + i];
            }
            sum = cg::reduce(warp, sum, cg::plus<int>{});
            if (lane == 0) {
                atomicAdd(out + group, sum + 1000000 * blockIdx.x);
            }
        }
    }
}

/* Blocks of one row run by the block entry, others by threads. */
__global__ void byRow(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    unsigned rank = block.thread_rank(), row = threadIdx.y * 3 + threadIdx.z;
    int value = in[rank] + row;
    if (threadIdx.x / 32 % 2 == 0) {
        value += warp.shfl_xor(value, 5);
    } else {
        value -= warp.shfl_down(value, 3);
    }
    out[blockIdx.x * block.size() + rank] = value;
}

/* Each row is one warp, or two. */
__global__ void rows(const int *in, int *out, int n)
{
    int width = blockDim.x / 32;
    for (int first = 32 * blockIdx.x; first < n; first += 32 * gridDim.x) {
        for (int q = threadIdx.y; q < 32; q += blockDim.y) {
            int sum = in[(first + q) * 32 + threadIdx.x % 32] + threadIdx.x / 32;
            for (int step = blockDim.x < 16 ? blockDim.x : 16; step > 0; step /= 2) {
                sum += __shfl_down_sync(~0u, sum, step);
            }
            if (threadIdx.x % 32 == 0) {
                out[(first + q) * width + threadIdx.x / 32] = sum;
            }
        }
    }
}

__global__ void layers(int *out)
{
    unsigned value = threadIdx.x + 7 * threadIdx.y + 100 * threadIdx.z;
    if (threadIdx.z % 2 == 1 && threadIdx.y % 3 != 0) {
        value = __shfl_xor_sync(~0u, value, 9) + __popc(__ballot_sync(~0u, value % 3 == 0));
    }
    out[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = value;
}

__managed__ int in[64 * MOST], out[8 * MOST];
static int show(const char *name, dim3 block)
{
    unsigned hash = 2166136261u;
    MUST(cudaDeviceSynchronize());
    for (int &number : out) {
        hash = (hash ^ number) * 16777619u;
        number = 0;
    }
    printf("%s of %ux%ux%u: %08x\n", name, block.x, block.y, block.z, hash);
    return 0;
}
static unsigned number(const char *text)
{
    unsigned value = 0;
    for (; *text != 0; text++) {
        value = 10 * value + *text - '0';
    }
    return value;
}
int main()
{
    for (int i = 0; i < 64 * MOST; i++) {
        in[i] = i * 2654435761u >> 20;
    }
    const char *sizes[] = {"32", "64", "96", "256", "1024"};
    for (const char *text : sizes) {
        unsigned n = number(text); // unknown to the compiler
        sums<<<BLOCKS, n>>>(in, out, 75, 21);
        show("sums", n);
        byRow<<<BLOCKS, n>>>(in, out);
        show("byRow", n);
    }
    const dim3 blocks[] = {{32, 3, 2}, {64, 2, 3}, {96, 2, 1}};
    for (dim3 block : blocks) {
        byRow<<<BLOCKS, block>>>(in, out);
        show("byRow", block);
    }
    rows<<<BLOCKS, dim3(32, 8)>>>(in, out, 128);
    show("rows", dim3(32, 8));
    rows<<<BLOCKS, dim3(64, 5)>>>(in, out, 128);
    show("rows", dim3(64, 5));
    layers<<<1, dim3(32, 5, 3)>>>(out);
    show("layers", dim3(32, 5, 3));
    layers<<<1, dim3(64, 3, 4)>>>(out);
    show("layers", dim3(64, 3, 4));
}
