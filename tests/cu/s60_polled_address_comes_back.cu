// races: polls by volatile loads
// The address of a poll changes, but comes back: the index has few bits, or the stride is zero.
#include <stdio.h>
__global__ void narrow(int *out, volatile int *box)
{
    if (threadIdx.x == 0) {
        box[77] = 1;
    } else {
        unsigned char i = 0;
        while (!box[i]) {
            i++;
        }
        out[threadIdx.x] = i;
    }
}
__global__ void in_place(int *out, volatile int *box, int stride)
{
    if (threadIdx.x == 0) {
        box[0] = 1;
    } else {
        int i = 0;
        while (!box[i * stride]) {
            i++;
        }
        out[threadIdx.x] = 5;
    }
}
int main()
{
    int *out, *box;
    cudaMallocManaged(&out, 32 * sizeof *out);
    cudaMallocManaged(&box, 256 * sizeof *box);
    narrow<<<1, 32>>>(out, box);
    printf("%d, %d\n", cudaDeviceSynchronize(), out[31]);
    in_place<<<1, 32>>>(out, box, 0);
    printf("%d, %d\n", cudaDeviceSynchronize(), out[31]);
}
