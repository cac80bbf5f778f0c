// The workloads without device launches as plain CUDA, written as for a GPU: nothing here is
// specific to this compiler.
#include <cstdio>
#include <cstdlib>

#include "implementation.h"

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

__global__ void multiply(int n, const float *a, const float *b, float *c)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && column < n) {
        float sum = 0;
        for (int k = 0; k < n; k++) {
            sum += a[row * n + k] * b[k * n + column];
        }
        c[row * n + column] = sum;
    }
}

__global__ void multiplyTiled(int n, const float *a, const float *b, float *c)
{
    __shared__ float tileA[TILE][TILE], tileB[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int tile = 0; tile < n / TILE; tile++) {
        tileA[y][x] = a[row * n + tile * TILE + x];
        tileB[y][x] = b[(tile * TILE + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += tileA[y][k] * tileB[k][x];
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void reduce(const float *in, float *sums)
{
    __shared__ float partial[REDUCE_BLOCK];
    unsigned thread = threadIdx.x;
    partial[thread] = in[blockIdx.x * blockDim.x + thread];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
    }
    if (thread == 0) {
        sums[blockIdx.x] = partial[0];
    }
}

__global__ void stencil(int width, int height, const float *in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    int i = y * width + x;
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1) {
        out[i] = in[i];
    } else {
        out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
    }
}

__global__ void histogram(int n, const unsigned char *in, unsigned *bins)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[in[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void bodies(int n, const float4 *position, float4 *force)
{
    __shared__ float4 tile[BODIES_BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = position[i];
    float x = 0, y = 0, z = 0;
    for (int start = 0; start < n; start += BODIES_BLOCK) {
        tile[threadIdx.x] = position[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < BODIES_BLOCK; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            float factor = tile[j].w * inverse * inverse * inverse;
            x += dx * factor;
            y += dy * factor;
            z += dz * factor;
        }
        __syncthreads();
    }
    force[i] = make_float4(x, y, z, 0);
}

__global__ void scan(const int *in, int *out)
{
    __shared__ int sums[SCAN_BLOCK];
    int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
    sums[thread] = in[i];
    __syncthreads();
    for (int distance = 1; distance < SCAN_BLOCK; distance <<= 1) {
        int before = thread >= distance ? sums[thread - distance] : 0;
        __syncthreads();
        sums[thread] += before;
        __syncthreads();
    }
    out[i] = sums[thread];
}

__global__ void collatz(int n, int *lengths)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    unsigned long long value = (unsigned long long)i + 1;
    int steps = 0;
    while (value != 1) {
        value = value & 1 ? 3 * value + 1 : value >> 1;
        ++steps;
    }
    lengths[i] = steps;
}

__global__ void barriers(int count, unsigned *out)
{
    __shared__ unsigned shared[2][BARRIER_THREADS];
    unsigned thread = threadIdx.x, mine = blockIdx.x * blockDim.x + thread;
    for (int turn = 0; turn < count; turn++) {
        shared[turn & 1][thread] = mine;
        __syncthreads();
        mine += shared[turn & 1][(thread + 1) & (BARRIER_THREADS - 1)];
    }
    out[blockIdx.x * blockDim.x + thread] = mine;
}

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "cuda: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static void finish()
{
    must(cudaGetLastError());
    must(cudaDeviceSynchronize());
}

void *impl_alloc(size_t bytes)
{
    void *memory = nullptr;
    must(cudaMalloc(&memory, bytes));
    return memory;
}

void impl_free(void *memory)
{
    must(cudaFree(memory));
}

void impl_copy_in(void *to, const void *from, size_t bytes)
{
    must(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

void impl_copy_out(void *to, const void *from, size_t bytes)
{
    must(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

void impl_saxpy(int n, float a, const float *x, float *y)
{
    for (int launch = 0; launch < SAXPY_LAUNCHES; launch++) {
        saxpy<<<(n + 255) / 256, 256>>>(n, a, x, y);
    }
    finish();
}

void impl_multiply(int n, const float *a, const float *b, float *c)
{
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(n, a, b, c);
    finish();
}

void impl_multiply_tiled(int n, const float *a, const float *b, float *c)
{
    multiplyTiled<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(n, a, b, c);
    finish();
}

void impl_reduce(int n, const float *in, float *sums)
{
    reduce<<<n / REDUCE_BLOCK, REDUCE_BLOCK>>>(in, sums);
    finish();
}

void impl_stencil(int side, float *a, float *b)
{
    for (int i = 0; i < STENCIL_SWEEPS; i += 2) {
        stencil<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(side, side, a, b);
        stencil<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(side, side, b, a);
    }
    finish();
}

void impl_histogram(int n, const unsigned char *in, unsigned *bins)
{
    histogram<<<HISTOGRAM_GRID, HISTOGRAM_BLOCK>>>(n, in, bins);
    finish();
}

void impl_bodies(int n, const float *from, float *forces)
{
    bodies<<<n / BODIES_BLOCK, BODIES_BLOCK>>>(n, (const float4 *)from, (float4 *)forces);
    finish();
}

void impl_scan(int n, const int *in, int *out)
{
    scan<<<n / SCAN_BLOCK, SCAN_BLOCK>>>(in, out);
    finish();
}

void impl_collatz(int n, int *lengths)
{
    collatz<<<(n + COLLATZ_BLOCK - 1) / COLLATZ_BLOCK, COLLATZ_BLOCK>>>(n, lengths);
    finish();
}

void impl_barriers(int blocks, int count, unsigned *out)
{
    barriers<<<blocks, BARRIER_THREADS>>>(count, out);
    finish();
}
