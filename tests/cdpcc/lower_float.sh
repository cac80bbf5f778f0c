#!/bin/bash
# The results of lower/float.c and simd/plan/contract.c for the optimizer: zeros are ordered,
# products and sums are contracted before block entries are made, and nothing else may be
# contracted.
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
