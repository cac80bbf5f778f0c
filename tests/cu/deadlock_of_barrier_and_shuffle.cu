// cdpcc: -g
// stderr: ^cdp: cudaErrorLaunchFailure: deadlock
// stderr: in kernel kernel, block \(.,0,0\), of 96 threads
// stderr: threads 0-15, 64-79: wait in __syncthreads\(\) at kernel \(.*:13:.*\), for threads 16-31$
// stderr: threads 16-31: wait in __shfl_down_sync \(mask 0xffffffff\) at kernel \(.*:15:.*\), for threads 0-15$
// stderr: threads 32-63, 80-95: have ended
// stderr: let all threads of the block come to the barrier, and masks name only lanes
// stderr: kernel was launched by the host at main \(.*:25
#include "show.h"
enum { THREADS = 96 };
__global__ void kernel(int *out) {
    if (threadIdx.x % 64 < 16) {
        __syncthreads();
    } else if (threadIdx.x / 16 == 1) {
        *out = __shfl_down_sync(0xffffffffu, 1, 1);
    }
}
__global__ void fine(int *out) {
    *out = __syncthreads_and(1);
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    *out = 1;
    kernel<<<3, THREADS>>>(out);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    MUST(cudaMallocManaged(&out, sizeof(int)));
    fine<<<1, THREADS>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *out);
}
