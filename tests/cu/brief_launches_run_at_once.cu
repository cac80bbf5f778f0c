// cdpcc: --entry=block -O2
// exit: 3
// stderr: illegal access to address 0x
// stderr: add was launched by the host at main
// A brief kernel that is launched while all workers sleep runs on the launching thread: in its
// stream's order, with memory that the host has just written, and its faults belong to the launch.
#include <stdio.h>
#include <unistd.h>
__global__ void add(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] += i;
    }
}
__global__ void turn(int *x)
{
    __shared__ int all[64];
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}
__global__ void long_sum(int *x, int n)
{
    for (int i = 1; i < n; i++) {
        x[0] += x[i];
    }
}
static void sleep_long_enough(void)
{
    usleep(20000);
}
static void set(void *x)
{
    *(int *)x += 1000;
}
int main(void)
{
    int *x, *y, result[64];
    cudaMallocManaged(&x, 500 * sizeof *x);
    cudaMallocManaged(&y, sizeof *y);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    add<<<1, 1>>>(x, 1);
    cudaDeviceSynchronize();
    for (int round = 0; round < 3; round++) {
        sleep_long_enough();
        for (int i = 0; i < 500; i++) {
            x[i] = round;
        }
        add<<<5, 100>>>(x, 499);
        turn<<<1, 64>>>(x);
        turn<<<1, 2>>>(x); /* by thread entries */
        cudaMemcpyAsync(result, x, sizeof result, cudaMemcpyDefault);
        add<<<1, 64>>>(x, 64);
        cudaDeviceSynchronize();
        printf("%d %d %d %d, %d %d\n", result[0], result[1], result[2], result[63], x[498], x[499]);
        sleep_long_enough();
        add<<<1, 64, 0, stream>>>(x, 64);
        cudaLaunchHostFunc(stream, set, &x[1]);
        add<<<1, 64, 0, stream>>>(x, 64);
        long_sum<<<1, 1, 0, stream>>>(x, 64);
        cudaStreamSynchronize(stream);
        printf("%d %d\n", x[0], x[1]);
    }
    sleep_long_enough();
    add<<<1, 64>>>((int *)8, 64);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    return error == cudaErrorIllegalAddress ? 3 : 1;
}
