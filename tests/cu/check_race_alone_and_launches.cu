// cdpcc: --check
// env: CDP_CHECK=race
// The code has the check of memory, and the run does without it: parameters of launches by kernels
// are no host memory of which a remark speaks.
#include "show.h"

__global__ void child(int *p, int value)
{
    *p += value;
}
__global__ void parent(int *p)
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    child<<<1, 1, 0, stream>>>(p, 1);
    child<<<1, 1, 0, stream>>>(p, 2);
    cudaStreamDestroy(stream);
}

int main()
{
    int *p, value;
    MUST(cudaMalloc(&p, sizeof *p));
    MUST(cudaMemset(p, 0, sizeof *p));
    parent<<<1, 1>>>(p);
    MUST(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault));
    printf("%d\n", value);
    cudaFree(p);
}
