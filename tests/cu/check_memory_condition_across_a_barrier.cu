// cdpcc: --check=memory --entry=block
// In block entries the test of s[t + d] keeps its result across the barrier, not its operands.
#include <cstdio>

__global__ void sum(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t < n) {
        s[t] = in[t];
    }
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d) {
            s[t] += s[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        *out = s[0];
    }
}

int main()
{
    int *in, *out, sum_of_all;
    cudaMalloc(&in, 128 * sizeof(int));
    cudaMemset(in, 0, 128 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    sum<<<1, 128>>>(in, out, 128);
    cudaMemcpy(&sum_of_all, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", sum_of_all);
    cudaFree(in);
    cudaFree(out);
}
