// cdpcc: --check=race
// races: they are planted
// stderr: check_race_in_a_warps_reduction.cu:13:[0-9]+, (the (read|write), )?in kernel sum
// stderr: check_race_in_a_warps_reduction.cu:14:[0-9]+, (the (read|write), )?in kernel sum
// stderr: ^  help: put a __syncwarp\(\) between the two
// The steps of a reduction, as it was written for GPUs whose lanes run in lockstep; and with __syncwarp.
#include <cstdio>
__global__ void sum(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t] += t < 16 ? s[t + 16] : 0;
    s[t] += t < 8 ? s[t + 8] : 0;
    if (t == 0) *out = s[0] - s[0];
}
__global__ void legal(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int step = 16; step > 0; step /= 2) {
        __syncwarp();
        int other = t < step ? s[t + step] : 0;
        __syncwarp();
        s[t] += other;
    }
    if (t == 0) *out = s[0];
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 32 * sizeof *in);
    cudaMallocManaged(&out, sizeof *out);
    for (int i = 0; i < 32; i++) in[i] = 1;
    legal<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    sum<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
}
