// A launch that the limit of dynamic shared memory refuses ends the capture of its stream, as on an H200.
#include <cstdio>

__global__ void fill()
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
}

int main()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaStreamCreate(&stream);
    cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    fill<<<1, 32, 1024, stream>>>();
    printf("within the limit: %s\n", cudaGetErrorName(cudaGetLastError()));
    fill<<<1, 32, 2048, stream>>>();
    printf("above it: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
}
