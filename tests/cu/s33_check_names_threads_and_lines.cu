// cdpcc: --check=space
// stderr: write of 4 bytes of local variable 'x' of thread \(0,0,0\) of the parent, block \(0,0,0\) of kernel parent
// stderr: in kernel child, block \(0,0,0\), thread \(2,0,0\), at child \(.*s33_check_names_threads_and_lines.cu:14:[0-9]+\)
// stderr: child was launched by block \(0,0,0\) at parent \(.*s33_check_names_threads_and_lines.cu:22:
#include <cstdio>

__device__ int *place;

__global__ void child()
{
    if (threadIdx.x == 2) {
        int *p = place;
        // Local memory of a thread of the parent, which waits.
        *p = 1;
    }
}

__global__ void parent()
{
    int x = 0;
    place = &x;
    child<<<1, 4>>>();
    cudaDeviceSynchronize();
}

int main()
{
    parent<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
