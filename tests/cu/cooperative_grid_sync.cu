// workers: 1 2 8
// grid.sync(): what any thread wrote before it, all threads of the grid read after it. The grids
// have more blocks than there are workers.
#include <cooperative_groups.h>

#include <cstdio>
#include <utility>

#include "show.h"
namespace cg = cooperative_groups;

__device__ void step(cg::grid_group grid, const unsigned *from, unsigned *to)
{
    unsigned i = (unsigned)grid.thread_rank(), n = (unsigned)grid.size();
    to[i] = from[i] * 3 + from[(i + blockDim.x) % n] + from[(i + n / 2) % n];
    grid.sync();
}
__global__ void steps(unsigned *a, unsigned *b, int count)
{
    for (int i = 0; i < count; i++) {
        step(cg::this_grid(), a, b);
        unsigned *swapped = a;
        a = b;
        b = swapped;
    }
}

// Blocks that come late, and threads that wait for their children before they meet the others.
__global__ void child(unsigned *sum)
{
    atomicAdd(sum, threadIdx.x);
}
__global__ void family(unsigned *sums, unsigned *out)
{
    extern __shared__ unsigned mine[];
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) {
        child<<<2, 8>>>(&sums[blockIdx.x]);
        cudaDeviceSynchronize();
        for (unsigned i = 0; i < blockIdx.x; i++) {
            __nanosleep(100);
        }
    }
    mine[threadIdx.x] = blockIdx.x;
    grid.sync();
    unsigned block = (blockIdx.x + 1) % gridDim.x;
    out[grid.thread_rank()] = sums[block] + mine[threadIdx.x];
    grid.sync();
    if (grid.thread_rank() == 0) {
        unsigned sum = 0;
        for (unsigned i = 0; i < grid.size(); i++) {
            sum += out[i];
        }
        out[0] = sum;
    }
}
__global__ void isValid(bool *valid)
{
    *valid = cg::this_grid().is_valid();
}

static unsigned expected(unsigned n, unsigned threads, int count)
{
    unsigned *a = new unsigned[n], *b = new unsigned[n], hash = 0;
    for (unsigned i = 0; i < n; i++) {
        a[i] = i * 7;
    }
    for (int s = 0; s < count; s++) {
        for (unsigned i = 0; i < n; i++) {
            b[i] = a[i] * 3 + a[(i + threads) % n] + a[(i + n / 2) % n];
        }
        std::swap(a, b);
    }
    for (unsigned i = 0; i < n; i++) {
        hash = hash * 31 + a[i];
    }
    delete[] a;
    delete[] b;
    return hash;
}

static int runSteps(dim3 blocks, unsigned threads, int count)
{
    unsigned n = blocks.x * blocks.y * blocks.z * threads, hash = 0, *a, *b;
    MUST(cudaMallocManaged(&a, n * sizeof *a));
    MUST(cudaMallocManaged(&b, n * sizeof *b));
    for (unsigned i = 0; i < n; i++) {
        a[i] = i * 7;
    }
    void *args[] = {&a, &b, &count};
    MUST(cudaLaunchCooperativeKernel(steps, blocks, threads, args));
    MUST(cudaDeviceSynchronize());
    for (unsigned i = 0; i < n; i++) {
        hash = hash * 31 + (count % 2 == 0 ? a : b)[i];
    }
    printf("%u blocks of %u, %d steps: %s\n", n / threads, threads, count,
           hash == expected(n, threads, count) ? "right" : "WRONG");
    cudaFree(a);
    cudaFree(b);
    return 0;
}

int main()
{
    runSteps(1, 1, 3);
    runSteps(1, 256, 4);
    runSteps(17, 96, 5);
    runSteps(dim3(4, 3, 2), 33, 5);
    runSteps(60, 32, 8);

    const unsigned blocks = 12, threads = 40;
    unsigned *sums, *out;
    MUST(cudaMallocManaged(&sums, blocks * sizeof *sums));
    MUST(cudaMallocManaged(&out, blocks * threads * sizeof *out));
    MUST(cudaMemset(sums, 0, blocks * sizeof *sums));
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cooperative = {};
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = threads * sizeof *out;
    config.attrs = &cooperative;
    config.numAttrs = 1;
    MUST(cudaLaunchKernelEx(&config, family, sums, out));
    MUST(cudaDeviceSynchronize());
    printf("family: %u\n", out[0]);

    bool *valid = (bool *)out;
    void *args[] = {&valid};
    isValid<<<1, 1>>>(valid);
    MUST(cudaDeviceSynchronize());
    printf("valid: %d", *valid);
    MUST(cudaLaunchCooperativeKernel(isValid, 1, 1, args));
    MUST(cudaDeviceSynchronize());
    printf(" %d\n", *valid);
    cudaFree(sums);
    cudaFree(out);
}
