// cdpcc: --entry=block
// The number of the thread in its block, computed from threadIdx in several forms, where a warp is several rows of
// the block. Its quotient by 32 is the warp's number, so a branch on it does not divide warps.
#include <cstdio>

enum { MOST = 1024 };

// The last warp may not be full, and the first one reduces what the others have left.
__device__ int sum_of_block(unsigned number, unsigned threads, int value)
{
    __shared__ int sums[32];
    unsigned lane = number & 31, warp = number >> 5, warps = (threads + 31) / 32;
    for (int delta = 16; delta > 0; delta /= 2) {
        int other = __shfl_down_sync(~0u, value, delta);
        value += number - lane + 32 > threads && lane + delta >= (threads & 31) ? 0 : other;
    }
    if (lane == 0) {
        sums[warp] = value;
    }
    __syncthreads();
    if (warp == 0) {
        value = lane < warps ? sums[lane] : 0;
        for (int delta = 16; delta > 0; delta /= 2) {
            value += __shfl_down_sync(~0u, value, delta);
        }
        if (lane == 0) {
            sums[0] = value;
        }
    }
    __syncthreads();
    return sums[0];
}

__global__ void constants(int *out, const int *in)
{
    unsigned number = threadIdx.x + 4 * (threadIdx.y + 4 * threadIdx.z);
    out[blockIdx.x * 128 + number] = sum_of_block(number, 128, in[number] + number) + number;
}

__global__ void dimensions(int *out, const int *in)
{
    int number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int threads = blockDim.x * blockDim.y * blockDim.z;
    out[blockIdx.x * threads + number] = sum_of_block(number, threads, in[number] + number) + number;
}

__global__ void products(int *out, const int *in)
{
    size_t number = threadIdx.x + (size_t)threadIdx.y * blockDim.x + (size_t)threadIdx.z * blockDim.x * blockDim.y;
    int threads = blockDim.x * blockDim.y * blockDim.z;
    out[blockIdx.x * threads + number] = sum_of_block((unsigned)number, threads, in[number] + (int)number) + (int)number;
}

// The numbers of these threads do not increase by one from lane to lane: columns come first, or a dimension is left
// out, or counted twice.
__global__ void others(int *out, const int *in)
{
    int columns = threadIdx.y + threadIdx.x * blockDim.y, layer = threadIdx.x + threadIdx.y * blockDim.x;
    int twice = threadIdx.x + threadIdx.x + threadIdx.y * blockDim.x, far = threadIdx.x + threadIdx.y * 16;
    int number = layer + threadIdx.z * blockDim.x * blockDim.y;
    int votes = __popc(__ballot_sync(~0u, columns < 32)) + __popc(__ballot_sync(~0u, layer < 32)) * 100 +
                __popc(__ballot_sync(~0u, twice < 40)) * 10000 + __popc(__ballot_sync(~0u, far < 32)) * 1000000;
    out[number] = votes + in[columns] + in[layer] + in[twice] + in[far];
}

// Lanes along threadIdx.y: its rows are what the kernel accesses contiguously.
__global__ void transposed(int *out, const int *in)
{
    int number = threadIdx.x + threadIdx.y * blockDim.x, columns = threadIdx.y + threadIdx.x * blockDim.y;
    out[columns] = in[columns] * 3 + in[columns + 1] + in[columns + 2] + number;
}

static int in[MOST + 64], out[4 * MOST];

static void show(const char *name)
{
    unsigned hash = 0;
    int error = cudaDeviceSynchronize();
    for (int i = 0; i < 4 * MOST; i++) {
        hash = hash * 31 + out[i];
        out[i] = -1;
    }
    printf("%s: %d %08x\n", name, error, hash);
}

int main()
{
    for (int i = 0; i < MOST + 64; i++) {
        in[i] = (i * 2654435761u) >> 20;
    }
    constants<<<2, dim3(4, 4, 8)>>>(out, in);
    show("constants, 4x4x8");
    dimensions<<<3, dim3(8, 8)>>>(out, in);
    show("dimensions, 8x8");
    dimensions<<<2, dim3(5, 7, 3)>>>(out, in);
    show("dimensions, 5x7x3");
    products<<<2, dim3(16, 16)>>>(out, in);
    show("products, 16x16");
    products<<<1, dim3(2, 2, 64)>>>(out, in);
    show("products, 2x2x64");
    others<<<1, dim3(8, 4, 2)>>>(out, in);
    show("others, 8x4x2");
    others<<<1, dim3(8, 8)>>>(out, in);
    show("others, 8x8");
    transposed<<<1, dim3(16, 8)>>>(out, in);
    show("transposed, 16x8");
}
