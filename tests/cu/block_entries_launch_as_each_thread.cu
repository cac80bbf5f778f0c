// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 88 blocks ran by block entries
// stderr: kernel parents.*, block \(1,0,0\), thread \(9,0,0\): a launch failed with error 9
// stderr: kernel parents.*, block \(2,0,0\), thread \(37,0,0\): a launch failed with error 9
// entries: it tests their code
// Each thread executes launches and other calls of CUDA's runtime for itself: with its parameters,
// its stream, and its last error, which other threads do not see.
#include <cstdio>
#include <cstring>

enum { THREADS = 40, BLOCKS = 4 };

__global__ void child(int *out, int value, short more)
{
    if (threadIdx.x == 0) {
        *out = value + more;
    }
}

__device__ __noinline__ void launch_into_stream(int *out, int value)
{
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess) {
        child<<<1, 4, 0, stream>>>(out, value, 1);
        cudaStreamDestroy(stream);
    }
}

__global__ void parents(int *out, int *errors, const int *from)
{
    int t = (int)threadIdx.x,
        bad = blockIdx.x == 1   ? 9
              : blockIdx.x == 2 ? 37
                                : -1,
        at = (int)blockIdx.x * THREADS + t;
    if (t % 3 == 0) {
        child<<<1, t % 5 + 1>>>(&out[at], at, (short)t);
    } else if (t % 3 == 1) {
        launch_into_stream(&out[at], -at);
    } else {
        cudaMemcpyAsync(&out[at], &from[at], sizeof(int), cudaMemcpyDeviceToDevice, 0);
    }
    errors[at] = 1000;
    if (t == bad || t == 7 || t == 8) {
        child<<<1, 4096>>>(&out[at], 0, 0);
    }
    if (t == 7) {
        errors[at] = (int)cudaGetLastError();
        errors[at] = errors[at] * 100 + (int)cudaGetLastError();
    } else if (t == 8) {
        errors[at] = (int)cudaPeekAtLastError();
        errors[at] = errors[at] * 100 + (int)cudaGetLastError();
    } else if (t != bad) {
        errors[at] += (int)cudaGetLastError();
    }
}

int main()
{
    int *out, *errors, *from;
    cudaMallocManaged(&out, BLOCKS * THREADS * sizeof(int));
    cudaMallocManaged(&errors, BLOCKS * THREADS * sizeof(int));
    cudaMallocManaged(&from, BLOCKS * THREADS * sizeof(int));
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        from[i] = i * 7;
        out[i] = errors[i] = -1;
    }
    parents<<<BLOCKS, THREADS>>>(out, errors, from);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        int t = i % THREADS, rest = t % 3;
        wrong += out[i] != (rest == 0 ? i + t : rest == 1 ? 1 - i : from[i]);
        wrong += errors[i] != (t == 7 ? 900 : t == 8 ? 909 : 1000);
    }
    printf("%d wrong\n", wrong);
    return 0;
}
