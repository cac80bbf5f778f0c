// cdpcc: --check=race
// races: they are planted
// stderr: ^cdp: race: .*thread \([0-9]+,0,0\) of block \(0,0,0\) (atomically updates|writes|updates).*
// stderr: check_race_of_a_counter_that_the_host_reads.cu:3[0-9]:[0-9]+, (the read, )?in main$
// stderr: ^  help: let the host wait before this access: cudaDeviceSynchronize\(\)
// stderr: ^cdp: 1 finding
// The host's plain read of a counter that the kernel updates is no poll. A volatile or atomic one is,
// and so is the use of what it found.
#include <atomic>
#include <cstdio>
__global__ void count(int *counter)
{
    atomicAdd(counter, 1);
}

int main()
{
    int *managed, *mapped, seen = 0;
    cudaMallocManaged(&managed, sizeof(int));
    cudaMallocHost(&mapped, sizeof(int));
    *managed = *mapped = 0;
    count<<<1, 32>>>(mapped);
    while (*(volatile int *)mapped != 32) {
    }
    seen += *mapped == 32;
    while (__atomic_load_n(mapped, __ATOMIC_ACQUIRE) != 32) {
    }
    while (reinterpret_cast<std::atomic<int> *>(mapped)->load() != 32) {
    }
    count<<<1, 32>>>(managed);
    seen += *managed >= 0;
    cudaDeviceSynchronize();
    seen += *managed == 32;
    printf("%d\n", seen);
    cudaFreeHost(mapped);
    cudaFree(managed);
}
