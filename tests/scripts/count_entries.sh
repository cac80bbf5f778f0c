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

# Global memory: rows that ascend, descend, repeat, overlap and start anywhere; pointers that may point
# to shared memory; some lanes only.
cat >"$work/global.cu" <<'CU'
template <class T> __global__ void move(const T *in, T *out, int pitch, int some)
{
    __shared__ T s[1024];
    int x = threadIdx.x, y = threadIdx.y, i = y * blockDim.x + x;
    const T *from = some & 1 ? in : s;
    s[i] = in[y * pitch + x + some];
    __syncthreads();
    T sum = in[y * pitch];
    out[(blockDim.y - y) * pitch + x] = s[i];
    if (x < some) {
        out[8192 + i] = from[i];
        s[i] = sum;
    }
    for (int k = 0; k < some; k++) {
        out[12000 + i] = in[y * pitch + k];
        out[14000 + x] = in[k * pitch + x];
        s[i] = s[y * 16 + k];
        if (i % 3 == k) {
            s[x] = s[y * 17 + 1];
        }
    }
}
template <class T> void all(char *p)
{
    const dim3 blocks[] = {dim3(256),  dim3(16, 16), dim3(8, 8),   dim3(8, 32), dim3(4, 16),
                           dim3(2, 32), dim3(32, 3),  dim3(48, 2), dim3(100),   dim3(5, 7)};
    for (dim3 block : blocks) {
        for (int pitch : {0, 1, 7, 8, 16, 17, 32, 100}) {
            for (int some : {0, 1, 5, 8}) {
                move<<<1, block>>>((T *)p + some, (T *)p + 40000, pitch, some);
            }
        }
    }
}
int main()
{
    char *p;
    cudaMalloc(&p, 1 << 22);
    all<char>(p);
    all<float>(p);
    all<double>(p);
    all<float4>(p);
    return cudaDeviceSynchronize();
}
CU
check "global memory by rows" counts_alike "$work/global.cu"
# Both block sizes are known at first: masks of the loop are constants.
cat >"$work/tree.cu" <<'CU'
__global__ void tree(float *out)
{
    __shared__ float s[256];
    s[threadIdx.x] = out[threadIdx.x];
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            s[threadIdx.x] += s[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = s[0];
    }
}
int main()
{
    float *p;
    cudaMalloc(&p, 1 << 16);
    tree<<<dim3(3, 3, 3), 256>>>(p);
    return cudaDeviceSynchronize();
}
CU
check "a tree of a known size" counts_alike "$work/tree.cu"
# Blocks of a kernel run within a launch of the same kernel.
cat >"$work/nested.cu" <<'CU'
__global__ void down(const int *p, int depth)
{
    __shared__ int s[64];
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = p[threadIdx.x];
        if (depth > 0 && threadIdx.x < 2) {
            down<<<2, 64>>>(p, depth - 1);
        }
    }
}
int main()
{
    int *p;
    cudaMalloc(&p, 1 << 16);
    for (int i = 0; i < 20; i++) {
        down<<<2, 64>>>(p, 3);
    }
    return cudaDeviceSynchronize();
}
CU
check "a kernel that launches itself" counts_alike "$work/nested.cu"

for name in examples/bezier examples/histogram examples/matrix_multiply examples/block_reduction \
    tests/cu/block_entries_exchange_by_eight_lanes tests/cu/block_entries_known_shared_memory \
    tests/cu/block_entries_index_below_zero; do
    check "$(basename "$name")" counts_alike "$root/$name.cu"
done
finish
