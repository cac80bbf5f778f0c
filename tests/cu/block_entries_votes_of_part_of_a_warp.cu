// cdpcc: --entry=block -O1
// A vote of a warp that is not full, in a block of known size: values of the missing lanes must not
// affect the other lanes' result.
#include <stdio.h>
__global__ void __launch_bounds__(100) votes(unsigned p, const unsigned *__restrict__ table,
                                             unsigned *out)
{
    __shared__ unsigned sums[1024];
    unsigned t = threadIdx.x, said = __ballot_sync(~0u, (table[t] & 3) >= 2);
    unsigned moved = __shfl_xor_sync(~0u, table[t], 33 - p);
    sums[t] = 1;
    for (unsigned k = 64; k > 0; k /= 2) {
        __syncthreads();
        unsigned bound = k - p;
        if (bound > k) {
            bound = k;
        }
        if (t < bound) {
            if (t + k < blockDim.x) {
                sums[t] += sums[t + k] + bound;
            }
        }
        if (table[k] & 1) {
            break;
        }
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = (said + sums[t / 2]) ^ (t < 96 ? moved : 0);
}
int main()
{
    static unsigned table[256], out[300];
    for (unsigned i = 0; i < 256; i++) {
        table[i] = i * 2654435761u >> 5;
    }
    for (unsigned p = 0; p < 4; p++) {
        votes<<<3, 100>>>(p, table, out);
        printf("%d:", cudaDeviceSynchronize());
        for (unsigned first = 0; first < 300; first += 20) {
            unsigned hash = 0;
            for (unsigned i = first; i < first + 20; i++) {
                hash = hash * 31 + out[i];
            }
            printf(" %08x", hash);
        }
        printf("\n");
    }
}
