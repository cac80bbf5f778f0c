#!/bin/bash
# If a step is for a block's first threads and the others do nothing, the loop over chunks ends
# after these threads. Steps of large blocks of a known size are straight-line code, also if each
# iteration of their loop begins with the barrier.
. "$(dirname "$0")/support.bash"

cat >narrow.cu <<'CU'
__global__ void tree(float *x) {
    __shared__ float s[256];
    s[threadIdx.x] = x[threadIdx.x];
    for (unsigned h = blockDim.x / 2; h > 0; h /= 2) {
        __syncthreads();
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    }
    __syncthreads();
    x[threadIdx.x] = s[0];
}
__global__ void written_out(float *x, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < n) s[t] += s[t + 32];
    __syncthreads();
    x[t] = s[t];
}
__global__ void others_store(float *x, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < n) s[t] += s[t + 64];
    else x[t + 256] = 1;
    __syncthreads();
    x[t] = s[t];
}
__global__ void others_compute(float *x, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    float sum = t < n ? s[t] + s[t + 64] : s[t + 1];
    __syncthreads();
    s[t] = sum;
    __syncthreads();
    x[t] = s[t];
}
__global__ void counted(float *x, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < n) s[t] += s[t + 64];
    int count = __syncthreads_count(s[t] > 0);
    x[t] = s[t] + count;
}
__global__ void others_remember(float *x, const float *y, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float kept;
    s[t] = x[t];
    __syncthreads();
    if (n & 1) {
        if (x[t] < 0) {
            kept = *y;
            goto next;
        }
    }
    if (t < n) s[t] += s[t + 64];
next:
    __syncthreads();
    if ((n & 1) && x[t] < 0) s[t] = kept;
    __syncthreads();
    x[t] = s[t];
}
__global__ void returned(float *x, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    if (x[t] < 0) return;
    __syncthreads();
    if (t < n) s[t] += s[t + 64];
    __syncthreads();
    x[t] = s[t];
}
__global__ void __launch_bounds__(THREADS) large(float *x) {
    __shared__ float s[THREADS];
    s[threadIdx.x] = x[threadIdx.x];
    for (unsigned h = blockDim.x / 2; h > 0; h /= 2) {
        __syncthreads();
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    }
    if (threadIdx.x == 0) *x = s[0];
}
CU
"$CDPCC" -O2 -S -emit-llvm -march=x86-64-v4 --entry=block -DTHREADS=64 narrow.cu -o narrow.ll ||
    fail compile
body() { sed -n "/^define.*cdp\.$1\..*$2/,/^}/p" "$3"; }
ends_early() { body one_row "$1" narrow.ll | grep -qE 'br i1 %or\.cond[0-9.]*, label %chunk[0-9.]*,'; }
runs_all() { [ -n "$(body one_row "$1" narrow.ll)" ] && ! ends_early "$1"; }
for kernel in tree written_out; do
    check "$kernel ends early" ends_early $kernel
done
for kernel in others_store others_compute others_remember counted returned; do
    check "$kernel runs all" runs_all $kernel
done
is_straight() {
    local code
    "$CDPCC" -O2 -S -emit-llvm -march="$1" -DTHREADS="$2" --entry=block narrow.cu -o large.ll ||
        return
    code=$(body fixed1 large large.ll)
    [ -n "$code" ] && ! grep -q ' phi ' <<<"$code"
}
check "64 vectors of 8" is_straight x86-64-v3 512
check "64 vectors of 16" is_straight x86-64-v4 1024
finish
