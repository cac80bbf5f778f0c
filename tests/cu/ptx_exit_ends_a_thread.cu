#include "show.h"
__global__ void odd_leave(int *arrived)
{
    if (threadIdx.x % 2) {
        asm volatile("exit;");
        *arrived = -1;
    }
    int here = __syncthreads_count(1);
    if (threadIdx.x == 0) {
        *arrived = here;
    }
}
int main()
{
    int *arrived;
    MUST(cudaMallocManaged(&arrived, sizeof(int)));
    odd_leave<<<1, 64>>>(arrived);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *arrived);
}
