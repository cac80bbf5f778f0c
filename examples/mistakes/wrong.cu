#include <cstdio>

// The sum of the numbers from 1 to 64. It should be 2080.
__global__ void sum(const int *in, int *out)
{
    __shared__ int part[64];
    int t = threadIdx.x;
    part[t] = in[t + 1];
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            part[t] += part[t + half];
        }
    }
    if (t == 0) {
        *out = part[0];
    }
}

int main()
{
    int numbers[64], result, *in, *out;
    for (int i = 0; i < 64; i++) {
        numbers[i] = i + 1;
    }
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof *out);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(in, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(in);
    cudaFree(out);
}
