// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 128 blocks ran by block entries, 0 had an unsupported shape
// plain: not all of its kernels have block entries with sanitizers
// races: volatile accesses order nothing in C++
// Warp-synchronous code, as written before __syncwarp: lanes of a warp exchange values through
// volatile memory, and each access is done by all lanes before the next one.  For blocks of one and
// of several rows, with a last warp that is not full, and after threads have ended.
#include "show.h"

#include <cstring>

enum { MOST = 1024 };

__device__ unsigned number()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__host__ __device__ int value_of(unsigned thread)
{
    return (int)(thread * 2654435761u >> 20) - 1000;
}

// The last steps of a reduction, unrolled.
__device__ void reduce_tail(volatile int *s, unsigned t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

__global__ void reduces(int *out)
{
    __shared__ int s[MOST + 64];
    unsigned t = number(), threads = blockDim.x * blockDim.y * blockDim.z;
    s[t] = value_of(t);
    if (t < 64) {
        s[threads + t] = 0;
    }
    for (unsigned half = 512; half > 32; half /= 2) {
        __syncthreads();
        if (t < half && t + half < threads) {
            s[t] += s[t + half];
        }
    }
    __syncthreads();
    if (t < 32) {
        reduce_tail(s, t);
    }
    if (t == 0) {
        out[0] = s[0];
    }
}

// A last warp that is not full reads cells of lanes that do not exist.
__device__ void clear(volatile int *s, unsigned count)
{
    for (unsigned i = number(); i < count; i += blockDim.x * blockDim.y * blockDim.z) {
        s[i] = 0;
    }
    __syncthreads();
}

// Each warp by itself.
__global__ void scans(int *out)
{
    __shared__ volatile int s[2 * MOST];
    unsigned t = number(), at = t + (t & ~31u) + 32;
    clear(s, 2 * MOST);
    s[at] = value_of(t);
    s[at] += s[at - 1];
    s[at] += s[at - 2];
    s[at] += s[at - 4];
    s[at] += s[at - 8];
    s[at] += s[at - 16];
    out[t] = s[at];
}

template <class T> __device__ T scan_by_loop(volatile T *s, unsigned lane, T mine)
{
    s[lane] = mine;
    for (unsigned d = 1; d < 32; d *= 2) {
        if (lane >= d) {
            s[lane] = mine = (T)(mine + s[lane - d]);
        }
    }
    return mine;
}

__global__ void scans_of_types(int *out)
{
    __shared__ char bytes[MOST];
    __shared__ unsigned short halves[MOST];
    __shared__ long long longs[MOST];
    __shared__ float floats[MOST];
    unsigned t = number(), first = t & ~31u, lane = t & 31;
    int v = value_of(t);
    int sum = scan_by_loop<char>(bytes + first, lane, (char)v);
    __syncthreads();
    sum += scan_by_loop<unsigned short>(halves + first, lane, (unsigned short)v);
    __syncthreads();
    sum += (int)scan_by_loop<long long>(longs + first, lane, v);
    __syncthreads();
    sum += (int)scan_by_loop<float>(floats + first, lane, (float)v);
    out[t] = sum;
}

// The function becomes part of the kernel: it could not be called lane by lane.
__device__ int rotate(volatile int *s, unsigned lane, int v)
{
    s[lane] = v;
    return s[(lane + 1) & 31];
}

// Other lanes' elements by permutations, from memory, and the first lane's.
__global__ void exchanges(int *out)
{
    __shared__ volatile int s[MOST];
    unsigned t = number(), first = t & ~31u, lane = t & 31;
    volatile int *mine = s + first;
    clear(s, MOST);
    int v = rotate(mine, lane, value_of(t));
    mine[lane] = v;
    for (unsigned d = 16; d > 0; d /= 2) {
        int other = mine[lane ^ d];
        mine[lane] = v = (lane & d) != 0 ? max(v, other) : min(v, other);
    }
    v -= mine[0];
    mine[lane] = v & 31;
    v += mine[mine[lane]];
    out[t] = v;
}

// Threads that have ended keep their values; the others stay together.
__global__ void ends_early(int *out)
{
    __shared__ volatile int s[MOST];
    unsigned t = number(), first = t & ~31u, lane = t & 31;
    clear(s, MOST);
    s[t] = value_of(t);
    __syncthreads();
    if (t % 5 == 3) {
        return;
    }
    s[t] += s[first + (lane + 16) % 32];
    s[t] += s[first + (lane + 1) % 32];
    out[t] = s[t];
}

// Two branches on one condition, with an exchange between them: the exchange is that of all lanes.
__global__ void between_branches(int *out)
{
    __shared__ volatile int s[MOST];
    unsigned t = number(), first = t & ~31u, lane = t & 31;
    clear(s, MOST);
    int v = value_of(t), kind = v & 3;
    if (kind == 1) {
        atomicAdd(&out[MOST], 1);
    }
    s[t] = v;
    int left = s[first + ((lane + 1) & 31)];
    if (kind == 1) {
        atomicAdd(&out[MOST], 2);
        left += 1000;
    }
    out[t] = left;
}

// Values of a whole block that are volatile: after a barrier, branches on them are uniform.
__global__ void flags(int *out)
{
    __shared__ volatile int count, s[MOST];
    unsigned t = number();
    if (t == 0) {
        count = 3;
    }
    s[t] = 0;
    __syncthreads();
    while (count != 0) {
        __syncthreads();
        s[t] += count;
        __syncthreads();
        if (t == 0) {
            count = count - 1;
        }
        __syncthreads();
    }
    out[t] = s[t];
}

// Global memory, and a thread's own variables.
__global__ void global(volatile int *out, volatile char *bytes)
{
    unsigned t = number(), first = t & ~31u, lane = t & 31;
    volatile int own[4];
    own[t & 3] = value_of(t);
    bytes[t] = (char)t;
    out[t] = own[t & 3];
    out[t] += out[first + (lane + 16) % 32];
    int left = out[first + (lane + 31) % 32];
    out[first + lane] = left + bytes[t];
}

static unsigned out_of(int kind, dim3 size, unsigned threads)
{
    int *out, *cells;
    MUST(cudaMallocManaged(&out, (MOST + 1) * sizeof(int)));
    MUST(cudaMallocManaged(&cells, MOST * sizeof(int)));
    memset(out, 0, (MOST + 1) * sizeof(int));
    memset(cells, 0, MOST * sizeof(int));
    switch (kind) {
    case 0: reduces<<<1, size>>>(out); break;
    case 1: scans<<<1, size>>>(out); break;
    case 2: scans_of_types<<<1, size>>>(out); break;
    case 3: exchanges<<<1, size>>>(out); break;
    case 4: ends_early<<<1, size>>>(out); break;
    case 5: between_branches<<<1, size>>>(out); break;
    case 6: flags<<<1, size>>>(out); break;
    default: global<<<1, size>>>(out, (char *)cells); break;
    }
    MUST(cudaDeviceSynchronize());
    unsigned sum = 0;
    int expected = 0;
    for (unsigned i = 0; i < threads; i++) {
        expected = i % 32 == 0 && kind == 1 ? value_of(i) : expected + value_of(i);
        if (kind == 1 && out[i] != expected) {
            printf("scan %u: %d, not %d\n", i, out[i], expected);
        }
        sum = sum * 31 + (unsigned)out[i];
    }
    if (kind == 0 && out[0] != expected) {
        printf("sum: %d, not %d\n", out[0], expected);
    }
    MUST(cudaFree(out));
    MUST(cudaFree(cells));
    return sum & 0xffffff;
}

int main()
{
    static const dim3 sizes[] = {{32},    {48},     {64},     {96},     {100},      {128},   {256},
                                 {1024},  {8, 8},   {16, 6},  {32, 4},  {48, 2},    {10, 10}, {5, 13},
                                 {64, 4}, {4, 4, 8}};
    for (dim3 size : sizes) {
        unsigned threads = size.x * size.y * size.z;
        printf("%ux%ux%u:", size.x, size.y, size.z);
        for (int kind = 0; kind < 8; kind++) {
            printf(" %06x", out_of(kind, size, threads));
        }
        printf("\n");
    }
}
