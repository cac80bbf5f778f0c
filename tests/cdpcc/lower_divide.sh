#!/bin/bash
# Divisions are guarded, also PTX's, except those with a divisor that is known to be valid: these
# have no extra cost.
. "$(dirname "$0")/support.bash"

cat >divide.cu <<'CU'
__global__ void unknown(int *p) { p[0] = p[1] / p[2]; }
__global__ void ptx(unsigned *p) {
    asm("div.u32 %0, %1, %2;" : "=r"(p[0]) : "r"(p[1]), "r"(p[2]));
}
__global__ void by_seven(int *p) { p[0] = p[1] % 7; }
__global__ void by_block(unsigned *p) { p[0] = p[1] / blockDim.x; }
CU
"$CDPCC" -O2 -S divide.cu -o divide.s >compile.txt 2>&1 || fail "compiles" "$(cat compile.txt)"
body() { sed -n "/^cdp\.thread\..*$1.*:/,/\.cfi_endproc/p" divide.s; }
guards() { [ "$(body "$1" | grep -cE '\b(cmov|set|adc|sbb)|^\s(j[a-z]+)\s')" -gt 0 ]; }
free() { [ -n "$(body "$1")" ] && ! guards "$1"; }
check "unknown divisors are guarded" guards unknown
check "divisors in PTX are guarded" guards ptx
check "constant divisors are not" free by_seven
check "block dimensions are not" free by_block
finish
