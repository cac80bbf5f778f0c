// How fast are kernels that launch nothing?  Each beside an OpenMP loop for the same
// result, measured in turn in one process, as a ratio of medians: 1 is as fast as OpenMP,
// 2 takes twice its time.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "median.h"
#include "openmp.h"

#define THREADS 256
#define TILE 16
#define BLOCKS 64

__global__ void add(const float *a, const float *b, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sum[i] = a[i] + b[i];
    }
}

__global__ void multiply(const float *a, const float *b, float *product, int n)
{
    __shared__ float tileA[TILE][TILE], tileB[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < n; start += TILE) {
        tileA[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
        tileB[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
        }
        __syncthreads();
    }
    product[row * n + column] = sum;
}

__global__ void reduce(const float *in, int n, float *out)
{
    __shared__ float partial[THREADS];
    float sum = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        sum += in[i];
    }
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicAdd(out, partial[0]);
    }
}

__global__ void count(const unsigned char *bytes, int n, unsigned *bins)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        atomicAdd(&mine[bytes[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

static void sync()
{
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("a kernel failed: %s\n", cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
}

static void clearBins(unsigned *bins)
{
    cudaMemset(bins, 0, 256 * sizeof(unsigned));
}

template <typename Cuda, typename OpenMp, typename Check>
static void compare(const char *what, Cuda cuda, OpenMp openMp, Check isRight)
{
    Samples ours, theirs;
    cuda();
    openMp();
    if (!isRight()) {
        printf("%s: the results differ\n", what);
        exit(1);
    }
    for (int i = 0; i < ROUNDS; i++) {
        theirs.measure(openMp);
        ours.measure(cuda);
    }
    double a = ours.median() * 1e3, b = theirs.median() * 1e3;
    printf("| %s | %.2f ms | %.2f ms | %.2f |\n", what, a, b, a / b);
}

template <typename T> static T *managed(size_t n)
{
    T *memory = nullptr;
    if (cudaMallocManaged(&memory, n * sizeof(T)) != cudaSuccess) {
        printf("out of memory\n");
        exit(1);
    }
    return memory;
}

int main()
{
    const int n = 1 << 22, side = 512;
    float *a = managed<float>(n), *b = managed<float>(n), *c = managed<float>(n);
    float *expected = managed<float>(n), *sum = managed<float>(1);
    unsigned char *bytes = managed<unsigned char>(n);
    unsigned *bins = managed<unsigned>(256), *expectedBins = managed<unsigned>(256);
    for (int i = 0; i < n; i++) {
        a[i] = i % 101 / 100.0f;
        b[i] = i % 103 / 100.0f;
        bytes[i] = (i * 2654435761u) >> 24;
    }
    auto near = [&](int count) {
        for (int i = 0; i < count; i++) {
            if (!(fabsf(c[i] - expected[i]) <= 1e-3f * (1 + fabsf(expected[i])))) {
                return false;
            }
        }
        return true;
    };

    puts("| kernel | cdpcc | OpenMP | ratio |\n|---|---|---|---|");
    compare(
        "vector add, 4 Mi floats",
        [&] {
            add<<<n / THREADS, THREADS>>>(a, b, c, n);
            sync();
        },
        [&] { openmp_vector_add(a, b, expected, n); }, [&] { return near(n); });
    compare(
        "matrix product by tiles, 512 x 512",
        [&] {
            multiply<<<dim3(side / TILE, side / TILE), dim3(TILE, TILE)>>>(a, b, c, side);
            sync();
        },
        [&] { openmp_matrix_multiply(a, b, expected, side); }, [&] { return near(side * side); });
    compare(
        "sum, 4 Mi floats",
        [&] {
            *sum = 0;
            reduce<<<BLOCKS, THREADS>>>(a, n, sum);
            sync();
        },
        [&] { expected[0] = openmp_sum(a, n); },
        [&] { return fabsf(*sum - expected[0]) <= 1e-3f * expected[0]; });
    compare(
        "histogram, 4 Mi bytes",
        [&] {
            clearBins(bins);
            count<<<BLOCKS, THREADS>>>(bytes, n, bins);
            sync();
        },
        [&] { openmp_histogram(bytes, n, expectedBins); },
        [&] { return std::equal(bins, bins + 256, expectedBins); });
}
