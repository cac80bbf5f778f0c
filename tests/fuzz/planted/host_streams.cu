// Planted: two streams of the host. The second reads what the first writes, and no event orders
// them. -DMENDED has the event.
#include <cstdio>

__global__ void produce(int *data)
{
    data[threadIdx.x] = (int)threadIdx.x + 1;
}

__global__ void consume(const int *data, int *sum)
{
    atomicAdd(sum, data[threadIdx.x]);
}

int main()
{
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    int *data, sum = 0;
    cudaMalloc(&data, 33 * sizeof(int));
    cudaMemset(data, 0, 33 * sizeof(int));
    produce<<<1, 32, 0, first>>>(data);
#ifdef MENDED
    cudaEvent_t produced;
    cudaEventCreateWithFlags(&produced, cudaEventDisableTiming);
    cudaEventRecord(produced, first);
    cudaStreamWaitEvent(second, produced, 0);
#endif
    consume<<<1, 32, 0, second>>>(data, data + 32);
    cudaStreamSynchronize(second);
    cudaMemcpy(&sum, data + 32, sizeof(sum), cudaMemcpyDeviceToHost);
    printf("%s: %d\n", cudaGetErrorString(cudaDeviceSynchronize()), sum);
    return 0;
}
