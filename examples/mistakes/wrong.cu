#include <cstdio>

// The sum of n numbers. It should be 2080.
__global__ void sum(const int *in, int n, int *out)
{
    __shared__ int part[64];
    part[threadIdx.x] = in[threadIdx.x];
    for (int half = n / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x <= half) {
            part[threadIdx.x] += part[threadIdx.x + half];
        }
    }
    *out = part[0];
}

int main()
{
    int host[64], *data, result;
    for (int i = 0; i < 64; i++) {
        host[i] = i + 1;
    }
    cudaMalloc(&data, 65 * sizeof(int));
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(data, 64, data + 64);
    cudaMemcpy(&result, data + 64, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(data);
}
