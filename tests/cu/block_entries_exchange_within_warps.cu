// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 140 blocks ran by block entries, 0 had an unsupported shape
// plain: not all of its kernels have block entries with sanitizers
// Warp operations of block entries give the results of each warp's lanes, for blocks of all sizes,
// also in a last warp that is not full, after threads have ended, in branches of whole warps, and
// for some lanes if the mask says so.
#include <cstdio>
#include <cstring>

enum { MOST = 256, ALL = -1 };

__device__ unsigned seed_of(unsigned thread)
{
    return thread * 2654435761u >> 7;
}

// The sum of each warp by halves; the first warp adds up the sums of the warps.
__global__ void sums(unsigned *out, unsigned n)
{
    __shared__ unsigned parts[32];
    unsigned t = threadIdx.x, lane = t % 32, v = t < n ? seed_of(t) : 0;
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(ALL, v, d);
    }
    if (lane == 0) {
        parts[t / 32] = v;
    }
    __syncthreads();
    if (t / 32 == 0) {
        v = lane < (blockDim.x + 31) / 32 ? parts[lane] : 0;
        for (int d = 16; d > 0; d /= 2) {
            v += __shfl_xor_sync(ALL, v, d);
        }
        out[t] = v;
    }
}

__global__ void scans(unsigned *out, unsigned width)
{
    unsigned v = seed_of(threadIdx.x), lane = threadIdx.x & 31;
    for (int d = 1; d < (int)width; d *= 2) {
        unsigned left = __shfl_up_sync(ALL, v, d, width);
        v += lane % width >= (unsigned)d ? left : 0;
    }
    out[threadIdx.x] = v;
}

// Lanes that other lanes choose; lanes that do not exist are not read.
__global__ void chosen(unsigned *out, unsigned lane)
{
    unsigned long long v = seed_of(threadIdx.x) * 0x100000001ull;
    if (threadIdx.x % 7 == 5) {
        return;
    }
    v += __shfl_sync(ALL, v, lane);
    v ^= __shfl_sync(ALL, v, (int)(seed_of(threadIdx.x) & 31));
    out[threadIdx.x] = (unsigned)(v ^ v >> 32) + __float_as_uint(__shfl_down_sync(ALL, 1.5f, 3));
}

__global__ void votes(unsigned *out, unsigned n)
{
    unsigned t = threadIdx.x, v = seed_of(t);
    bool odd = v & 1;
    unsigned yes = __ballot_sync(ALL, odd), r = yes;
    if (odd) {
        r += __reduce_add_sync(yes, v) ^ __shfl_sync(yes, v, __ffs((int)yes) - 1);
    } else {
        unsigned here = __activemask();
        r ^= here + (unsigned)__reduce_max_sync(here, (int)v);
    }
    if (t >= 64) {
        r += __any_sync(ALL, v % 64 == n) ? 3 : __all_sync(ALL, v > n);
    }
    if (t < 16) {
        r ^= __shfl_xor_sync(0xffff, v, 8);
    }
    out[t] = r;
}

__global__ void matches(unsigned *out, unsigned n)
{
    unsigned v = seed_of(threadIdx.x) % (n + 1);
    int all;
    unsigned r = __match_any_sync(ALL, v) ^ __match_any_sync(ALL, (double)(v / 2));
    r += __match_all_sync(ALL, threadIdx.x < 64 ? 7ull : v, &all);
    out[threadIdx.x] = r + (unsigned)all;
}

// Separate parts of warps, and memory that lanes share.
__global__ void tiles(unsigned *out, unsigned n)
{
    __shared__ unsigned s[MOST];
    unsigned t = threadIdx.x, v = seed_of(t), mask = 0xffu << (__cdp_laneid() & 24);
    unsigned r = __reduce_add_sync(mask, v) + __ballot_sync(mask, v & 1);
    r ^= __shfl_sync(mask, v, (int)n) + __shfl_down_sync(mask, v, n, 8);
    r += __match_any_sync(mask, v & 1);
    s[t] = r;
    __syncwarp();
    r += t % 32 == 0 ? r : s[t - 1];
    __syncwarp(mask);
    out[t] = r;
}

// The number of iterations depends on the slowest lane; whole warps diverge.
__global__ void loops(unsigned *out, unsigned n)
{
    unsigned t = threadIdx.x, v = seed_of(t) % 50, r = 0;
    while (__any_sync(ALL, v > n)) {
        r += __reduce_xor_sync(ALL, v);
        v = v * 2 / 3;
    }
    for (unsigned i = 0; i < t / 32; i++) {
        r = r * 3 + __shfl_sync(ALL, v + i, (int)i);
    }
    while (v > 1) { // lanes that leave have ended: the others continue without them
        v /= 2;
        r ^= __shfl_xor_sync(__activemask(), v, 1);
    }
    out[t] = r;
}

static void show(const char *name, void (*kernel)(unsigned *, unsigned), unsigned argument)
{
    static unsigned out[MOST];
    const unsigned sizes[] = {256, 128, 100, 64, 33, 32, 31, 7, 3, 250};
    printf("%s %u:", name, argument);
    for (unsigned size : sizes) {
        memset(out, 0, sizeof out);
        kernel<<<1, size>>>(out, argument);
        if (cudaDeviceSynchronize() != cudaSuccess) {
            printf(" %s", cudaGetErrorName(cudaGetLastError()));
        }
        unsigned hash = 1;
        for (unsigned x : out) {
            hash = (hash ^ x) * 16777619u;
        }
        printf(" %08x", hash);
    }
    printf("\n");
}

int main()
{
    show("sums", sums, 1000);
    show("sums", sums, 77);
    show("scans", scans, 32);
    show("scans", scans, 8);
    show("chosen", chosen, 0);
    show("chosen", chosen, 31);
    show("votes", votes, 3);
    show("votes", votes, 60);
    show("matches", matches, 0);
    show("matches", matches, 3);
    show("tiles", tiles, 0);
    show("tiles", tiles, 5);
    show("loops", loops, 2);
    show("loops", loops, 9);
    return 0;
}
