// The speedup by more workers. Times one of three programs, which checks its results, and prints
// its best and its median round in seconds:
//
//   scaling nbody [BODIES [ROUNDS]]       flat, shared tiles of 256, barriers
//   scaling histogram [BYTES [ROUNDS]]    flat, shared, then global atomics
//   scaling tree [DEPTH [ROUNDS]]         each block launches two: 2^DEPTH leaves
//   scaling forget [DEPTH [ROUNDS]]       the same, by fire-and-forget launches of one
//
// scaling.sh runs it with more and more workers.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define TILE 256

__global__ void nbody(const float4 *bodies, float4 *forces, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int start = 0; start < n; start += TILE) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float square = dx * dx + dy * dy + dz * dz + 1e-3f;
            float inverse = 1 / sqrtf(square);
            float factor = tile[j].w * inverse * inverse * inverse;
            x += dx * factor;
            y += dy * factor;
            z += dz * factor;
        }
        __syncthreads();
    }
    forces[i] = make_float4(x, y, z, 0);
}

__global__ void histogram(const unsigned char *bytes, size_t n, unsigned *bins)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicAdd(&mine[bytes[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void tree(int depth, unsigned char *leaves, unsigned at)
{
    at = 2 * at + blockIdx.x;
    if (depth > 1) {
        tree<<<2, 1>>>(depth - 1, leaves, at);
    } else {
        leaves[at]++;
    }
}

__global__ void forget(int depth, unsigned char *leaves, unsigned at)
{
    if (depth > 0) {
        forget<<<1, 1, 0, cudaStreamFireAndForget>>>(depth - 1, leaves, 2 * at);
        forget<<<1, 1, 0, cudaStreamFireAndForget>>>(depth - 1, leaves, 2 * at + 1);
    } else {
        leaves[at]++;
    }
}

static void check(bool right, const char *what)
{
    if (!right) {
        printf("WRONG: %s\n", what);
        exit(1);
    }
}

static void finish()
{
    cudaError_t error = cudaDeviceSynchronize();
    check(error == cudaSuccess, cudaGetErrorString(error));
}

template <typename T> static T *device(size_t count)
{
    T *memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)) == cudaSuccess, "no memory");
    return memory;
}

template <typename F> static void measure(const char *name, long size, int rounds, F work)
{
    std::vector<double> seconds;
    work();
    for (int i = 0; i < rounds; i++) {
        auto start = std::chrono::steady_clock::now();
        work();
        auto end = std::chrono::steady_clock::now();
        seconds.push_back(std::chrono::duration<double>(end - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    printf("%s %ld best %.6f median %.6f\n", name, size, seconds[0], seconds[rounds / 2]);
}

static void runNbody(int n, int rounds)
{
    n = (n + TILE - 1) / TILE * TILE;
    std::vector<float4> bodies(n), forces(n);
    for (int i = 0; i < n; i++) {
        bodies[i] = make_float4(float(i * 37 % 101), float(i * 53 % 103), float(i * 71 % 107), 1);
    }
    float4 *from = device<float4>(n), *to = device<float4>(n);
    cudaMemcpy(from, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    measure("nbody", n, rounds, [=] {
        nbody<<<n / TILE, TILE>>>(from, to, n);
        finish();
    });
    cudaMemcpy(forces.data(), to, n * sizeof(float4), cudaMemcpyDeviceToHost);
    double x = 0;
    for (int j = 0; j < n; j++) {
        double dx = bodies[j].x - bodies[7].x, dy = bodies[j].y - bodies[7].y;
        double dz = bodies[j].z - bodies[7].z;
        double square = dx * dx + dy * dy + dz * dz + 1e-3;
        x += dx / (square * std::sqrt(square));
    }
    check(std::fabs(forces[7].x - x) <= 1e-2 * std::fabs(x) + 1e-2, "a force");
}

static void runHistogram(size_t n, int rounds)
{
    unsigned char *bytes = device<unsigned char>(n);
    unsigned *bins = device<unsigned>(256), counts[256], expected[256] = {};
    std::vector<unsigned char> host(n);
    for (size_t i = 0; i < n; i++) {
        host[i] = (unsigned char)(i * 2654435761u >> 11);
        expected[host[i]]++;
    }
    cudaMemcpy(bytes, host.data(), n, cudaMemcpyHostToDevice);
    // A usual number: few blocks, because at its end each adds to the same 256 words.
    int blocks = int(std::min<size_t>((n + 65535) / 65536, 1024));
    measure("histogram", long(n), rounds, [=] {
        cudaMemset(bins, 0, 256 * sizeof(unsigned));
        histogram<<<blocks, 256>>>(bytes, n, bins);
        finish();
    });
    cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost);
    check(memcmp(counts, expected, sizeof counts) == 0, "a count");
}

static void runTree(bool forgets, int depth, int rounds)
{
    size_t count = (size_t)1 << depth;
    unsigned char *leaves = device<unsigned char>(count);
    cudaMemset(leaves, 0, count);
    measure(forgets ? "forget" : "tree", depth, rounds, [=] {
        if (forgets) {
            forget<<<1, 1>>>(depth, leaves, 0);
        } else {
            tree<<<2, 1>>>(depth, leaves, 0);
        }
        finish();
    });
    std::vector<unsigned char> host(count);
    cudaMemcpy(host.data(), leaves, count, cudaMemcpyDeviceToHost);
    for (unsigned char runs : host) {
        check(runs == (unsigned char)(rounds + 1), "a leaf");
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    long size = argc > 2 ? atol(argv[2]) : 0;
    int rounds = argc > 3 ? std::max(atoi(argv[3]), 1) : 7;
    if (strcmp(what, "nbody") == 0) {
        runNbody(size > 0 ? int(size) : 65536, rounds);
    } else if (strcmp(what, "histogram") == 0) {
        runHistogram(size > 0 ? size_t(size) : (size_t)1 << 28, rounds);
    } else if (strcmp(what, "tree") == 0 || strcmp(what, "forget") == 0) {
        runTree(what[0] == 'f', size > 0 ? int(std::min(size, 26L)) : 20, rounds);
    } else {
        fprintf(stderr, "usage: scaling nbody|histogram|tree|forget [SIZE [ROUNDS]]\n");
        return 2;
    }
}
