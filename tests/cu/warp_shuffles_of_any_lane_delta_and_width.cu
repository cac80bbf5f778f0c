// The lanes, deltas and masks of shuffles count modulo 32, and widths that are no powers of two
// have the meaning of PTX's shfl: with an H100's results.
#include "show.h"
__device__ int wrong, first_wrong = -1;
enum { COUNT = 12 };
__constant__ const int operands[COUNT] = {0, 1, 9, 31, 32, 33, 37, 40, 63, 64, -1, -40};
__constant__ const int widths[COUNT] = {32, 16, 8, 4, 2, 1, 8, 16, 64, 0, 5, 12};

// PTX ISA, shfl.sync: c is ((32 - width) << 8) | 31, and for "up" without the 31.
__device__ int source(int mode, int lane, int operand, int width) {
    int segment = (32 - width) & 31, by = operand & 31;
    int least = lane & segment, most = least | (31 & ~segment);
    int from = mode == 0 ? least | (by & ~segment) : mode == 1 ? lane - by : mode == 2 ? lane + by : lane ^ by;
    return (mode == 1 ? from >= least : from <= most) ? from : lane;
}
__device__ void expect(int number, int answer, int expected) {
    if (answer != 100 + expected) {
        atomicAdd(&wrong, 1);
        atomicMax(&first_wrong, number);
    }
}
// Operands that the compiler does not know.
__global__ void unknown() {
    int lane = threadIdx.x % 32, v = 100 + lane;
    for (int i = 0; i < COUNT * COUNT; i++) {
        int operand = operands[i % COUNT], width = widths[i / COUNT];
        expect(i, __shfl_sync(~0u, v, operand, width), source(0, lane, operand, width));
        expect(i, __shfl_up_sync(~0u, v, operand, width), source(1, lane, operand, width));
        expect(i, __shfl_down_sync(~0u, v, operand, width), source(2, lane, operand, width));
        expect(i, __shfl_xor_sync(~0u, v, operand, width), source(3, lane, operand, width));
    }
}
// Operands that it knows.
template <int OPERAND, int WIDTH> __device__ void known_one() {
    int lane = threadIdx.x % 32, v = 100 + lane;
    expect(1000 + OPERAND, __shfl_sync(~0u, v, OPERAND, WIDTH), source(0, lane, OPERAND, WIDTH));
    expect(2000 + OPERAND, __shfl_up_sync(~0u, v, OPERAND, WIDTH), source(1, lane, OPERAND, WIDTH));
    expect(3000 + OPERAND, __shfl_down_sync(~0u, v, OPERAND, WIDTH), source(2, lane, OPERAND, WIDTH));
    expect(4000 + OPERAND, __shfl_xor_sync(~0u, v, OPERAND, WIDTH), source(3, lane, OPERAND, WIDTH));
}
template <int OPERAND> __device__ void known_all() {
    known_one<OPERAND, 32>();
    known_one<OPERAND, 8>();
    known_one<OPERAND, 64>();
    known_one<OPERAND, 5>();
}
__global__ void known() {
    known_all<1>();
    known_all<9>();
    known_all<32>();
    known_all<33>();
    known_all<40>();
    known_all<63>();
    known_all<-1>();
}
int main() {
    unknown<<<2, 64>>>();
    known<<<2, 64>>>();
    MUST(cudaDeviceSynchronize());
    int count, first;
    MUST(cudaMemcpyFromSymbol(&count, wrong, sizeof count));
    MUST(cudaMemcpyFromSymbol(&first, first_wrong, sizeof first));
    printf("%d wrong, the last %d\n", count, first);
}
