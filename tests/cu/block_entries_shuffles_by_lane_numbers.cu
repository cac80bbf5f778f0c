// cdpcc: --entry=block -O2
// The lane that a shuffle reads is computed from the lane's number by many operations, as libraries
// do in inline PTX. Also in partial warps, in blocks of several rows, and where few lanes are active.
#include "show.h"

enum { MOST = 256, KINDS = 8 };

__host__ __device__ static int from(int kind, int lane, int k)
{
    unsigned u = lane;
    switch (kind) {
    case 0: return lane + k <= 31 ? lane + k : lane;
    case 1: return u >= k ? lane - k : lane;
    case 2: return (lane & ~15) | ((lane + k) & 15);
    case 3: return lane < 31 - k ? lane + k : 31;
    case 4: return (lane * 5 + k) % 32;
    case 5: return (lane ^ k) > 20 ? (lane >> 1) : (int)((u << 1) & 31);
    case 6: return (signed char)(lane * 8) < 0 ? 31 - lane : lane / 2;
    default: return (long long)(lane - 16) * k > 3 ? 7 : lane == 5 ? 2 : 31 - lane;
    }
}

template <int KIND, int K> __device__ int move(int value, int lane)
{
    return __shfl_sync(~0u, value, from(KIND, lane, K));
}
// d|p of shfl.down as libraries write it: the last lane of a segment is an operand.
__device__ int sum(int value, int by, int last)
{
    int result = value;
#ifdef __CUDA_ARCH__
    asm volatile("{ .reg .u32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, %1, %2, %3, %5;"
                 " @p add.u32 r0, r0, %4; mov.u32 %0, r0; }"
                 : "=r"(result)
                 : "r"(value), "r"(by), "r"(last), "r"(value), "r"(~0u));
#endif
    return result;
}

template <int KIND> __device__ int each(int value, int lane)
{
    return move<KIND, 1>(value, lane) + 3 * move<KIND, 4>(value, lane) +
           7 * move<KIND, 16>(value, lane);
}
__device__ void all(int *out, int thread, int count)
{
    int lane = thread & 31, value = 1000 + thread * thread;
    out[0 * count + thread] = each<0>(value, lane);
    out[1 * count + thread] = each<1>(value, lane);
    out[2 * count + thread] = each<2>(value, lane);
    out[3 * count + thread] = each<3>(value, lane);
    out[4 * count + thread] = each<4>(value, lane);
    out[5 * count + thread] = each<5>(value, lane);
    out[6 * count + thread] = each<6>(value, lane);
    out[7 * count + thread] = each<7>(value, lane);
}
__global__ void byX(int *out)
{
    all(out, threadIdx.x, blockDim.x);
}
__global__ void byRows(int *out)
{
    all(out, threadIdx.y * blockDim.x + threadIdx.x, blockDim.x * blockDim.y);
}
__global__ void byLaneId(int *out)
{
    int lane = 0, thread = threadIdx.y * blockDim.x + threadIdx.x;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    all(out, (thread & ~31) | lane, blockDim.x * blockDim.y);
}
__global__ void sums(int *out, int n)
{
    int thread = threadIdx.x, value = thread < n ? thread + 1 : 0;
    for (int by = 1; by < 32; by *= 2) {
        value = sum(value, by, 31);
    }
    out[thread] = value;
}

static int value_of(int thread, int count)
{
    return thread < count ? 1000 + thread * thread : -1;
}
// A lane that reads one that is not there keeps its own value.
static int right(int kind, int thread, int count)
{
    static const int steps[] = {1, 4, 16}, factors[] = {1, 3, 7};
    int result = 0;
    for (int i = 0; i < 3; i++) {
        int source = (thread & ~31) | (from(kind, thread & 31, steps[i]) & 31);
        int value = value_of(source, count);
        result += factors[i] * (value < 0 ? value_of(thread, count) : value);
    }
    return result;
}
static int check(const int *out, int count)
{
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int t = 0; t < count; t++) {
            wrong += out[kind * count + t] != right(kind, t, count);
        }
    }
    return wrong;
}

int main()
{
    int *out, wrong = 0;
    MUST(cudaMallocManaged(&out, KINDS * MOST * sizeof *out));
    for (int threads : {256, 64, 32, 37, 100}) {
        byX<<<1, threads>>>(out);
        MUST(cudaDeviceSynchronize());
        wrong += check(out, threads);
    }
    printf("by threadIdx.x: %d wrong\n", wrong);
    wrong = 0;
    for (dim3 size : {dim3(16, 4), dim3(8, 32), dim3(32, 4), dim3(10, 10)}) {
        byRows<<<1, size>>>(out);
        MUST(cudaDeviceSynchronize());
        wrong += check(out, size.x * size.y);
        byLaneId<<<1, size>>>(out);
        MUST(cudaDeviceSynchronize());
        wrong += check(out, size.x * size.y);
    }
    printf("in rows: %d wrong\n", wrong);
    sums<<<1, 64>>>(out, 50);
    MUST(cudaDeviceSynchronize());
    printf("sums: %d %d\n", out[0], out[32]);
    return 0;
}
