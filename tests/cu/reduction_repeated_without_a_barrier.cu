// workers: 1 2 4
// races: it lacks a barrier, as many programs do
// A reduction that is called again without a barrier after the load of its result. On a GPU all
// warps have read the first sum long before one of them stores the second.
#include <cmath>
#include <cstdio>

extern __shared__ float dynamic_part[];

__device__ float warp_sum(float x)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        x += __shfl_xor_sync(~0u, x, distance);
    }
    return x;
}

__device__ float block_sum(float x, float *part)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    x = warp_sum(x);
    if (lane == 0) {
        part[warp] = x;
    }
    __syncthreads();
    if (warp == 0) {
        x = warp_sum(lane < (blockDim.x + 31) / 32 ? part[lane] : 0);
        if (lane == 0) {
            part[0] = x;
        }
    }
    __syncthreads();
    return part[0];
}

template <bool is_dynamic> __global__ void normalize(const float *in, float *out, int n)
{
    __shared__ float static_part[32];
    float *part = is_dynamic ? dynamic_part : static_part;
    const float *row = in + blockIdx.x * n;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += row[i];
    }
    float mean = block_sum(sum, part) / n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        squares += (row[i] - mean) * (row[i] - mean);
    }
    float scale = rsqrtf(block_sum(squares, part) / n);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        out[blockIdx.x * n + i] = (row[i] - mean) * scale;
    }
}

/* The same sum again and again, each from the result of the one before. */
__global__ void repeat(float *out, int times)
{
    __shared__ float part[32];
    float x = threadIdx.x;
    for (int i = 0; i < times; i++) {
        x = threadIdx.x + block_sum(x, part) / 1024;
    }
    out[threadIdx.x] = x;
}

static const int n = 1000, rows = 12;

static int wrong(const float *in, const float *out)
{
    int count = 0;
    for (int r = 0; r < rows; r++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < n; i++) {
            mean += in[r * n + i] / (double)n;
        }
        for (int i = 0; i < n; i++) {
            squares += (in[r * n + i] - mean) * (in[r * n + i] - mean) / n;
        }
        for (int i = 0; i < n; i++) {
            count += fabs(out[r * n + i] - (in[r * n + i] - mean) / sqrt(squares)) > 1e-3;
        }
    }
    return count;
}

int main()
{
    float *in, *out;
    cudaMallocManaged(&in, n * rows * sizeof(float));
    cudaMallocManaged(&out, n * rows * sizeof(float));
    for (int i = 0; i < n * rows; i++) {
        in[i] = i * 37 % 101 + i / n;
    }
    for (int threads = 32; threads <= 512; threads *= 2) {
        normalize<false><<<rows, threads>>>(in, out, n);
        cudaDeviceSynchronize();
        int of_static = wrong(in, out);
        normalize<true><<<rows, threads, 32 * sizeof(float)>>>(in, out, n);
        cudaDeviceSynchronize();
        printf("%d threads: %d and %d wrong\n", threads, of_static, wrong(in, out));
    }
    for (int threads = 64; threads <= 512; threads *= 2) {
        repeat<<<1, threads>>>(out, 50);
        cudaDeviceSynchronize();
        float first = out[0];
        int differ = 0;
        for (int i = 0; i < threads; i++) {
            differ += fabs(out[i] - i - first) > 1e-3 * first;
        }
        double sum = 0, all = threads * (threads - 1) / 2;
        for (int i = 0; i < 50; i++) {
            sum = (all + threads * sum) / 1024;
        }
        printf("%d threads: %d differ, sum %s\n", threads, differ,
               fabs(first - sum) < 1e-3 * sum ? "right" : "wrong");
    }
}
