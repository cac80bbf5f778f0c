// Barriers for a part of a block, by intrinsic and by PTX: halves that synchronize separately, a
// producer that does not wait, reductions, ended lanes.
#include "show.h"
__device__ __forceinline__ void sync(int id, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void arrive(int id, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void check(int *wrong, bool is_wrong) {
    if (is_wrong) {
        atomicAdd(wrong, 1);
    }
}

// Each half of the block has its own number of steps: 50 and 80.
__global__ void halves(int *wrong) {
    __shared__ int cell[2][64];
    int half = threadIdx.x / 64, me = threadIdx.x % 64;
    for (int step = 0; step < 50 + 30 * half; step++) {
        cell[half][me] = step * 100 + me;
        __barrier_sync_count(1 + half, 64);
        check(wrong, cell[half][(me + 33) % 64] != step * 100 + (me + 33) % 64);
        __barrier_sync_count(1 + half, 64);
    }
    __barrier_sync(3);
    check(wrong, cell[1 - half][me] != (half ? 49 : 79) * 100 + me);
}

// Warps 0 and 1 fill two buffers ahead of warps 2 and 3, as in PTX's manual.
__global__ void pipeline(int *sum) {
    __shared__ int buffer[2][64];
    int me = threadIdx.x % 64;
    enum { FULL = 1, EMPTY = 3, ROUNDS = 40 };
    if (threadIdx.x < 64) {
        for (int i = 0; i < ROUNDS; i++) {
            sync(EMPTY + i % 2, 128);
            buffer[i % 2][me] = i * me;
            arrive(FULL + i % 2, 128);
        }
    } else {
        arrive(EMPTY, 128);
        arrive(EMPTY + 1, 128);
        for (int i = 0; i < ROUNDS; i++) {
            sync(FULL + i % 2, 128);
            atomicAdd(sum, buffer[i % 2][63 - me]);
            if (i + 2 < ROUNDS) {
                arrive(EMPTY + i % 2, 128);
            }
        }
    }
}

__global__ void reductions(int *wrong) {
    int t = threadIdx.x, count, some, every;
    for (int round = 0; round < 10; round++) {
        if (t < 64) {
            asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, %2;\n"
                         "bar.red.popc.u32 %0, 5, 64, p; }"
                         : "=r"(count)
                         : "r"(t), "r"(round * 5));
            check(wrong, count != round * 5);
            continue;
        }
        asm volatile("{ .reg .pred p, q, r;\n"
                     "setp.lt.s32 p, %2, %3;\n"
                     "barrier.sync 7, 64;\n"
                     "barrier.red.or.pred q, 6, 64, p;\n"
                     "barrier.red.and.pred r, 6, 64, p;\n"
                     "selp.s32 %0, 1, 0, q; selp.s32 %1, 1, 0, r; }"
                     : "=r"(some), "=r"(every)
                     : "r"(t - 64), "r"(round * 10));
        check(wrong, some != (round > 0) || every != (round > 6));
    }
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 100; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(count)
                 : "r"(t));
    check(wrong, count != 100);
}

// Warps count. A warp whose other lanes have ended, or never existed, counts 32. Threads that have
// arrived may end before the barrier opens.
__global__ void ended(int *passed) {
    if (threadIdx.x % 32 > 7) {
        return;
    }
    if (threadIdx.x < 32) {
        arrive(2, 96);
        return;
    }
    sync(2, 96);
    atomicAdd(passed, 1);
}

// The block's own barrier is number 0: some threads arrive without waiting.
__global__ void own(int *wrong) {
    __shared__ int cell[64];
    if (threadIdx.x >= 64) {
        for (int i = 0; i < 20; i++) {
            cell[threadIdx.x - 64] = i;
            arrive(0, 128);
            sync(1, 128);
        }
    } else {
        for (int i = 0; i < 20; i++) {
            __syncthreads();
            check(wrong, cell[threadIdx.x] != i);
            sync(1, 128);
        }
    }
}

int main() {
    int *out;
    MUST(cudaMallocManaged(&out, 5 * sizeof(int)));
    for (int i = 0; i < 20; i++) {
        halves<<<3, 128>>>(&out[0]);
        pipeline<<<1, 128>>>(&out[1]);
        reductions<<<2, 128>>>(&out[2]);
        ended<<<1, 90>>>(&out[3]);
        own<<<2, 128>>>(&out[4]);
        MUST(cudaDeviceSynchronize());
    }
    printf("%d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4]);
}
