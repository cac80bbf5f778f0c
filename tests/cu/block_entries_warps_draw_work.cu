// cdpcc: --entry=block -O2
// A lane draws a number for its warp, and the warp works on that item together. The loop ends when the numbers are too
// high: block entries need not wait for other threads. All lanes of a warp have the number, so branches on it divide no
// warp.
#include <cstdio>

enum { ITEMS = 300, MOST = 70 };
__device__ unsigned next_item, bound;

__device__ unsigned sum_of_warp(unsigned value)
{
    for (int delta = 16; delta > 0; delta /= 2) {
        value += __shfl_xor_sync(~0u, value, delta);
    }
    return value;
}

// The other lanes have no number of their own.
__global__ void undefined(unsigned *out, const unsigned *in, unsigned items)
{
    unsigned lane = threadIdx.x % 32;
    for (;;) {
        unsigned i;
        if (lane == 0) {
            i = atomicAdd(&next_item, 1);
        }
        i = __shfl_sync(~0u, i, 0);
        if (i >= items) {
            break;
        }
        unsigned length = in[i] % MOST, total = 0;
        for (unsigned k = lane; __any_sync(~0u, k < length); k += 32) {
            total += sum_of_warp(k < length ? in[i + k] : 0);
        }
        if (length > 40) {
            total ^= __shfl_sync(~0u, total + lane, 31);
        }
        if (lane == 0) {
            out[i] += total;
        }
    }
}

// The other lanes have another number; the bound is in memory.
__global__ void defined(unsigned *out, const unsigned *in)
{
    unsigned lane = threadIdx.x & 31, i;
    do {
        i = 0;
        if (lane == 5) {
            i = atomicAdd(&next_item, 2);
        }
        i = __shfl_sync(~0u, i, 5);
        if (i < bound) {
            unsigned value = sum_of_warp(in[i + lane] + in[i + 1]);
            if (lane == i % 32) {
                out[i] += value;
            }
        }
    } while (i < bound);
}

static unsigned in[ITEMS + MOST], out[ITEMS];

static void show(const char *name)
{
    unsigned hash = 0, zero = 0;
    int error = cudaDeviceSynchronize();
    for (unsigned &value : out) {
        hash = hash * 31 + value;
        value = 0;
    }
    cudaMemcpyToSymbol(next_item, &zero, sizeof zero);
    printf("%s: %d %08x\n", name, error, hash);
}

int main()
{
    unsigned items = ITEMS;
    for (int i = 0; i < ITEMS + MOST; i++) {
        in[i] = i * 2654435761u >> 9;
    }
    cudaMemcpyToSymbol(bound, &items, sizeof items);
    undefined<<<3, 96>>>(out, in, ITEMS);
    show("undefined");
    undefined<<<1, 32>>>(out, in, ITEMS);
    show("undefined, one warp");
    defined<<<2, 128>>>(out, in);
    show("defined");
    defined<<<5, 64>>>(out, in);
    show("defined");
}
