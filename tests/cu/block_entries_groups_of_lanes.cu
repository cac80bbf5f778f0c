// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 126 blocks ran by block entries, 0 had an unsupported shape
// plain: not all of its kernels have block entries with sanitizers
// Warp-aggregated atomics: the lanes that are active together, and groups of them with the same value, in
// branches and in loops that lanes leave at different times. Which lanes are active together is not
// defined, so all results are such that it does not matter.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;
enum { BLOCKS = 3, KEYS = 7, MOST = 4096 };

struct data {
    int counter, failures, places[MOST], counts[KEYS], sums[KEYS], most[KEYS], parity[2];
};
__device__ data d;

__device__ unsigned hash(unsigned x)
{
    x = (x ^ x >> 15) * 2246822519u;
    return (x ^ x >> 13) * 3266489917u >> 7;
}

__device__ int take(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) {
        first = atomicAdd(counter, (int)active.size());
    }
    return active.shfl(first, 0) + (int)active.thread_rank();
}

// Each element that passes gets a place of its own.
__global__ void filter(int n)
{
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += (int)(gridDim.x * blockDim.x)) {
        if (hash((unsigned)i) % 3 == 0) {
            d.places[take(&d.counter)] = i + 1;
        }
    }
}

// Lanes leave the loop after different numbers of rounds and keep what they saw in the last one.
__global__ void leave(int n)
{
    unsigned lane = threadIdx.x % 32, rounds = hash(threadIdx.x + (unsigned)n) % 9, seen = 0;
    int place = 0;
    for (unsigned r = 0; r <= rounds; r++) {
        seen = __activemask();
        place = take(&d.counter);
        d.places[place] = 1;
        if (r == 4 && lane % 5 == 0) {
            continue;
        }
        seen |= __ballot_sync(__activemask(), true);
    }
    if (!(seen >> lane & 1) || d.places[place] != 1) {
        atomicAdd(&d.failures, 1);
    }
}

// One group for each key: its first lane adds for all.
__global__ void count(int n)
{
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += (int)(gridDim.x * blockDim.x)) {
        int key = (int)(hash((unsigned)i) % (KEYS + 2));
        if (key < KEYS) {
            unsigned same = __match_any_sync(__activemask(), key);
            int leader = __ffs((int)same) - 1, sum = __reduce_add_sync(same, i);
            unsigned all = __ballot_sync(same, i % 2), first = 0;
            if ((int)(threadIdx.x % 32) == leader) {
                first = (unsigned)atomicAdd(&d.counts[key], __popc(same));
                atomicAdd(&d.sums[key], sum);
                atomicAdd(&d.parity[1], __popc(all));
            }
            first = __shfl_sync(same, first, leader);
            if (first > (unsigned)n || (all & ~same) != 0 || (same >> (threadIdx.x % 32) & 1) == 0) {
                atomicAdd(&d.failures, 1);
            }
        }
    }
}

// The same by cooperative groups. A branch on the value divides no group.
__global__ void groups(int n)
{
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += (int)(gridDim.x * blockDim.x)) {
        int x = (int)(hash((unsigned)i) % 1000);
        auto same = cg::labeled_partition(cg::coalesced_threads(), x % KEYS);
        int most = cg::reduce(same, x, cg::greater<int>());
        if (same.thread_rank() == 0) {
            atomicMax(&d.most[x % KEYS], most);
        }
        auto half = cg::binary_partition(tile, x & 1);
        if (x & 1) {
            int sum = cg::reduce(half, x, cg::plus<int>());
            if (half.thread_rank() == 0) {
                atomicAdd(&d.parity[1], sum + (int)half.size());
            }
        } else {
            int sum = cg::reduce(half, x, cg::plus<int>());
            if (half.thread_rank() == 0) {
                atomicAdd(&d.parity[0], sum);
            }
        }
        tile.sync();
    }
}

// Each group runs a loop of its own length; floats are added by shuffles within the group.
__global__ void loops(int n)
{
    int key = (int)(hash(threadIdx.x + (unsigned)n) % KEYS);
    unsigned same = __match_any_sync(__activemask(), key);
    int size = __popc(same), lane = (int)(threadIdx.x % 32);
    int rank = __popc(same & ((1u << lane) - 1)), from = lane;
    float sum = (float)(threadIdx.x % 8), mine = sum;
    for (int r = 1; r < size; r++) { // the next lane of the group, around
        unsigned above = from == 31 ? 0 : same >> (from + 1) << (from + 1);
        from = __ffs((int)(above != 0 ? above : same)) - 1;
        sum += __shfl_sync(same, mine, from);
    }
    if (rank == 0) {
        atomicAdd(&d.sums[key], (int)sum);
        atomicAdd(&d.counts[key], size);
    }
}

// A tile of eight lanes for each row: a branch of whole tiles, then a loop of each lane.
__global__ void tiles(int n)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int row = (int)(blockIdx.x * 32 + threadIdx.x / 8);
    if (row < n / 12 && threadIdx.x / 8 != 5) {
        int sum = 0;
        for (unsigned j = tile.thread_rank(); j < hash((unsigned)row) % 50; j += 8) {
            sum += (int)j;
        }
        unsigned odd = tile.ballot(sum % 2);
        for (int d = 4; d > 0; d /= 2) {
            sum += tile.shfl_down(sum, d);
        }
        int most = cg::reduce(tile, row % KEYS, cg::greater<int>());
        if (tile.thread_rank() == 0) {
            atomicAdd(&d.sums[most], sum);
            atomicAdd(&d.counts[row % KEYS], __popc(odd));
        }
    }
}

// Whether a group has the number and the count of groups that a partition by `key` gives it.
__device__ bool isNumbered(cg::coalesced_group group, int key, int n)
{
    unsigned seen = 0, number = 0, groups = 0;
    for (unsigned t = threadIdx.x & ~31u; t < blockDim.x && t <= (threadIdx.x | 31); t++) {
        unsigned other = hash(t + (unsigned)n) % 3;
        if (!(seen >> other & 1)) {
            number = (int)other == key ? groups : number;
            seen |= 1u << other;
            groups++;
        }
    }
    return group.meta_group_rank() == number && group.meta_group_size() == groups;
}

// Parts of parts: the lanes of a tile or group, and not others that are active with them.
__global__ void parts(int n)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = (int)threadIdx.x, key = (int)(hash((unsigned)(t + n)) % 3);
    auto odd = cg::binary_partition(tile, t & 1);
    auto outer = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), key);
    auto inner = cg::binary_partition(outer, t & 2);
    auto even = cg::labeled_partition(tile, (t & 1) == 0);
    unsigned halves = inner.size() == outer.size() ? 1 : 2;
    if (!isNumbered(outer, key, n) || odd.meta_group_rank() != (t & 1) || odd.meta_group_size() != 2 ||
        even.meta_group_rank() != !(t & 1) || even.meta_group_size() != 2 ||
        inner.meta_group_size() != halves || inner.meta_group_rank() != (halves == 2 && (t & 2))) {
        atomicAdd(&d.failures, 1);
    }
    int sum = cg::reduce(inner, t, cg::plus<int>());
    if (t / 8 == 1) {
        int most = cg::reduce(odd, t, cg::greater<int>());
        atomicAdd(&d.most[t % KEYS], most * (int)odd.size() + (int)odd.thread_rank());
    }
    tile.sync();
    if (inner.thread_rank() == 0) {
        atomicAdd(&d.sums[key], sum);
    }
    atomicAdd(&d.counts[key], (int)(outer.size() * 32 + inner.size() + inner.thread_rank()));
}

template <class F> static void run(const char *name, F kernel)
{
    data h, clear = {};
    printf("%s:", name);
    for (int threads : {32, 256, 100}) {
        for (int n : {100, 999}) {
            cudaMemcpyToSymbol(d, &clear, sizeof d);
            kernel<<<BLOCKS, threads>>>(n);
            if (cudaMemcpyFromSymbol(&h, d, sizeof d) != cudaSuccess) {
                printf(" %s", cudaGetErrorName(cudaGetLastError()));
            }
            long sum = h.counter + 1000000l * h.failures;
            for (int i = 0; i < MOST; i++) {
                sum += h.places[i] * 31l;
            }
            for (int i = 0; i < KEYS; i++) {
                sum += (i + 1) * (h.counts[i] * 7l + h.sums[i] * 11l + h.most[i] * 13l);
            }
            printf(" %ld", sum + h.parity[0] * 3l + h.parity[1] * 5l);
        }
    }
    printf("\n");
}

int main()
{
    run("filter", filter);
    run("leave", leave);
    run("count", count);
    run("groups", groups);
    run("loops", loops);
    run("tiles", tiles);
    run("parts", parts);
    return 0;
}
