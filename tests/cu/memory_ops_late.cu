// cdpcc: -g -lcuda
// env: CDP_TIMEOUT=1
// stderr: cudaErrorLaunchTimeout: a stream has waited for 1 s \(CDP_TIMEOUT\), and no launch has completed: the word is 2, the value is 3, and the wait ends when the word == value
// stderr: bytes of pinned host memory, allocated at main .*; the operation is queued in main \(memory_ops_late.cu:18
// A wait for a value that never comes ends with CDP_TIMEOUT.
#include <cstdio>

#include <cuda.h>

int main()
{
    CUstream stream;
    unsigned *word;
    cudaMallocHost(&word, sizeof *word);
    *word = 2;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    printf("%d\n",
           cuStreamWaitValue32(stream, (CUdeviceptr)word, 3, CU_STREAM_WAIT_VALUE_EQ));
    puts(cudaGetErrorName(cudaStreamSynchronize(stream)));
}
