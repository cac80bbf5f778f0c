// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 15 blocks ran by block entries, 0 had an unsupported shape
// entries: it tests their code
// Functions with barriers, atomics and warp operations are inlined into the block entry, also
// functions that call each other and functions marked noinline.
#include <cstdio>

__device__ __noinline__ int exchange(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    int other = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    return other;
}

__device__ __noinline__ int twice(int *s, int v)
{
    return exchange(s, v) + exchange(s, v * 2);
}

__device__ __noinline__ void count(int *tally, int v)
{
    atomicAdd(&tally[v % 4], v);
}

__device__ __noinline__ int most(int v)
{
    for (int d = 16; d > 0; d /= 2) {
        v = max(v, __shfl_xor_sync(~0u, v, d));
    }
    return v;
}

__global__ void kernel(int *out, int *tally, int n)
{
    __shared__ int s[256];
    int v = (int)threadIdx.x * n % 101;
    v += twice(s, v);
    if (v % 3 != 0) {
        count(tally, v);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = v * 1000 + most(v);
}

int main()
{
    int *out, *tally;
    cudaMallocManaged(&out, 768 * sizeof(int));
    cudaMallocManaged(&tally, 4 * sizeof(int));
    for (int size : {256, 100, 64, 37, 5}) {
        for (int i = 0; i < 768; i++) {
            out[i] = tally[i % 4] = 0;
        }
        kernel<<<3, size>>>(out, tally, size);
        cudaDeviceSynchronize();
        unsigned hash = 1;
        for (int i = 0; i < 768; i++) {
            hash = (hash ^ (unsigned)out[i]) * 16777619u;
        }
        printf("%d: %08x, %d %d %d %d\n", size, hash, tally[0], tally[1], tally[2], tally[3]);
    }
    return 0;
}
