// stderr: parameter 2 \('to.rows\[1\]'\), 16 bytes into it, of kernel child points to shared
// stderr: points to shared variable 'tile' of block \(0,0,0\) of kernel parent
// stderr: parameter 1 \('n'\) of kernel flat points to dynamic shared memory of block \(0,0,0\)
#include "hide.h"
#include "show.h"
struct Place {
    long n;
    float *rows[2];
};
__global__ void child(long n, Place to)
{
}
__global__ void flat(const float *n)
{
}
__global__ void parent()
{
    __shared__ float head[32], tile[64];
    head[threadIdx.x] = tile[threadIdx.x] = 0;
    child<<<1, 1>>>(0, Place{1, {nullptr, hide(&tile[3])}});
}
__global__ void dynamic()
{
    extern __shared__ float memory[];
    flat<<<1, 1>>>(hide(memory + 1));
}
int main()
{
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    dynamic<<<1, 1, 256>>>();
    SHOW(cudaDeviceSynchronize());
}
