// cdpcc: -Wno-format-security
#include "show.h"
__global__ void kernel(const char *format) {
    int result = printf(format);
    printf("%d\n", result);
}
int main() {
    kernel<<<1, 1>>>(nullptr);
    MUST(cudaDeviceSynchronize());
}
