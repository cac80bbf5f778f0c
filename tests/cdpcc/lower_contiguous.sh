#!/bin/bash
# Which accesses are contiguous: structures of neighbouring threads, indices within a field's
# borders, and threads that change places. Vectors of 32-bit integers are not divided lane by lane.
. "$(dirname "$0")/support.bash"

cat >rows.cu <<'CU'
#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
struct Three { float x, y, z; };
__global__ void __launch_bounds__(256) fours(const float4 *in, float4 *out) {
    float4 p = in[I];
    out[I] = make_float4(p.w, p.x + 1, p.y, p.z);
}
__global__ void __launch_bounds__(256) colours(const uchar4 *in, uchar4 *out) {
    uchar4 p = in[I];
    out[I] = make_uchar4(p.z, p.y, p.x, 255);
}
__global__ void __launch_bounds__(256) threes(const Three *in, Three *out) {
    Three p = in[I];
    out[I] = {p.z, p.x, p.y};
}
__global__ void __launch_bounds__(256) part(const uchar4 *in, unsigned char *out) {
    uchar4 p = in[I];
    out[I] = p.x / 2 + p.z / 2;
}
__global__ void __launch_bounds__(256) torn(const Three *in, Three *out) {
    out[I].x += in[I].x;
    out[I].y += in[I].y;
}
__global__ void __launch_bounds__(256) middle(const Three *in, float *out) { out[I] = in[I].y; }
__global__ void __launch_bounds__(256) border(const float *in, float *out, int w) {
    if (I < w) out[I] = in[min(max(I - 1, 0), w - 1)] + in[min(I + 1, w - 1)];
}
__global__ void __launch_bounds__(256) divided(const int *in, int *out, int by) {
    out[I] = in[I] / by + in[I] % in[I + 1] + (int)((unsigned)in[I] / (unsigned)by);
}
__global__ void __launch_bounds__(256) places(int *d, int by) {
    __shared__ int s[256];
    int t = threadIdx.x, other = t ^ by;
    s[t] = d[t];
    __syncthreads();
    int v = s[other];
    __syncthreads();
    if (other > t) s[other] = v * 3;
    __syncthreads();
    d[t] = s[t] + v;
}
__global__ void __launch_bounds__(256) one(int *d, int *to) {
    if (d[I] > 7) to[blockIdx.x] = d[I];
}
CU
"$CDPCC" -O2 -S -emit-llvm -march=x86-64-v4 --entry=block rows.cu -o rows.ll || fail compile
body() { sed -n "/^define.*cdp\.fixed1\..*$1/,/^}/p" rows.ll; }
is_rows() {
    local code
    code=$(body "$1")
    [ -n "$code" ] && ! grep -qE 'masked\.(gather|scatter)' <<<"$code"
}
# Threads are 0 to 255 here, and each vector's first thread is a multiple of the lanes.
for kernel in places one; do
    check "$kernel: no lane-by-lane accesses" is_rows $kernel
done
is_separate() { body "$1" | grep -qE "masked\.$2"; }
for kernel in fours colours threes part; do
    check "$kernel: contiguous accesses" is_rows $kernel
done
check "stores of some fields are scattered" is_separate torn scatter
check "a field that others do not enclose is loaded by itself, or masked" is_separate middle '(gather|load)'
unmasked_gather() { body border | grep -qE 'masked\.gather.*splat \(i1 true\)'; }
has_border() { [ -n "$(body border)" ] && ! unmasked_gather; }
check "within the borders accesses are contiguous" has_border
divides() { body divided | grep -qE '[us](div|rem) <'; }
has_quotients() { body divided | grep -q 'fdiv <' && ! divides; }
check "quotients are vectors" has_quotients

# If the compiler prefers halves of a register, a permuted contiguous access is two of them.
cat >crossed.cu <<'CU'
__global__ void __launch_bounds__(256) crossed(const int *in, int *out, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i ^ by] + 1;
}
CU
for march in cascadelake skylake-avx512 x86-64-v4 x86-64-v3 x86-64; do
    check "$march: permuted contiguous accesses" "$CDPCC" -O2 -c -march=$march --entry=block crossed.cu -o crossed.o
done
finish
