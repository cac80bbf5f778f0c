// cdpcc: --entry=block -O2
// Small structures that all lanes copy at the same time, from neighbouring addresses to
// neighbouring ones: whole vectors, the ends of blocks and arrays, under masks, through shared
// memory, and with the source beside the destination. Also live-out values of loops that lanes
// leave at different times, counted up by one, or down by three from a parameter.
#include <cstdio>
#include <cstring>

struct Four {
    float x, y, z, w;
};
struct Three {
    short a, b, c;
};

static __host__ __device__ bool same(const Four &a, const Four &b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
static __host__ __device__ bool same(const Three &a, const Three &b)
{
    return a.a == b.a && a.b == b.b && a.c == b.c;
}
static Four make(int i, Four *)
{
    return Four{float(i), float(-i), float(i * 2), float(i + 7)};
}
static Three make(int i, Three *)
{
    return Three{short(i), short(-i), short(i * 3)};
}

template <typename T> __global__ void copy(int n, const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
    }
}

// Tile after tile: block b's threads see the places of all blocks, and keep the last one's.
template <typename T> __global__ void tiles(int n, const T *in, T *out)
{
    __shared__ T tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T mine = in[i];
    for (int start = 0; start < n; start += blockDim.x) {
        tile[threadIdx.x] = in[start + threadIdx.x];
        __syncthreads();
        mine = tile[(threadIdx.x + start) % blockDim.x];
        __syncthreads();
    }
    out[i] = mine;
}

// Moves the upper half to the lower one, in one array.
template <typename T> __global__ void halve(int half, T *both)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 5 != 2 && i < half) {
        both[i] = both[i + half];
    }
}

template <typename T> static bool holds(int threads)
{
    const int n = 1024;
    T *in, *out;
    cudaMallocManaged(&in, n * sizeof(T));
    cudaMallocManaged(&out, n * sizeof(T));
    bool right = true;
    for (int count : {n, n - 1, n - 17, 5}) {
        for (int i = 0; i < n; i++) {
            in[i] = make(i, (T *)nullptr);
            out[i] = make(-1, (T *)nullptr);
        }
        copy<<<(n + threads - 1) / threads, threads>>>(count, in, out);
        right = right && cudaDeviceSynchronize() == cudaSuccess;
        for (int i = 0; i < n; i++) {
            right = right && same(out[i], make(i < count ? i : -1, (T *)nullptr));
        }
    }
    tiles<<<n / 64, 64>>>(n, in, out);
    right = right && cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        right = right && same(out[i], in[n - 64 + (i + n - 64) % 64]);
    }
    halve<<<(n / 2 + threads - 1) / threads, threads>>>(n / 2, in);
    right = right && cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        int from = i < n / 2 && i % 5 != 2 ? i + n / 2 : i;
        right = right && same(in[i], make(from, (T *)nullptr));
    }
    cudaFree(in);
    cudaFree(out);
    return right;
}

__global__ void count(int n, int from, const unsigned *in, int *up, long long *down)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    unsigned value = in[i];
    int steps = 0;
    long long rest = from;
    while (value != 1) {
        value = value & 1 ? 3 * value + 1 : value >> 1;
        ++steps;
        rest -= 3;
    }
    up[i] = steps;
    down[i] = rest;
}

static bool counts(int n, int threads)
{
    unsigned *in;
    int *up;
    long long *down;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&up, n * sizeof *up);
    cudaMallocManaged(&down, n * sizeof *down);
    for (int i = 0; i < n; i++) {
        in[i] = i * 7 % 1000 + 1;
    }
    count<<<(n + threads - 1) / threads, threads>>>(n, n, in, up, down);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        int steps = 0;
        for (unsigned value = in[i]; value != 1; steps++) {
            value = value & 1 ? 3 * value + 1 : value >> 1;
        }
        right = right && up[i] == steps && down[i] == n - 3 * steps;
    }
    cudaFree(in);
    cudaFree(up);
    cudaFree(down);
    return right;
}

int main()
{
    for (int threads : {256, 64, 33}) {
        printf("%d threads: %d %d, counts %d %d\n", threads, holds<Four>(threads),
               holds<Three>(threads), counts(1000, threads), counts(77, threads));
    }
}
