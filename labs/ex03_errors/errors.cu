// Square roots of the numbers FIRST, FIRST + 1, ...: one block, one thread for each.
//
//   errors FIRST COUNT
//
// A launch can fail in two ways. Too many threads: the kernel never starts. A negative number: the
// assert in the kernel fails while the kernel runs.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void roots(int first, float *out)
{
    int x = first + threadIdx.x;
    assert(x >= 0);
    out[threadIdx.x] = sqrtf(x);
}

int main(int argc, char **argv)
{
    int first = argc > 2 ? atoi(argv[1]) : 0;
    int count = argc > 2 ? atoi(argv[2]) : 100;
    std::vector<float> out(count);
    float *deviceOut;
    CHECK(cudaMalloc(&deviceOut, count * sizeof(float)));

    roots<<<1, count>>>(first, deviceOut);
    // TODO: if the launch fails, print "the launch failed: ", the error's name (cudaGetErrorName) and a
    // new line, free the memory, and return 1.
    // TODO: wait for the kernel. If it fails, print "the kernel failed: ", the error's name and a new
    // line, and return 1.

    cudaMemcpy(out.data(), deviceOut, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(deviceOut);
    float sum = 0;
    for (float x : out) {
        sum += x;
    }
    printf("%d roots, their sum is %.2f\n", count, sum);
    return 0;
}
