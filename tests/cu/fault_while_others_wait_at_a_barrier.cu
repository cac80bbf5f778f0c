// cdpcc: -O3 --entry=thread
// stderr: illegal access to address 0x10
// A thread faults when some threads of its block wait at the next barrier and others have not continued
// from the last one: all are dropped, and after a reset blocks of the same shape run as before.
#include <cstdio>

#include "../../examples/check.h"

__global__ void meet(int bad, int *out)
{
    __shared__ int shared[256];
    int thread = threadIdx.x;
    for (int round = 0; round < 5; round++) {
        shared[thread] = thread + round;
        __syncthreads();
        if (round == 3 && thread == bad) {
            *(volatile int *)16 = 1;
        }
        out[thread] = shared[(thread + 1) % 256];
        __syncthreads();
    }
}

static void run(int bad)
{
    int *out, sum = 0;
    check(cudaMallocManaged(&out, 256 * sizeof *out));
    meet<<<1, 256>>>(bad, out);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) {
        for (int thread = 0; thread < 256; thread++) {
            sum += out[thread];
        }
    }
    printf("%s, %d\n", cudaGetErrorName(error), sum);
    check(cudaDeviceReset());
}

int main()
{
    run(-1);
    run(100);
    run(-1);
    run(255);
    run(0);
    run(-1);
}
