// cdpcc: --entry=block -O1 -march=x86-64
// entries: it tests their code
// The high half of a product of small numbers is zero, for every form of their vectors.
#include "show.h"
__global__ void k(const unsigned *table, unsigned *out)
{
    unsigned nt = blockDim.x * blockDim.y * blockDim.z;
    unsigned t = threadIdx.x;
    if (blockDim.y > 1) {
        t += blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    unsigned i = blockIdx.x * nt + t;
    if ((table[(i * 7 + 14) & 255] & 5) != 2) {
        unsigned some = (table[(t + 417) & 255] & 0xffff) % ((table[(t - 384) & 255] & 7) + 1);
        unsigned other = t ^ (table[threadIdx.x & 255] & 0xffff);
        out[i * 8 + 2] = table[(t - 384) & 255];
        out[i * 8 + 5] = (table[(t ^ 12) & 255] & 0xffff) / ((__umulhi(some, other) & 15) + 1);
    }
}
int main()
{
    static unsigned table[256], out[3 * 96 * 8];
    int wrong = 0;
    for (unsigned i = 0; i < 256; i++) {
        table[i] = i * 2654435761u >> 5;
    }
    k<<<3, dim3(16, 2, 3)>>>(table, out);
    MUST(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 3 * 96; i++) {
        wrong += out[i * 8 + 5] != (table[(i % 96) ^ 12] & 0xffff);
    }
    printf("%d wrong\n", wrong);
}
