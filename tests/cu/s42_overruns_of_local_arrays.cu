// cdpcc: --entry=thread
// A kernel that writes beyond the end of an array on its stack ends in an error and a report,
// however far it gets, and the process continues.
// overruns: this is what AddressSanitizer finds
// stderr: cudaErrorIllegalAddress: the stack was overwritten: an array of this function was written to beyond its end: local variable 'few' \(16 bytes\)
// stderr: in kernel overrun, block \(0,0,0\), thread \(0,0,0\), at overrun
// stderr: the stack was overwritten: an access beyond the end of an array got to the stack's upper end
// stderr: in kernel in_function, block \(0,0,0\), thread \(0,0,0\), at in
// stderr: in kernel one_of_many, block \(.,0,0\), (thread \(5,0,0\)|one of)
#include "show.h"
__device__ int sink, answer;
__device__ volatile int zero;

__device__ inline void fill(volatile int *array, int count, int value)
{
    for (int i = 0; i < count; i++) {
        array[i] = value;
    }
}
__global__ void overrun(int count, int value)
{
    int few[4];
    fill(few, count, value);
    atomicExch(&sink, few[zero]);
}
__device__ __noinline__ int inner(int count, int value)
{
    int own[4];
    fill(own, count, value);
    return own[zero];
}
__global__ void in_function(int count, int value)
{
    atomicExch(&sink, inner(count, value));
}
__global__ void one_of_many(int count, int value)
{
    int few[5];
    fill(few, 5, 1);
    if (threadIdx.x == 5) {
        fill(few, count, value);
    }
    __syncthreads();
    atomicExch(&sink, few[zero]);
}
__global__ void child()
{
    atomicAdd(&answer, 1);
}
// Functions that it calls after the overrun work.
__global__ void goes_on(int count, int value)
{
    int few[4];
    fill(few, count, value);
    child<<<1, 1>>>();
    cudaDeviceSynchronize();
    atomicExch(&sink, few[zero]);
}
static int wrong, good;

static void run(void (*kernel)(int, int), int blocks, int threads, int count, int value)
{
    kernel<<<blocks, threads>>>(count, value);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaErrorIllegalAddress) {
        printf("%d: %s\n", count, cudaGetErrorName(error));
        wrong++;
    }
    cudaDeviceReset();
    child<<<1, 64>>>();
    good += cudaDeviceSynchronize() == cudaSuccess;
}
int main()
{
    static const int values[] = {7, 0, 0x3f800000}; // also no address at all, and an unmapped one
    for (int value : values) {
        for (int count = 7; count < 5000; count += count < 24 ? 1 : count / 2) { // less may be padding
            run(overrun, 1, 1, count, value);
        }
        run(overrun, 1, 1, 1000000, value);
        run(in_function, 1, 1, 64, value);
        run(in_function, 1, 1, 100000, value);
        run(one_of_many, 3, 64, 200, value);
        run(one_of_many, 1, 64, 1000000, value);
        run(goes_on, 1, 1, 14, value);
        run(goes_on, 1, 1, 300, value);
    }
    overrun<<<1, 1>>>(4, 1);
    SHOW(cudaDeviceSynchronize());
    printf("%d wrong, %d good launches after them\n", wrong, good);
}
