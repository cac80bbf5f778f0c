// cdpcc: -g --check=race -lcuda
// stderr: race: thread .* 4 bytes that thread .*, and nothing orders the two
// stderr: launched: consume by the host at memory_ops_race.cu:31
// races: it has a race
// What a stream queues behind a write of a value is not before the wait for that value.
#include <cuda.h>

__global__ void produce(int *p)
{
    *p = 1;
}

__global__ void consume(const int *p, int *out)
{
    *out = *p;
}

int main()
{
    CUstream a, b;
    int *data;
    unsigned *flag;
    cudaMalloc(&data, 2 * sizeof(int));
    cudaMallocHost(&flag, sizeof *flag);
    cudaMemset(data, 0, 2 * sizeof(int));
    *flag = 0;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    cuStreamWaitValue32(b, (CUdeviceptr)flag, 1, CU_STREAM_WAIT_VALUE_EQ);
    consume<<<1, 1, 0, b>>>(data, data + 1);
    cuStreamWriteValue32(a, (CUdeviceptr)flag, 1, 0);
    produce<<<1, 1, 0, a>>>(data);
    cudaDeviceSynchronize();
}
