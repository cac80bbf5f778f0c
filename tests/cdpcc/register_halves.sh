#!/bin/bash
# On processors that slow down for wide registers, kernels that wait for memory or run lane by lane
# use halves of them, and kernels that compute use whole registers.
. "$(dirname "$0")/support.bash"

cat >width.cu <<'CU'
__global__ void moves(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void strides(int n, float a, const float *x, float *y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
__global__ void counts(int n, const unsigned char *in, unsigned *out) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}
__global__ void tree(const float *in, float *sums) {
    __shared__ float part[256];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
__global__ void product(int n, const float *a, const float *b, float *c) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k * n + column];
    c[column] = sum;
}
__global__ void polynomial(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], y = x;
#pragma unroll
    for (int k = 1; k < 17; k++) y = y * x + k;
    out[i] = y;
}
CU
for cpu in cascadelake znver5; do
    "$CDPCC" -O2 -S --entry=block -march=$cpu width.cu -o $cpu.s >compile.txt 2>&1 ||
        fail "compiles for $cpu" "$(cat compile.txt)"
done
body() { sed -n "/^cdp\.one_row\..*$2.*:/,/\.Lfunc_end/p" "$1.s"; }
is_whole() { body "$1" "$2" | grep -q zmm; }
is_half() { body "$1" "$2" | grep -q ymm && ! is_whole "$1" "$2"; }
for kernel in moves strides counts tree; do
    check "$kernel: halves" is_half cascadelake $kernel
    check "$kernel: whole registers elsewhere" is_whole znver5 $kernel
done
for kernel in product polynomial; do
    check "$kernel: whole registers" is_whole cascadelake $kernel
done
finish
