// cdpcc: -rdc=false
#include "show.h"
__global__ void kernel() { printf("flat\n"); }
int main() {
    kernel<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
