#!/usr/bin/env bash
# cdpcc --count: block entries, which count whole warps at once, and thread entries, which collect the
# lanes of each request, count the same. The order of atomic operations changes nothing in these
# programs.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

counts_alike() {
    "$CDPCC" -O2 -w --count --explain "$1" -o "$work/program" 2>"$work/explain" &&
        grep -q 'block entry:' "$work/explain" || return 1
    CDP_COUNT="$work/blocks.json" "$work/program" >"$work/out" 2>&1 || return 1
    CDP_COUNT="$work/threads.json" CDP_ENTRY=thread "$work/program" >"$work/out" 2>&1 || return 1
    [ -s "$work/blocks.json" ] && cmp "$work/blocks.json" "$work/threads.json"
}

# Shared memory by elements of all sizes: contiguous, reversed, by rows, and one for all.
cat >"$work/sizes.cu" <<'CU'
#include <cstdio>
template <class T> __global__ void move(T *out)
{
    __shared__ T s[256];
    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
    out[threadIdx.x + 256] = s[threadIdx.x];
    out[threadIdx.x + 512] = s[threadIdx.y];
    out[threadIdx.x + 768] = s[3];
}
template <class T> void all(void *p)
{
    const dim3 blocks[] = {dim3(256), dim3(16, 16), dim3(16, 8), dim3(8, 8), dim3(32, 3), dim3(100)};
    for (dim3 block : blocks) {
        move<<<2, block>>>((T *)p);
    }
}
int main()
{
    void *p;
    cudaMalloc(&p, 1 << 16);
    all<char>(p);
    all<short>(p);
    all<float>(p);
    all<double>(p);
    all<float4>(p);
    return cudaDeviceSynchronize();
}
CU
check "shared memory by elements of all sizes" counts_alike "$work/sizes.cu"

for name in examples/bezier examples/histogram examples/matrix_multiply examples/block_reduction \
    tests/cu/block_entries_exchange_by_eight_lanes tests/cu/block_entries_known_shared_memory \
    tests/cu/block_entries_index_below_zero; do
    check "$(basename "$name")" counts_alike "$root/$name.cu"
done
finish
