// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes of a host variable, which device code must not access \(cudaErrorIllegalAddress\)
// stderr: check_memory_host_variable.cu:21:10, in kernel fill, block \(0,0,0\), thread \(0,0,0\)
// stderr: memory: host variable 'table'
// stderr: help: declare it __device__ or __managed__, or copy it to memory from cudaMalloc
// Variables of device code that host code cannot name lie beside those of host code.
#include <cstdio>
struct base {
    virtual __device__ int number() const { return 1; }
};
struct derived : base {
    __device__ int number() const override { return 2; }
};
static int table[64];
__device__ __noinline__ int next(int *counter) { return ++*counter; }
__device__ __noinline__ int read(const int *from, int i) { return from[i]; }
__device__ __noinline__ int ask(const base *object) { return object->number(); }
__global__ void fill(int *a, int n)
{
    int t = threadIdx.x;
    a[t] = n;
}
__global__ void legal(int *a)
{
    static int counter;
    static const int squares[] = {0, 1, 4};
    derived object;
    a[0] = next(&counter) + read(squares, threadIdx.x + 2) + ask(&object);
}

int main()
{
    int *a;
    cudaMallocManaged(&a, sizeof *a);
    legal<<<1, 1>>>(a);
    printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *a);
    fill<<<1, 1>>>(table, 64);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
