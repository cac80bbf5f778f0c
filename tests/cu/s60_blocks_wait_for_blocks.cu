// races: polls and chains by volatile and plain loads
// Blocks of many threads wait for other blocks: one thread polls and all others wait at a barrier. Chains
// in either direction, a scan in which each block waits for the previous block's sum (as in textbooks),
// and rounds of all blocks of a grid; also if the polling thread waits for a thread of its own block.
#include <cstdio>
#include <cstring>

enum { BLOCKS = 512, THREADS = 1024, FEW = 24 };

__global__ void upwards(volatile int *flags)
{
    if (threadIdx.x == 0) {
        while (blockIdx.x > 0 && flags[blockIdx.x - 1] == 0) {
        }
        flags[blockIdx.x] = 1;
    }
    __syncthreads();
}
__global__ void downwards(int *flags)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(&flags[blockIdx.x + 1], 0) == 0) {
        }
        atomicExch(&flags[blockIdx.x], 1);
    }
    __syncthreads();
}
__global__ void scan(const int *in, int *out, int *sums, int *flags, int *counter)
{
    __shared__ int values[THREADS], block, before;
    if (threadIdx.x == 0) {
        block = atomicAdd(counter, 1);
    }
    __syncthreads();
    int i = block * THREADS + threadIdx.x;
    values[threadIdx.x] = in[i];
    for (int step = 1; step < THREADS; step *= 2) {
        __syncthreads();
        int sum = threadIdx.x >= step ? values[threadIdx.x - step] : 0;
        __syncthreads();
        values[threadIdx.x] += sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicAdd(&flags[block], 0) == 0) {
        }
        before = sums[block];
        sums[block + 1] = before + values[THREADS - 1];
        __threadfence();
        atomicAdd(&flags[block + 1], 1);
    }
    __syncthreads();
    out[i] = before + values[threadIdx.x];
}
__global__ void rounds(unsigned *arrived, int *sums)
{
    for (unsigned round = 1; round <= 3; round++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(arrived, 1);
            while (__ldcg(arrived) < round * gridDim.x) {
            }
        }
        __syncthreads();
        atomicAdd(&sums[round], 1);
    }
}
// The first block shows that blocks of its kernel wait for others; these wait for their own thread.
__global__ void own_threads(int *flags, int *done)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(&flags[blockIdx.x == 0 ? gridDim.x : blockIdx.x], 0) == 0) {
        }
        if (atomicAdd(done, 1) == gridDim.x - 2) {
            atomicExch(&flags[gridDim.x], 1);
        }
    } else if (threadIdx.x == THREADS - 1) {
        atomicExch(&flags[blockIdx.x], 1);
    }
    __syncthreads();
}

static int *flags;
static void show(const char *what, int value)
{
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %d (%s)\n", what, value == -1 ? flags[0] : value, cudaGetErrorName(error));
    memset(flags, 0, (BLOCKS + 1) * sizeof *flags);
}

int main()
{
    int *in, *out, *more;
    cudaMallocManaged(&flags, (BLOCKS + 1) * sizeof *flags);
    cudaMallocManaged(&in, BLOCKS * THREADS * sizeof *in);
    cudaMallocManaged(&out, BLOCKS * THREADS * sizeof *out);
    cudaMallocManaged(&more, (BLOCKS + 8) * sizeof *more);
    memset(flags, 0, (BLOCKS + 1) * sizeof *flags);
    memset(more, 0, (BLOCKS + 8) * sizeof *more);

    upwards<<<BLOCKS, THREADS>>>(flags);
    show("upwards", -1);
    flags[BLOCKS] = 1;
    downwards<<<BLOCKS, THREADS>>>(flags);
    show("downwards", -1);

    for (int i = 0; i < BLOCKS * THREADS; i++) {
        in[i] = i % 7;
    }
    flags[0] = 1;
    scan<<<BLOCKS, THREADS>>>(in, out, more + 1, flags, more);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0, sum = 0; i < BLOCKS * THREADS; i++) {
        sum += in[i];
        wrong += out[i] != sum;
    }
    show("scan, wrong", wrong);

    memset(more, 0, 8 * sizeof *more);
    rounds<<<FEW, THREADS>>>((unsigned *)more, more);
    cudaDeviceSynchronize();
    show("rounds, threads", more[1] + more[2] + more[3]);
    *more = 0;
    own_threads<<<FEW, THREADS>>>(flags, more);
    cudaDeviceSynchronize();
    show("own threads, blocks", *more);
}
