#!/bin/bash
# Block entries look ahead in loops that stride by the grid's threads, and in no others.
. "$(dirname "$0")/support.bash"

cat >ahead.cu <<'CU'
__global__ void __launch_bounds__(256) by_grid(int n, const unsigned char *in, unsigned *out) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}
__global__ void by_block(int n, const float *in, float *out) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    out[threadIdx.x] = sum;
}
__global__ void one_place(int n, const float *in, float *out) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[threadIdx.x] * i;
    out[threadIdx.x] = sum;
}
CU
"$CDPCC" -O2 -S --entry=block ahead.cu -o ahead.s >compile.txt 2>&1 ||
    fail "compiles" "$(cat compile.txt)"
body() { sed -n "/^cdp\.$1\..*$2.*:/,/\.cfi_endproc/p" ahead.s; }
asks() { body "$1" "$2" | grep -q prefetch; }
asks_not() { [ -n "$(body "$1" "$2")" ] && ! asks "$1" "$2"; }
check "strides by the grid are looked ahead to" asks line by_grid
check "for a known size, too" asks fixed1 by_grid
check "strides by the block are not" asks_not line by_block
check "what stays in one place is not" asks_not line one_place
check "threads never are" asks_not thread by_grid
finish
