// A 16-byte atomic on memory that cannot be written faults before it takes its lock, so that the next
// one at this address does not wait for ever.
// stderr: cudaErrorIllegalAddress: illegal access to address 0x.* constant variable 'pair'
#include "hide.h"
#include "show.h"
struct alignas(16) Pair {
    unsigned long long count, sum;
};
__constant__ Pair pair = {1, 2};
__global__ void exchange(Pair *to)
{
    atomicExch(to, Pair{7, 9});
}
__global__ void compareAndSwap(Pair *to)
{
    atomicCAS(to, Pair{1, 2}, Pair{7, 9});
}
__global__ void parent(bool exchanges)
{
    if (exchanges) {
        exchange<<<1, 1>>>(hide(&pair));
    } else {
        compareAndSwap<<<1, 1>>>(hide(&pair));
    }
}
int main()
{
    for (int i = 0; i < 4; i++) {
        Pair value;
        parent<<<1, 1>>>(i % 2 == 0);
        cudaError_t error = cudaDeviceSynchronize();
        MUST(cudaDeviceReset());
        MUST(cudaMemcpyFromSymbol(&value, pair, sizeof value));
        printf("%d: %s, still %llu and %llu\n", i, cudaGetErrorName(error), value.count, value.sum);
    }
}
