#include "show.h"
__device__ int wrong;
#define CHECK(expression, expected)                                                                \
    if ((expression) != (expected)) {                                                              \
        printf("line %d lane %d\n", __LINE__, lane);                                               \
    }
__global__ void kernel() {
    const unsigned all = 0xffffffff;
    int lane = threadIdx.x % 32;
    CHECK(__shfl_sync(all, lane * 2, 5), 10);
    CHECK(__shfl_sync(all, lane * 2, lane + 3), (lane + 3) % 32 * 2);
    CHECK(__shfl_sync(all, lane, 1, 8), lane / 8 * 8 + 1);
    CHECK(__shfl_up_sync(all, lane, 3), lane < 3 ? lane : lane - 3);
    CHECK(__shfl_up_sync(all, lane, 1, 16), lane % 16 == 0 ? lane : lane - 1);
    CHECK(__shfl_down_sync(all, lane, 7), lane + 7 > 31 ? lane : lane + 7);
    CHECK(__shfl_down_sync(all, lane, 2, 4), lane % 4 >= 2 ? lane : lane + 2);
    CHECK(__shfl_xor_sync(all, lane, 21), lane ^ 21);
    CHECK(__shfl_sync(all, 1.5 * lane, 31), 46.5);
    CHECK(__shfl_sync(all, 0.25f * lane, 4), 1.0f);
    CHECK(__shfl_xor_sync(all, (long long)lane << 40, 1), (long long)(lane ^ 1) << 40);
    CHECK(__shfl_down_sync(all, (unsigned long long)lane << 33, 1),
          (unsigned long long)(lane == 31 ? 31 : lane + 1) << 33);
    // A part of a warp, under divergence.
    if (lane >= 8 && lane < 24) {
        CHECK(__shfl_sync(0x00ffff00, lane, 9), 9);
        CHECK(__shfl_xor_sync(0x00ffff00, lane, 4), lane ^ 4);
    } else {
        CHECK(__shfl_sync(0xff0000ff, lane, 30), 30);
    }
    int sum = lane;
    for (int i = 16; i > 0; i /= 2) {
        sum += __shfl_xor_sync(all, sum, i);
    }
    CHECK(sum, 496);
}
int main() {
    kernel<<<2, 96>>>();
    SHOW(cudaDeviceSynchronize());
}
