// Threads of one warp that wait at different barriers meet here, but not on a GPU. This is reported
// once for each kernel, with both lines. Different warps may wait at different barriers, and a warp
// may take either path.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__device__ int sum;
__global__ void halves()
{
    if (threadIdx.x % 2 == 0) {
        __syncthreads(); // line 13
        atomicAdd(&sum, 1);
    } else {
        __syncthreads(); // line 16
        atomicAdd(&sum, 100);
    }
}
__global__ void counting()
{
    if (threadIdx.x < 5) {
        atomicAdd(&sum, __syncthreads_count(1)); // line 23
    } else {
        atomicAdd(&sum, __syncthreads_or(0)); // line 25
    }
}
__global__ void turns(volatile int *n)
{
    for (int i = 0; i < *n + threadIdx.x % 32 / 31; i++) {
        __syncthreads(); // line 31
    }
    __syncthreads(); // line 33
    atomicAdd(&sum, 1);
}
__device__ __noinline__ void one_way()
{
    __syncthreads(); // line 38
}
__device__ __noinline__ void other_way()
{
    __syncthreads(); // line 42
}
__global__ void functions()
{
    threadIdx.x == 7 ? one_way() : other_way();
    atomicAdd(&sum, 1);
}
__global__ void warps()
{
    if (threadIdx.x < 32) {
        __syncthreads();
    } else if (threadIdx.x < 64) {
        __syncthreads();
    } else {
        return;
    }
    for (int i = threadIdx.x / 32; i < 3; i++) {
        __syncthreads();
    }
    if (threadIdx.x >= 32) {
        __syncthreads();
    }
    atomicAdd(&sum, 1);
}
__global__ void all(int n)
{
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1) {
            __syncthreads();
        } else {
            __syncthreads();
        }
    }
    if (threadIdx.x % 3 == 0) {
        return;
    }
    __syncthreads();
    atomicAdd(&sum, 1);
}

// The number of lines written to standard error, and whether they name both places.
static int error;
static FILE *said;
static void show(const char *kernel, const char *first, const char *second)
{
    char line[1000];
    int lines = 0, named = 0, found = -1, none = 0;
    cudaError_t status = cudaDeviceSynchronize();
    rewind(said);
    while (fgets(line, sizeof line, said) != nullptr) {
        lines++;
        named += strstr(line, kernel) != nullptr && strstr(line, first) != nullptr &&
                 strstr(line, second) != nullptr;
    }
    if (lines != named) {
        dprintf(error, "%s", line);
    }
    cudaMemcpyFromSymbol(&found, sum, sizeof found);
    cudaMemcpyToSymbol(sum, &none, sizeof none);
    printf("%s: %d (%s), said %d times, with both lines %d times\n", kernel, found,
           cudaGetErrorName(status), lines, named);
    rewind(said);
    if (ftruncate(fileno(said), 0) != 0) {
        exit(1);
    }
}
int main()
{
    said = tmpfile();
    error = dup(2);
    dup2(fileno(said), 2);
    int *n;
    cudaMallocManaged(&n, sizeof *n);
    *n = 2;
    for (int i = 0; i < 3; i++) {
        halves<<<4, 64>>>();
    }
    show("halves", ":13:", ":16:");
    counting<<<4, 32>>>();
    show("counting", ":23:", ":25:");
    turns<<<4, 96>>>(n);
    show("turns", ":31:", ":33:");
    functions<<<4, dim3(8, 4)>>>();
    show("functions", ":38:", ":42:");
    warps<<<4, 96>>>();
    show("warps", "", "");
    all<<<4, 96>>>(7);
    show("all", "", "");
}
