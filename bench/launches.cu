// What does a launch cost, a thread, a barrier?  One table of medians.
#include <cstdio>

#include "median.h"

#define CHILDREN 10000

__global__ void empty()
{
}

__global__ void launchChildren(int count, int threads)
{
    for (int i = 0; i < count; i++) {
        empty<<<1, threads>>>();
    }
}

__global__ void launchAndWait(int count)
{
    for (int i = 0; i < count; i++) {
        empty<<<1, 1>>>();
        cudaDeviceSynchronize();
    }
}

// A tree with two children per grid and 2^depth leaves.
__global__ void tree(int depth)
{
    if (depth > 0) {
        tree<<<1, 1>>>(depth - 1);
        tree<<<1, 1>>>(depth - 1);
    }
}

__global__ void barriers(int count)
{
    for (int i = 0; i < count; i++) {
        __syncthreads();
    }
}

static void row(const char *what, double seconds, double per)
{
    double ns = seconds / per * 1e9;
    if (ns < 10000) {
        printf("| %s | %.1f ns |\n", what, ns);
    } else {
        printf("| %s | %.2f ms |\n", what, ns / 1e6);
    }
}

static void sync()
{
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("a kernel failed: %s\n", cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
}

int main()
{
    puts("| launches, threads, barriers | median |\n|---|---|");
    row("host launch `<<<1,1>>>` and synchronize",
        medianOf(
            [] {
                empty<<<1, 1>>>();
                sync();
            },
            2000),
        1);
    row("host launch, one of 10,000 before one synchronize", medianOf([] {
            for (int i = 0; i < 10000; i++) {
                empty<<<1, 1>>>();
            }
            sync();
        }),
        10000);
    row("child grid `<<<1,1>>>`, one of 10,000 in one stream", medianOf([] {
            launchChildren<<<1, 1>>>(CHILDREN, 1);
            sync();
        }),
        CHILDREN);
    row("child grid `<<<1,32>>>`, one of 10,000 in one stream", medianOf([] {
            launchChildren<<<1, 1>>>(CHILDREN, 32);
            sync();
        }),
        CHILDREN);
    row("child grid and cudaDeviceSynchronize in the kernel", medianOf([] {
            launchAndWait<<<1, 1>>>(CHILDREN);
            sync();
        }),
        CHILDREN);
    row("tree of 2^20 one-thread leaves", medianOf([] {
            tree<<<1, 1>>>(20);
            sync();
        }),
        1);
    row("thread of a barrier-free kernel, `<<<1000,256>>>`", medianOf([] {
            empty<<<1000, 256>>>();
            sync();
        }),
        1000 * 256);
    row("`__syncthreads()` per thread, 256 threads", medianOf([] {
            barriers<<<1, 256>>>(1000);
            sync();
        }),
        1000 * 256);
    row("`__syncthreads()` per thread, 1024 threads", medianOf([] {
            barriers<<<1, 1024>>>(250);
            sync();
        }),
        250 * 1024);
}
