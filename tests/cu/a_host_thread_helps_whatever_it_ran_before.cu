// cdpcc: -Wno-cdp-generation
// A host thread that waits runs its launches on one of its fibers, and leaves on that fiber or on
// another. Which one depends on what waited for what. Whatever it has run, the next launch must run.
#include <cstdio>

#include "../../examples/check.h"

#define ROUNDS 4000
#define KINDS 7

__device__ int sum;

__global__ void plain()
{
    atomicAdd(&sum, 1);
}

__global__ void meets(int times)
{
    for (int i = 0; i < times; i++) {
        __syncthreads();
    }
    atomicAdd(&sum, 1);
}

// Threads end in an order that differs from their start order.
__global__ void endsInTurn()
{
    __shared__ volatile int turn;
    if (threadIdx.x == 0) {
        turn = blockDim.x - 1;
    }
    __syncthreads();
    while (turn != threadIdx.x) {
    }
    atomicAdd(&sum, 1);
    turn = threadIdx.x - 1;
}

__global__ void waitsForChildren()
{
    plain<<<3, 2>>>();
    cudaDeviceSynchronize();
    atomicAdd(&sum, 1);
}

__global__ void leavesChildren()
{
    waitsForChildren<<<1, 2>>>();
    plain<<<1, 1, 0, cudaStreamTailLaunch>>>();
}

static void onHost(void *count)
{
    ++*static_cast<int *>(count);
}

// The launch's contribution to the sum.
static int launch(int kind, int *calls)
{
    switch (kind) {
    case 0:
        plain<<<1, 32>>>();
        return 32;
    case 1:
        meets<<<1, 5>>>(3);
        return 5;
    case 2:
        endsInTurn<<<1, 4>>>();
        return 4;
    case 3:
        waitsForChildren<<<1, 2>>>();
        return 14;
    case 4:
        leavesChildren<<<1, 1>>>();
        return 15;
    case 5:
        check(cudaLaunchHostFunc(0, onHost, calls));
        return 0;
    default:
        plain<<<9, 3>>>();
        return 27;
    }
}

int main()
{
    int calls = 0, expected = 0, expectedCalls = 0;
    unsigned random = 1;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 1664525 + 1013904223;
        int kind = random >> 16 & 0xff, count = kind % 3 == 0 ? 2 : 1;
        for (int j = 0; j < count; j++, kind /= KINDS) {
            expected += launch(kind % KINDS, &calls);
            expectedCalls += kind % KINDS == 5;
        }
        check(cudaDeviceSynchronize());
        int found;
        if (i % 16 == 0) {
            check(cudaMemcpyFromSymbol(&found, sum, sizeof found));
            if (found != expected || calls != expectedCalls) {
                printf("round %d: %d instead of %d, %d calls instead of %d\n", i, found, expected,
                       calls, expectedCalls);
                return 1;
            }
        }
    }
    printf("each ran\n");
}
