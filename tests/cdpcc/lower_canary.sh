#!/bin/bash
# Which functions test for overruns of their arrays: kernels that have arrays, and with -g or checks
# all such functions. The runtime prints the report.
. "$(dirname "$0")/support.bash"

cat >canary.cu <<'CU'
__device__ __noinline__ int function(const int *in, int n) {
    int own[8];
    for (int i = 0; i < n; i++) own[in[i] & 7] = i;
    return own[n & 7];
}
__global__ void with_array(const int *in, int *out, int n) {
    int own[8];
    for (int i = 0; i < n; i++) own[in[i] & 7] = i;
    out[threadIdx.x] = own[n & 7];
}
__global__ void without(const int *in, int *out, int n) { out[0] = function(in, n); }
__global__ void launches(int *out) { without<<<1, 1>>>(out, out, 1); }
CU
compiled() { "$CDPCC" "$@" -S -emit-llvm canary.cu -o canary.ll; }
# guards NAME: its attributes' group has the stack protector.
guards() {
    local group
    group=$(grep -E "^define .*@[\"]?$1[\"(]" canary.ll | grep -oE '#[0-9]+' | head -n 1)
    [ -n "$group" ] && grep -E "^attributes $group = " canary.ll | grep -q sspstrong
}
defines() { grep -qE "^define .*@[\"]?$1[\"(]" canary.ll; }
leaves() { defines "$1" && ! guards "$1"; }
calls_the_runtime() { grep -q '__stack_chk_fail, cdp_abi_stack_overrun' canary.ll; }
array='cdp.thread._Z10with_arrayPKiPii' block='cdp.one_row._Z10with_arrayPKiPii'
function='_Z8functionPKii(.cdp)?'
launches='cdp.thread._Z8launchesPi'

check "it compiles" compiled -O2
check "a kernel with an array" guards "$array"
check "the report is the runtime's" calls_the_runtime
check "a block entry with an array" guards "$block"
check "no kernel that only launches" leaves "$launches"
check "no function of a release build" leaves "$function"
for words in -g --check=space -G; do
    check "it compiles with $words" compiled -O2 $words
    check "functions with $words" guards "$function"
done
check "it compiles with AddressSanitizer" compiled -O2 -fsanitize=address
check "which finds overruns itself" leaves "$array"
finish
