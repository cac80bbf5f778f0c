// stderr: stream 0x1234567890 was not made by the host
#include "show.h"
__global__ void kernel() { printf("never\n"); }
int main() {
    kernel<<<1, 1, 0, (cudaStream_t)0x1234567890>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaStreamSynchronize((cudaStream_t)0x1234567890));
    SHOW(cudaStreamDestroy((cudaStream_t)0x1234567890));
}
