// cdpcc: --entry=block -O2 -lineinfo -march=x86-64
// env: CDP_TIMEOUT=1
// block stderr: in kernel search, block \(0,0,0\), of 100 threads:
// block stderr: threads (52|48)-55: run at search \(.*:1[2345]:
// block stderr: threads 0-.*: run before or after them; CDP_ENTRY=thread shows where each of them is
// entries: it tests their code
// Threads of a block entry that do not end are named as far as they are known.
#include "show.h"

__global__ void search(const unsigned *from, unsigned to, unsigned *steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = from[i], n = 0;
    for (; x != to; n++) {
        x = x % 2 != 0 ? 3 * x + 1 : x / 2;
    }
    steps[i] = n;
}

int main()
{
    unsigned *from, *steps;
    MUST(cudaMallocManaged(&from, 128 * sizeof *from));
    MUST(cudaMallocManaged(&steps, 128 * sizeof *steps));
    for (unsigned i = 0; i < 128; i++) {
        from[i] = i + 1; // each reaches 1
    }
    from[55] = 0; // stays there
    search<<<1, 100>>>(from, 1, steps);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
