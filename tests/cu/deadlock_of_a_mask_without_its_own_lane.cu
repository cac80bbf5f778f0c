// cdpcc: -g
// stderr: in kernel stranger, block \(0,0,0\), of 8 threads
// stderr: thread 5: waits in __shfl_xor_sync \(mask 0x0000000f\) at stranger \(.*:11:.*\), for threads 0-3; the mask does not name the lane itself$
// stderr: threads 0-3: wait in __reduce_max_sync \(mask 0x0000003f\) at stranger \(.*:13:.*\), for threads 4-5$
// stderr: thread 4: waits in __syncthreads\(\) at stranger \(.*:15:.*\), for threads 0-3, 5-7$
// stderr: threads 6-7: wait at barrier 5, where 2 arrived, at stranger \(.*:17:.*\), for threads 0-5$
#include "show.h"
__global__ void stranger(int *out) {
    unsigned lane = threadIdx.x;
    if (lane == 5) {
        *out = __shfl_xor_sync(0x0f, lane, 1); // line 11
    } else if (lane < 4) {
        *out = __reduce_max_sync(0x3f, lane); // line 13
    } else if (lane == 4) {
        __syncthreads(); // line 15
    } else {
        __barrier_sync_count(5, 32); // line 17
    }
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    stranger<<<1, 8>>>(out);
    SHOW(cudaDeviceSynchronize());
}
