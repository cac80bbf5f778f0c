#include "show.h"
#define CHECK(expression, expected)                                                                \
    if ((expression) != (expected)) {                                                              \
        printf("line %d lane %d\n", __LINE__, lane);                                               \
    }
__global__ void kernel() {
    const unsigned all = 0xffffffff;
    int lane = threadIdx.x % 32, pred;
    CHECK(__ballot_sync(all, lane % 2), 0xaaaaaaaau);
    CHECK(__all_sync(all, lane < 32) != 0, true);
    CHECK(__all_sync(all, lane < 31) != 0, false);
    CHECK(__any_sync(all, lane == 17) != 0, true);
    CHECK(__any_sync(all, lane == 32) != 0, false);
    CHECK(__match_any_sync(all, lane / 8), 0xffu << (lane / 8 * 8));
    CHECK(__match_any_sync(all, (long long)(lane % 2) << 40), lane % 2 ? 0xaaaaaaaau : 0x55555555u);
    CHECK(__match_all_sync(all, 7, &pred), all);
    CHECK(pred != 0, true);
    CHECK(__match_all_sync(all, lane == 3, &pred), 0u);
    CHECK(pred != 0, false);
    CHECK(__reduce_add_sync(all, (unsigned)lane), 496u);
    CHECK(__reduce_add_sync(all, -lane), -496);
    CHECK(__reduce_min_sync(all, lane - 16), -16);
    CHECK(__reduce_max_sync(all, (unsigned)(lane * 3)), 93u);
    CHECK(__reduce_and_sync(all, 0xf0u | lane), 0xf0u & ~0u);
    CHECK(__reduce_or_sync(all, 1u << lane), all);
    CHECK(__reduce_xor_sync(all, 1u << (lane / 2)), 0u);
    if (lane < 10) {
        CHECK(__ballot_sync(0x3ff, lane > 4), 0x3e0u);
        CHECK(__reduce_add_sync(0x3ff, 1u), 10u);
        CHECK(__match_any_sync(0x3ff, 1), 0x3ffu);
    } else {
        CHECK(__ballot_sync(0xfffffc00, 1), 0xfffffc00u);
        CHECK(__any_sync(0xfffffc00, lane < 10) != 0, false);
    }
    __syncwarp();
    CHECK((__activemask() >> lane) & 1, 1u);
}
__global__ void partial() {
    int lane = threadIdx.x % 32;
    if (threadIdx.x >= 32) {
        CHECK(__ballot_sync(0xff, 1), 0xffu);
    }
}
__global__ void syncwarp() {
    __shared__ volatile int cells[32];
    int lane = threadIdx.x;
    for (int i = 0; i < 10; i++) {
        cells[lane] = i * 100 + lane;
        __syncwarp();
        CHECK(cells[31 - lane], i * 100 + 31 - lane);
        __syncwarp();
    }
}
int main() {
    kernel<<<2, 64>>>();
    partial<<<1, 40>>>();
    syncwarp<<<1, 32>>>();
    SHOW(cudaDeviceSynchronize());
}
