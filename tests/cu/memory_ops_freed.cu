// cdpcc: -g -lcuda
// stderr: cudaErrorIllegalAddress: a stream waits for a value in memory that was freed: the word at .* freed at main \(memory_ops_freed.cu:20
// The memory of a wait is freed before the value comes.
#include <cstdio>

#include <cuda.h>

int main()
{
    cudaStream_t a, b;
    unsigned *word;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMallocAsync(&word, 4096, b);
    cudaMemsetAsync(word, 0, 4096, b);
    cudaStreamSynchronize(b);
    printf("%d\n", cuInit(0));
    printf("%d\n",
           cuStreamWaitValue32(a, (CUdeviceptr)word, 3, CU_STREAM_WAIT_VALUE_EQ));
    cudaFreeAsync(word, b);
    puts(cudaGetErrorName(cudaStreamSynchronize(a)));
}
