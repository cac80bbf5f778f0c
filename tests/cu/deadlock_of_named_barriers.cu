// cdpcc: -g
// stderr: in kernel child, block \(0,0,0\), of 128 threads
// stderr: threads 0-31: wait at barrier 1 for 64 threads, where 32 arrived, at child \(.*:13:
// stderr: threads 32-63: wait at barrier 2 for 96 threads, where 40 arrived, at child \(.*:15:
// stderr: threads 64-71: wait to arrive once more at barrier 2 for 96 threads, where 40 arrived, at child \(.*:18:
// stderr: threads 72-127: have ended
// stderr: or correct the count
// stderr: child was launched by block \([01],0,0\) at parent \(.*:22:
// stderr: parent was launched by the host at main
#include "show.h"
__global__ void child() {
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory"); // line 13
    } else if (threadIdx.x < 64) {
        __barrier_sync_count(2, 96); // line 15
    } else if (threadIdx.x < 72) {
        asm volatile("bar.arrive 2, 96;" ::: "memory");
        asm volatile("bar.arrive 2, 96;" ::: "memory"); // line 18
    }
}
__global__ void parent() {
    child<<<1, 128>>>(); // line 22
    cudaDeviceSynchronize();
}
int main() {
    parent<<<2, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
