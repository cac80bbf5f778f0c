// rules: M2
// cdpcc: --cdp=2
#include "show.h"
__global__ void kernel() { printf("kernel\n"); }
int main() {
    kernel<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
