// One thread's error, and a barrier that half a warp reaches.
// ask: error barrier
#include "ask.h"
__device__ int errors[3];
__global__ void nop() {}
__global__ void fail()
{
    if (threadIdx.x == 0) {
        nop<<<1, 2000>>>();
    }
    __syncthreads();
    errors[threadIdx.x] = cudaPeekAtLastError();
}
__global__ void half(int *out)
{
    if (threadIdx.x < 16) {
        __syncthreads();
    }
    out[threadIdx.x] = threadIdx.x;
}
int main(int argc, char **argv)
{
    begin();
    if (ASKED("error")) {
        fail<<<1, 3>>>();
        TELL("host synchronizes", cudaDeviceSynchronize());
        int result[3] = {};
        cudaMemcpyFromSymbol(result, errors, sizeof(result));
        NUMBER("thread 0 has", result[0]);
        NUMBER("thread 1 has", result[1]);
        NUMBER("thread 2 has", result[2]);
    } else {
        int *out;
        cudaMalloc(&out, 128);
        half<<<1, 32>>>(out);
        TELL("host synchronizes", cudaDeviceSynchronize());
    }
}
