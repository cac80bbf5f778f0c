// Names and texts of all error codes, on the device.
#include "ask.h"
__global__ void kernel(int from, int to)
{
    for (int i = from; i < to; i++) {
        const char *name = cudaGetErrorName((cudaError_t)i);
        if (name[0] == 'c') {
            printf("name %d: %s\n", i, name);
            printf("text %d: %s\n", i, cudaGetErrorString((cudaError_t)i));
        }
    }
}
int main()
{
    begin();
    kernel<<<1, 1>>>(0, 1200);
    TELL("host synchronizes", cudaDeviceSynchronize());
}
