// cdpcc: --check=space
// stderr: read of 4 bytes of local variable 'x' of thread \(0,0,0\) of block \(0,0,0\) of kernel neighbours
#include <cstdio>

__global__ void neighbours(int *out)
{
    __shared__ int *published;
    int x[4] = {1, 2, 3, 4};
    if (threadIdx.x == 0) {
        published = x;
    }
    __syncthreads();
    if (threadIdx.x == 1) {
        *out = published[*out];
    }
    __syncthreads();
    out[1] = x[out[0] & 3];
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 8);
    out[0] = 0;
    neighbours<<<1, 2>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
