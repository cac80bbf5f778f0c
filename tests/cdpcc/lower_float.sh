#!/bin/bash
# The results of lower/float.c, simd/prepare/contract.c and simd/prepare/nans.c for the optimizer:
# zeros are ordered, products and sums are contracted before block entries are made, nothing else may
# be contracted, and inline PTX replaces NaNs only where their bits matter.
. "$(dirname "$0")/support.bash"

cat >float.cu <<'CU'
#include <cuda_fp16.h>
__global__ void twice(const double *d, half *h) { h[threadIdx.x] = __float2half((float)d[threadIdx.x]); }
__global__ void sums(const float *a, float *o) {
    int i = threadIdx.x;
    float p = a[i] * a[i + 1];
    o[i] = p + a[i + 2] * a[i + 3];
    o[i + 64] = a[i] / a[i + 4];
}
__global__ void least(const float *a, float *o) {
    int i = threadIdx.x;
    o[i] = fminf(a[i], a[i + 1]);
    o[i + 64] = fmaxf(a[i + 2], 0.0f);
}
__device__ float fma_of(float a, float b, float c) {
    float d;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
    return d;
}
__global__ void chain(const float *a, float *o) {
    int i = threadIdx.x;
    o[i] = fma_of(a[i], 2, fma_of(a[i + 1], 3, fma_of(a[i + 2], 4, a[i + 3])));
}
__global__ void stored(const float *a, float *o) {
    int i = threadIdx.x;
    o[i + 64] = fma_of(a[i + 1], 3, a[i + 2]);
    o[i] = fma_of(a[i], 2, o[i + 64]);
}
__global__ void loop(const float *a, float *o, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) {
        sum = fma_of(a[i + threadIdx.x], 2, sum);
    }
    o[threadIdx.x] = sum;
}
__global__ void whole(const float *a, long *o) { o[threadIdx.x] = lroundf(a[threadIdx.x]); }
CU
ir() { # ir NAME: the entries of that kernel
    sed -n "/^define.*@cdp\..*$1.*{/,/^}/p" float.ll
}
has() { ir "$1" | grep -qE "$2"; }
lacks() { [ -n "$(ir "$1")" ] && ! has "$1" "$2"; }

"$CDPCC" -O2 -S -emit-llvm --cuda-device-only float.cu -o float.ll >compile.txt 2>&1 ||
    fail "compiles" "$(cat compile.txt)"
check "conversions are made" has twice 'fptrunc <.* x float> .* to <.* x half>'
check "conversions are not contracted" lacks twice 'fptrunc.* contract'
check "products join sums" has sums 'llvm.fmuladd'
check "other operations are not contracted" lacks sums 'f(add|mul|div) .*contract'
entry() { sed -n "/^define.*@cdp\.thread\..*$1.*{/,/^}/p" float.ll; }
nans() { entry "$1" | grep -c 'fcmp uno'; }
check "a chain replaces one NaN" test "$(entry chain | grep -c 'call.*llvm.fma')" = 3 -a "$(nans chain)" = 1
check "each stored result replaces its NaN" test "$(nans stored)" = 2
sum=$(entry loop | sed -n 's/^ *\(%[^ ]*\) = .*llvm.fma.*/\1/p')
check "a loop passes on its NaN" test "$(entry loop | grep -c "phi float .*\[ $sum, ")" = 1
check "lroundf is a vector" has whole 'llvm.round.v'

"$CDPCC" -O2 -fmad=false -S -emit-llvm --cuda-device-only float.cu -o float.ll >compile.txt 2>&1
check "without fused operations products stay" lacks sums 'fmuladd'

# One instruction if a number is known; no branch on a sign.
"$CDPCC" -O2 -march=x86-64-v3 -S --cuda-device-only float.cu -o float.s >compile.txt 2>&1
body() { sed -n "/^cdp\.thread\..*least.*:/,/\.cfi_endproc/p" float.s; }
branches() { body | grep -qE '\s(js|jns|test[lq])\s'; }
if [ "$(uname -m)" = x86_64 ]; then
    check "with a constant it is the processor's instruction" test "$(body | grep -c 'vmaxss')" = 1
    check "it does not branch by a sign" test -n "$(body)" -a "$(branches && echo yes)" = ''
fi
finish
