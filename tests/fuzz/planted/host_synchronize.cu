// Planted: the host reads managed memory after waiting for the wrong stream.  -DMENDED
// waits for the right one.
#include <cstdio>

__global__ void fill(int *data, int value)
{
    data[threadIdx.x] = value;
}

int main()
{
    cudaStream_t streams[2];
    int *data, sum = 0;
    cudaMallocManaged(&data, 64 * sizeof(int));
    for (int i = 0; i < 2; i++) {
        cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
        fill<<<1, 32, 0, streams[i]>>>(data + 32 * i, i + 1);
    }
#ifdef MENDED
    cudaStreamSynchronize(streams[0]);
#endif
    cudaStreamSynchronize(streams[1]);
    for (int i = 0; i < 64; i++) {
        sum += data[i];
    }
    printf("%d\n", sum);
    cudaDeviceSynchronize();
    return 0;
}
