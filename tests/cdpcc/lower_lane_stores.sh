#!/bin/bash
# Masked stores that the processor does not have become one store for each lane, without branches: these
# would be mispredicted if lanes store by their data.
. "$(dirname "$0")/support.bash"

cat >stores.cu <<'CU'
#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
template <typename T> __device__ void some(const T *in, T *out) {
    if (in[I] > 7) out[I] = in[I] + 1;
}
__global__ void __launch_bounds__(256) bytes(const unsigned char *in, unsigned char *out) { some(in, out); }
__global__ void __launch_bounds__(256) words(const int *in, int *out) { some(in, out); }
CU
uses_masked_stores() { # uses_masked_stores ARCHITECTURE KERNEL
    "$CDPCC" -O2 -S -emit-llvm "-march=$1" --entry=block stores.cu -o stores.ll || return 2
    local code
    code=$(sed -n "/^define.*cdp\.fixed1\..*$2/,/^}/p" stores.ll)
    [ -n "$code" ] || return 2
    grep -q 'call.*masked\.store' <<<"$code"
}
has_lane_stores() { # has_lane_stores ARCHITECTURE KERNEL
    uses_masked_stores "$@"
    [ $? -eq 1 ] && grep -q 'select i1 .*, ptr .*, ptr' stores.ll
}
check "AVX-512 masks bytes" uses_masked_stores x86-64-v4 bytes
check "AVX-512 masks words" uses_masked_stores x86-64-v4 words
check "AVX2 does not mask bytes" has_lane_stores haswell bytes
check "AVX2 masks words" uses_masked_stores haswell words
check "SSE does not mask bytes" has_lane_stores x86-64-v2 bytes
check "SSE does not mask words" has_lane_stores x86-64-v2 words
finish
