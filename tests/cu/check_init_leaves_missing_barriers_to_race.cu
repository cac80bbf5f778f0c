// cdpcc: --check=init,race
// races: they are planted
// stderr: check_init_leaves_missing_barriers_to_race.cu:14:[0-9]+, (the read, )?in kernel reverse
// stderr: check_init_leaves_missing_barriers_to_race.cu:21:[0-9]+, (the write, )?in kernel count
// stderr: cdp: init: read of 4 bytes of shared memory that no thread of the block wrote
// stderr: check_init_leaves_missing_barriers_to_race.cu:32:[0-9]+, in kernel unset, block \(0,0,0\), thread \(0,0,0\)
// stderr: cdp: 3 findings
// optimized: an atomic function that is not inlined has no line of the user
#include <cstdio>
__global__ void reverse(int *a)
{
    __shared__ int s[256];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void count(const int *a, int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = 0;
    int i = a[threadIdx.x] & 255;
    atomicAdd(&s[i], 1);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
/* Its line has no race. A thread that reads too early, as a barrier is missing, reads what nobody has written yet. */
__global__ void unset(int *out)
{
    __shared__ int s[64];
    if (threadIdx.x > 0) s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = s[0] + 1;
}

int main()
{
    int *a, *out;
    cudaMallocManaged(&a, 256 * sizeof(int));
    cudaMallocManaged(&out, 256 * sizeof(int));
    for (int i = 0; i < 256; i++) a[i] = i * 7;
    reverse<<<1, 256>>>(a);
    cudaDeviceSynchronize();
    count<<<1, 256>>>(a, out);
    cudaDeviceSynchronize();
    unset<<<1, 64>>>(out);
    cudaDeviceSynchronize();
}
