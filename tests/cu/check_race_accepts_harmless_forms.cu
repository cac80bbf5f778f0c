// cdpcc: --check=race
// races: ThreadSanitizer does not know that these forms are harmless
// optimized: without it a load does not lead to its compare-and-swap
// Forms that have no order but that CUDA's documents use, or whose order does not matter: stores of
// one value, the first load of a compare-and-swap loop, and a flag that the host sets.
#include <cstdio>

__global__ void sameValue(int *found, double *wide, void **pointer)
{
    __shared__ float shared;
    found[0] = 1;
    wide[0] = 2.5;
    pointer[0] = found;
    shared = 1.5f;
    __syncthreads();
    found[1 + threadIdx.x] = (int)(2 * shared);
}

// The programming guide's way to an atomic operation that the hardware lacks.
__device__ double add(double *address, double value)
{
    unsigned long long *as_integer = (unsigned long long *)address;
    unsigned long long old = *as_integer, assumed;
    do {
        assumed = old;
        old = atomicCAS(as_integer, assumed,
                        __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void sums(double *sum)
{
    add(sum, threadIdx.x);
}

// The last round of the loop reads what the other block has released in between.
__global__ void handOver(int *data, int *flags)
{
    if (blockIdx.x == 0) {
        data[0] = 7;
        __threadfence();
        atomicExch(&flags[0], 1);
    } else {
        while (atomicAdd(&flags[0], 0) == 0) {
        }
        data[1] = data[0];
    }
}

__global__ void waitsForTheHost(volatile int *go, int *out)
{
    while (*go == 0) {
    }
    *out = 3;
}

int main()
{
    int *cells;
    double *wide;
    cudaMallocManaged(&cells, 128 * sizeof(int));
    cudaMallocManaged(&wide, 4 * sizeof(double));
    cells[100] = cells[101] = 0;
    wide[0] = wide[1] = 0;
    sameValue<<<2, 64>>>(cells, &wide[2], (void **)&wide[3]);
    sums<<<4, 16>>>(wide);
    handOver<<<2, 1>>>(&cells[110], &cells[100]);
    waitsForTheHost<<<1, 1>>>(&cells[101], &cells[102]);
    cells[101] = 1;
    cudaDeviceSynchronize();
    printf("%d %d %g %d %d\n", cells[0], cells[1], wide[0], cells[111], cells[102]);
}
