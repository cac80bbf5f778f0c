// Planted: a reduction whose last __syncthreads() was forgotten.  -DMENDED has it.
#include <cstdio>

#define THREADS 64

__global__ void sum(const int *in, int *out)
{
    __shared__ int part[THREADS];
    unsigned t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
#ifndef MENDED
        if (half > 2)
#endif
            __syncthreads();
    }
    if (t == THREADS - 1) {
        *out = part[0];
    }
}

int main()
{
    int *data;
    cudaMallocManaged(&data, (THREADS + 1) * sizeof(int));
    for (int i = 0; i < THREADS; i++) {
        data[i] = i;
    }
    sum<<<1, THREADS>>>(data, data + THREADS);
    printf("%s: %d\n", cudaGetErrorString(cudaDeviceSynchronize()), data[THREADS]);
    return 0;
}
