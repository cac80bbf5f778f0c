// Squares N numbers with two streams: one copies, the other one computes.
//
//   streams N
#include <cstdio>
#include <cstdlib>

#define THREADS 128

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void square(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] * in[i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    if (n < 1 || n > 40000) {
        printf("usage: streams N, from 1 to 40000\n");
        return 2;
    }
    size_t bytes = n * sizeof(int);
    int *in, *out, *deviceIn, *deviceOut;
    CHECK(cudaMallocHost(&in, bytes)); // pinned, so that copies are asynchronous
    CHECK(cudaMallocHost(&out, bytes));
    CHECK(cudaMalloc(&deviceIn, bytes));
    CHECK(cudaMalloc(&deviceOut, bytes));
    for (int i = 0; i < n; i++) {
        in[i] = i;
    }

    cudaStream_t copying, computing;
    CHECK(cudaStreamCreateWithFlags(&copying, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&computing, cudaStreamNonBlocking));
    cudaEvent_t copied, computed;
    CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&computed, cudaEventDisableTiming));
    CHECK(cudaMemcpyAsync(deviceIn, in, bytes, cudaMemcpyHostToDevice, copying));
    CHECK(cudaEventRecord(copied, copying));
    CHECK(cudaStreamWaitEvent(computing, copied, 0));
    square<<<(n + THREADS - 1) / THREADS, THREADS, 0, computing>>>(deviceIn, deviceOut, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(computed, computing));
    CHECK(cudaStreamWaitEvent(copying, computed, 0));
    CHECK(cudaMemcpyAsync(out, deviceOut, bytes, cudaMemcpyDeviceToHost, copying));
    CHECK(cudaStreamSynchronize(copying));

    long long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += out[i];
    }
    printf("the last square is %d, the sum is %lld\n", out[n - 1], sum);

    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(copied));
    CHECK(cudaEventDestroy(computed));
    CHECK(cudaStreamDestroy(copying));
    CHECK(cudaStreamDestroy(computing));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    CHECK(cudaFree(deviceIn));
    CHECK(cudaFree(deviceOut));
    return 0;
}
