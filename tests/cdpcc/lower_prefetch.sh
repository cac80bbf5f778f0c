#!/bin/bash
# Block entries prefetch: in loops that stride by the grid's threads or read rows that are far
# apart, and the data that the next blocks will read.
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
__global__ void one_address(int n, const float *in, float *out) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[threadIdx.x] * i;
    out[threadIdx.x] = sum;
}
CU
cat >blocks.cu <<'CU'
__global__ void __launch_bounds__(256) neighbours(const float *in, float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}
__global__ void by_memory(const int *where, const float *in, float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[where[blockIdx.x] + threadIdx.x];
}
__global__ void __launch_bounds__(256) tree(const float *in, float *out) {
    __shared__ float part[256];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}
CU
cat >rows.cu <<'CU'
__global__ void columns(int n, const float *in, float *out) {
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[k * n + threadIdx.x];
    out[threadIdx.x] = sum;
}
__global__ void near_product(int n, const float *a, const float *b, float *c) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * 32 + column];
    c[row * n + column] = sum;
}
__global__ void product(int n, const float *a, const float *b, float *c) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
CU
for unit in ahead blocks rows; do
    size=256x1x1
    [ $unit != rows ] || size=16x16x1
    CDPCC_SIZES=$size "$CDPCC" -O2 -S -march=x86-64-v4 --entry=block $unit.cu -o $unit.s >compile.txt 2>&1 ||
        fail "$unit.cu compiles" "$(cat compile.txt)"
done
cat ahead.s blocks.s rows.s >all.s
body() { sed -n "/^cdp\.$1\..*$2.*:/,/^\.Lfunc_end/p" all.s; }
has_prefetch() { body "$1" "$2" | grep -q prefetch; }
has_no_prefetch() { [ -n "$(body "$1" "$2")" ] && ! has_prefetch "$1" "$2"; }
check "strides by the grid are prefetched" has_prefetch one_row by_grid
check "for a known size, too" has_prefetch fixed1 by_grid
check "strides by the block are not" has_no_prefetch one_row by_block
check "uniform addresses are not" has_no_prefetch one_row one_address
check "threads never are" has_no_prefetch thread by_grid
check "the data of neighbouring blocks of a known size is prefetched" has_prefetch fixed1 neighbours
check "of another size, nothing" has_no_prefetch one_row neighbours
check "each line once" [ "$(body fixed1 neighbours | grep -c prefetch)" -eq 16 ]
check "if the address comes from memory, nothing is prefetched" has_no_prefetch fixed1 by_memory
check "rows far apart that many threads read are prefetched some iterations ahead" has_prefetch fixed1 product
check "rows that few threads read are not" has_no_prefetch one_row columns
check "near rows are not" has_no_prefetch fixed1 near_product
once() { # each iteration has one contiguous load for all vectors, and one prefetch
    body fixed1 product | awk '/prefetch/ { has_prefetch++ } /vfmadd/ { sums++ }
        END { exit !(has_prefetch > 0 && sums >= 8 * has_prefetch) }'
}
check "a row that vectors side by side share is prefetched once per iteration" once
CDPCC_SIZES=16x16x1 check "narrower vectors' rows" "$CDPCC" -O2 -S -march=haswell --entry=block rows.cu -o all.s
check "are prefetched once, too" once
cat ahead.s blocks.s rows.s >all.s
check "with values exchanged in shared memory, rows are prefetched, too" has_prefetch fixed1 tree
check "and the contents of shared memory are known as well" \
    [ "$(body fixed1 tree | grep -c 'vmov.*, .*(%r')" -le 2 ]
finish
