// cdpcc: -O2 --entry=block
// One call of a block entry runs blocks of a row one after the other. Each must see its own index,
// in whatever way it reads it, and only shared memory that it has written itself.
#include <cstdio>
#include <cstdlib>

#define MOST 40000

struct Seen {
    uint3 block;
    int sum;
};

__global__ void look(Seen *out)
{
    __shared__ int parts[64];
    uint3 whole = blockIdx;
    const unsigned *words = &whole.x;
    int linear = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    parts[threadIdx.x] = linear + threadIdx.x;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half) {
            parts[threadIdx.x] += parts[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == blockIdx.x % blockDim.x) {
        out[linear].block = make_uint3(words[0], words[1], words[2]);
        out[linear].sum = parts[0];
    }
}

// No barrier, and a loop whose length is the block's.
__global__ void count(int *out)
{
    int sum = 0;
    for (unsigned i = 0; i <= blockIdx.x % 7; i++) {
        sum += out[blockIdx.x * blockDim.x + threadIdx.x] + i;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static Seen *seen;
static int wrong;

static void tryGrid(dim3 grid, int threads)
{
    look<<<grid, threads>>>(seen);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        exit(1);
    }
    for (unsigned z = 0, i = 0; z < grid.z; z++) {
        for (unsigned y = 0; y < grid.y; y++) {
            for (unsigned x = 0; x < grid.x; x++, i++) {
                Seen *at = &seen[i];
                int sum = (int)i * threads + threads * (threads - 1) / 2;
                wrong += at->block.x != x || at->block.y != y || at->block.z != z || at->sum != sum;
            }
        }
    }
}

int main()
{
    cudaMallocManaged(&seen, MOST * sizeof *seen);
    tryGrid(dim3(40000), 64);
    tryGrid(dim3(40000), 32);
    tryGrid(dim3(7, 900), 64);
    tryGrid(dim3(300, 3, 5), 16);
    tryGrid(dim3(1, 2000), 4);
    tryGrid(dim3(65, 2, 2), 64);
    printf("%d wrong\n", wrong);

    int *numbers;
    cudaMallocManaged(&numbers, 10000 * 32 * sizeof *numbers);
    for (int i = 0; i < 10000 * 32; i++) {
        numbers[i] = i % 5;
    }
    count<<<10000, 32>>>(numbers);
    cudaDeviceSynchronize();
    wrong = 0;
    for (int i = 0; i < 10000 * 32; i++) {
        int turns = i / 32 % 7 + 1;
        wrong += numbers[i] != turns * (i % 5) + turns * (turns - 1) / 2;
    }
    printf("%d wrong\n", wrong);
    return 0;
}
