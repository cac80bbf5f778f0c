// cdpcc: --check=memory
// stderr: cdp: memory: call of address \(nil\), where no function is: a null or wrong pointer \(cudaErrorIllegalAddress\)
// stderr: check_memory_call_of_a_null_pointer.cu:11:[0-9]+, in (call, )?kernel call, block \(0,0,0\), thread \(0,0,0\)
// A table of functions that nobody filled: the report has the line of the call.
#include <cstdio>
typedef int (*function)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ function table[2];
__global__ void call(int *out, int i)
{
    *out = table[i](4) + 1;
}
__global__ void fill(int i) { table[i] = twice; }

int main()
{
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    fill<<<1, 1>>>(1);
    call<<<1, 1>>>(out, 1);
    printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *out);
    call<<<1, 1>>>(out, 0);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
