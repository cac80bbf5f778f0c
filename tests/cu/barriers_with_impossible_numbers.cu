// cdpcc: -g
// stderr: barrier 16: a block has barriers 0 to 15
// stderr: barrier 1 for 33 threads: must be a multiple of 32
// stderr: barrier 1 for 128 threads would never open: the block has 80
// stderr: barrier 2: this thread names (32|64) threads, others named (64|32)
#include "show.h"
__global__ void sync(int id, int threads) {
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__global__ void differ() {
    __barrier_sync_count(2, threadIdx.x == 7 ? 32 : 64);
}
int main() {
    sync<<<1, 80>>>(16, 64);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    sync<<<1, 80>>>(1, 33);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    sync<<<1, 80>>>(1, 128);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    differ<<<1, 80>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    sync<<<1, 80>>>(15, 96);
    SHOW(cudaDeviceSynchronize());
}
