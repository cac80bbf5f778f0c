// Planted: two device streams. The second reads what the first writes, and no event orders them.
// -DMENDED has the event.
#include <cstdio>

__global__ void produce(int *data)
{
    data[threadIdx.x] = (int)threadIdx.x + 1;
}

__global__ void consume(const int *data, int *sum)
{
    atomicAdd(sum, data[threadIdx.x]);
}

__global__ void parent(int *data, int *sum)
{
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    produce<<<1, 32, 0, first>>>(data);
#ifdef MENDED
    cudaEvent_t produced;
    cudaEventCreateWithFlags(&produced, cudaEventDisableTiming);
    cudaEventRecord(produced, first);
    cudaStreamWaitEvent(second, produced, 0);
#endif
    consume<<<1, 32, 0, second>>>(data, sum);
}

int main()
{
    int *data;
    cudaMallocManaged(&data, 33 * sizeof(int));
    parent<<<1, 1>>>(data, data + 32);
    printf("%s: %d\n", cudaGetErrorString(cudaDeviceSynchronize()), data[32]);
    return 0;
}
