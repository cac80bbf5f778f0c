// cdpcc: --entry=block -O2 -lineinfo -march=x86-64
// block stderr: in kernel line, block \(3,0,0\), one of threads (64|68) to 71, at line \(.*:16
// block stderr: in kernel line, block \(0,0,0\), one of threads 9[0-9] to 99, at line \(.*:16
// block stderr: in kernel rows, block \(0,0,0\), one of threads \((0|4),2,0\) to \(7,2,0\), at rows \(.*:21:
// block stderr: in kernel rows, block \(0,0,0\), one of threads \([01],3,0\) to \([34],[34],0\), at rows \(.*:21:
// block stderr: in kernel behind, block \(0,0,0\), one of threads (16|20) to 23, at behind
// block stderr: in kernel calls, block \(1,0,0\), one of threads 3[2-5] to 3[5-9], at follow
// block stderr: in kernel lanes, block \(1,0,0\), thread \(35,0,0\), at ask
// block stderr: run with CDP_ENTRY=thread to learn which thread it is
// entries: it tests their code
// A fault in a block entry: the report names the few active threads, or the one that called.
#include "show.h"

__global__ void line(int bad, const int **at, int *out)
{
    out[threadIdx.x] = (int)(blockIdx.x * blockDim.x + threadIdx.x) == bad ? *at[1] : **at;
}

__global__ void rows(int bad, const int **at, int *out)
{
    out[0] = (int)(threadIdx.y * 8 + threadIdx.x) == bad ? *at[1] : 0;
}

__global__ void behind(int bad, const int **at, int *out)
{
    __shared__ int kept[256];
    kept[threadIdx.x] = *at[0];
    __syncthreads();
    int next = kept[(threadIdx.x + 1) % blockDim.x];
    if ((int)threadIdx.x == bad) {
        next = *at[1];
    }
    out[threadIdx.x] = next;
}

__device__ __noinline__ int follow(const int **at, int which)
{
    return *at[which];
}
__global__ void calls(int bad, const int **at, int *out)
{
    out[threadIdx.x] = follow(at, (int)(blockIdx.x * blockDim.x + threadIdx.x) == bad);
}

// Runs one lane after the other, since it may set the thread's error.
__device__ __noinline__ int ask(const int **at, int which)
{
    return *at[which] + (int)cudaGetLastError();
}
__global__ void lanes(int bad, const int **at, int *out)
{
    out[threadIdx.x] = ask(at, (int)(blockIdx.x * blockDim.x + threadIdx.x) == bad);
}

template <typename K> static void show(K kernel, int blocks, dim3 threads, int bad)
{
    const int **at;
    int *out;
    cudaMallocManaged(&at, 2 * sizeof *at);
    cudaMallocManaged(&out, 256 * sizeof *out);
    out[255] = 0;
    at[0] = &out[255];
    at[1] = (const int *)0x10;
    kernel<<<blocks, threads>>>(bad, at, out);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
}

int main()
{
    show(line, 4, 128, 3 * 128 + 70);
    show(line, 1, 100, 99);
    show(rows, 1, dim3(8, 4), 2 * 8 + 6);
    show(rows, 1, dim3(5, 8), 3 * 8 + 3); // rows that are no multiple of a vector
    show(behind, 1, 64, 21);
    show(calls, 2, 64, 64 + 35);
    show(lanes, 2, 64, 64 + 35);
    return 0;
}
