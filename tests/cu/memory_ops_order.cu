// cdpcc: -g --check=race -lcuda
// races: the host polls words by volatile accesses
// Stream memory operations order what is before a value and what is after the wait for it, also for
// the race check.
#include <cstdio>
#include <cuda.h>

enum { N = 4096 };

__global__ void produce(int *p, int value)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        p[i] = value + i;
    }
}

__global__ void publish(int *p, int value, unsigned *flag)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        p[i] = value + i;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(flag, 1);
    }
}

__global__ void consume(const int *p, int value, int *errors)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        if (p[i] != value + i) {
            atomicAdd(errors, 1);
        }
    }
}

static CUstream a, b, c;
static int *data, *errors;
static unsigned *flags; // pinned: 64

static void flush(const char *name)
{
    cudaDeviceSynchronize();
    int n;
    cudaMemcpy(&n, errors, sizeof n, cudaMemcpyDeviceToHost);
    printf("%s: %d errors\n", name, n);
}

static CUdeviceptr word(int i)
{
    flags[i] = 0;
    return (CUdeviceptr)&flags[i];
}

int main()
{
    cudaMalloc(&data, N * sizeof(int));
    cudaMalloc(&errors, sizeof(int));
    cudaMemset(errors, 0, sizeof(int));
    cudaMallocHost(&flags, 64 * sizeof *flags);
    cuStreamCreate(&a, CU_STREAM_NON_BLOCKING);
    cuStreamCreate(&b, CU_STREAM_NON_BLOCKING);
    cuStreamCreate(&c, CU_STREAM_NON_BLOCKING);

    // The consumer is queued first.
    CUdeviceptr w = word(0);
    cuStreamWaitValue32(b, w, 1, CU_STREAM_WAIT_VALUE_GEQ);
    consume<<<1, 64, 0, b>>>(data, 10, errors);
    produce<<<1, 64, 0, a>>>(data, 10);
    cuStreamWriteValue32(a, w, 1, 0);
    flush("stream to stream");

    // A kernel sets the flag.
    w = word(1);
    cuStreamWaitValue32(b, w, 1, CU_STREAM_WAIT_VALUE_EQ);
    consume<<<1, 64, 0, b>>>(data, 20, errors);
    publish<<<1, 64, 0, a>>>(data, 20, &flags[1]);
    flush("kernel to stream");

    // A kernel behind the producer sets the flag.
    w = word(2);
    static int *other;
    cudaMalloc(&other, N * sizeof(int));
    cuStreamWaitValue32(b, w, 1, CU_STREAM_WAIT_VALUE_EQ);
    consume<<<1, 64, 0, b>>>(data, 30, errors);
    produce<<<1, 64, 0, a>>>(data, 30);
    publish<<<1, 64, 0, a>>>(other, 0, &flags[2]);
    flush("kernel behind a kernel to stream");

    // Along a chain of streams.
    w = word(3);
    CUdeviceptr v = word(4);
    cuStreamWaitValue32(c, v, 5, CU_STREAM_WAIT_VALUE_EQ);
    consume<<<1, 64, 0, c>>>(data, 40, errors);
    cuStreamWaitValue32(b, w, 1, CU_STREAM_WAIT_VALUE_EQ);
    cuStreamWriteValue32(b, v, 5, 0);
    produce<<<1, 64, 0, a>>>(data, 40);
    cuStreamWriteValue32(a, w, 1, 0);
    flush("three streams");

    // The host sets the flag after it has written the data.
    w = word(5);
    int *shared;
    cudaMallocHost(&shared, N * sizeof(int));
    cuStreamWaitValue32(b, w, 1, CU_STREAM_WAIT_VALUE_EQ);
    consume<<<1, 64, 0, b>>>(shared, 50, errors);
    for (int i = 0; i < N; i++) {
        shared[i] = 50 + i;
    }
    *(volatile unsigned *)&flags[5] = 1;
    flush("host to stream");

    // The host polls what a stream writes.
    w = word(6);
    produce<<<1, 64, 0, a>>>(shared, 60);
    cuStreamWriteValue32(a, w, 1, 0);
    while (*(volatile unsigned *)&flags[6] == 0) {
    }
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        wrong += shared[i] != 60 + i;
    }
    printf("stream to host: %d errors\n", wrong);
    cudaDeviceSynchronize();

}
