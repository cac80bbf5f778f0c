#!/bin/bash
# Threads of a warp read each other's shared memory and write their own, without a __syncwarp() in
# between. This is correct if a warp's lanes run in lockstep, as in block entries of any width.
# Masks name the existing threads, also in blocks that are smaller than a warp.
. "$(dirname "$0")/support.bash"

cat >lockstep.cu <<'CU'
#include <cstdio>
template<int THREADS, unsigned MASK> __global__ void sums(int *out) {
    __shared__ int s[THREADS];
    int i = threadIdx.x;
    s[i] = i + 1;
    __syncwarp(MASK);
    for (int step = THREADS / 2; step > 0; step /= 2) {
        s[i] += s[i ^ step];
        __syncwarp(MASK);
    }
    out[i] = s[i];
}
__global__ void votes(int *out) {
    __shared__ int s[8];
    int i = threadIdx.x;
    s[i] = i;
    __syncwarp(0xff);
    s[i] = s[i ^ 1] + 10;
    s[i] = s[7 - i] + 100;
    __syncwarp(0xff);
    out[i] = s[i] + __popc(__ballot_sync(0xff, s[i] % 4 == 1)) * 1000;
}
template<int THREADS, unsigned MASK> static void show(int *out) {
    sums<THREADS, MASK><<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    int right = 0;
    for (int i = 0; i < THREADS; i++) {
        right += out[i] == THREADS * (THREADS + 1) / 2;
    }
    printf("%d of %d\n", right, THREADS);
}
int main() {
    int *out;
    cudaMallocManaged(&out, 256);
    show<32, ~0u>(out);
    show<16, 0xffff>(out);
    show<16, ~0u>(out);
    show<8, 0xff>(out);
    show<4, 0xf>(out);
    votes<<<1, 8>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++) {
        printf("%d ", out[i]);
    }
    printf("\n");
}
CU
cat >expected.txt <<'EXPECTED'
32 of 32
16 of 16
16 of 16
8 of 8
4 of 4
2116 2117 2114 2115 2112 2113 2110 2111 
EXPECTED
for lanes in 4 8 16; do
    check "compiles for $lanes lanes" env CDPCC_LANES=$lanes "$CDPCC" --explain lockstep.cu -o lockstep
    check "all by block entries" [ "$(grep -c 'block entry' err.txt)" = 6 ]
    CDP_WORKERS=1 ./lockstep >got.txt 2>&1
    check "in lockstep by $lanes lanes" cmp expected.txt got.txt
done
finish
