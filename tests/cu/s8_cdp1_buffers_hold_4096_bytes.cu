// cdpcc: --cdp=1
#include "show.h"
__global__ void parent() {
    printf("%d\n", cudaGetParameterBuffer(64, 4096) != nullptr);
    SHOW(cudaGetLastError());
    printf("%d\n", cudaGetParameterBuffer(64, 4097) != nullptr);
    SHOW(cudaGetLastError());
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
