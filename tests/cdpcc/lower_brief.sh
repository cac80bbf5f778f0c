#!/bin/bash
# Kernels that certainly end soon are marked, for launches while all workers sleep and for children
# inside their parents; no others are marked.
. "$(dirname "$0")/support.bash"

cat >brief.cu <<'CU'
#include <cstdio>
__device__ volatile int flag;
__global__ void straight(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += atomicAdd(x, 1);
}
__global__ void with_barrier(int *x) {
    __shared__ int all[64];
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[63 - threadIdx.x] + __shfl_xor_sync(~0u, x[threadIdx.x], 1);
}
__global__ void loop(int *x, int n) {
    for (int i = 0; i < n; i++) x[threadIdx.x] += x[i];
}
__global__ void loop_of_barriers(int *x, int n) {
    __shared__ int all[64];
    for (int i = 0; i < n; i++) {
        __syncthreads();
        all[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = all[63 - threadIdx.x];
    }
}
__global__ void prints(int *x) { printf("%d\n", x[threadIdx.x]); }
__global__ void launches(int *x) { straight<<<1, 64>>>(x, 1); }
__global__ void fills(char *x, int n) { __builtin_memset(x, 0, n); }
__global__ void signals() { flag = 1; }
__global__ void waits() { while (flag == 0) {} }
__global__ void takes_long(int *x) {
    int a = x[0], b = x[threadIdx.x];
#define FOUR(step) step step step step
    FOUR(FOUR(FOUR(FOUR(a = a * b + 1; b ^= a >> 3;))))
    x[threadIdx.x] = a;
}
CU
"$CDPCC" -O2 -S -emit-llvm brief.cu -o brief.ll || fail compile
version=$(sed -n 's/^#define CDP_ABI_VERSION //p' "$TOP/runtime/abi/cdp_tables.h")
has_flag() {
    local flags
    flags=$(grep -E "^@_Z${#1}$1.*\.cdpk" brief.ll | grep -oE "i32 $version, i32 [0-9]+" | head -n 1)
    [ -n "$flags" ] && [ $((${flags##* } & $2)) -ne 0 ]
}
has_no_flag() { grep -qE "^@_Z${#1}$1.*\.cdpk" brief.ll && ! has_flag "$1" "$2"; }
is_brief() { has_flag "$1" 32; }
is_not_brief() { has_no_flag "$1" 32; }
for kernel in straight with_barrier signals; do
    check "$kernel is brief" is_brief $kernel
done
for kernel in loop loop_of_barriers prints launches fills waits takes_long; do
    check "$kernel is not" is_not_brief $kernel
done
# Kernels whose threads wait for nothing by their thread entries, too. Those with volatile accesses may yield
# between them.
for kernel in straight loop takes_long; do
    check "$kernel never waits" has_flag $kernel 512
done
for kernel in with_barrier loop_of_barriers prints launches signals waits; do
    check "$kernel may wait" has_no_flag $kernel 512
done
finish
