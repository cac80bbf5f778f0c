#!/bin/bash
# Loads of one element by neighbouring lanes, and structures at addresses of any order: what the plan makes of
# them, and that lanes that are all active need no gather and no loop.
. "$(dirname "$0")/support.bash"

cat >scattered.cu <<'CU'
#define I (blockIdx.x * blockDim.x + threadIdx.x)
struct quad { float a, b, c, d; };
struct pair { double a, b; };
struct triple { float a, b, c; };
struct large { float f[8]; };
__global__ void shift(const float *x, float *y) { int i = I; y[i] = x[i >> 1]; }
__global__ void divide(const float *x, float *y) { int i = I; y[i] = x[i / 4 + 5]; }
__global__ void by_three(const float *x, float *y) { int i = I; y[i] = x[i / 3]; }
__global__ void quads(const quad *x, const int *at, float *y) { quad q = x[at[I]]; y[I] = q.a * q.b + q.c * q.d; }
__global__ void pairs(const pair *x, const int *at, float *y) { pair p = x[at[I]]; y[I] = p.a * p.b; }
__global__ void triples(const triple *x, const int *at, float *y) { triple t = x[at[I]]; y[I] = t.a * t.b + t.c; }
__global__ void some(const large *x, const int *at, float *y) { const large &l = x[at[I]]; y[I] = l.f[0] + l.f[3] + l.f[7]; }
__global__ void copy(const quad *x, const int *at, quad *y) { y[I] = x[at[I]]; }
__global__ void walk(const float *x, float *y)
{
    int i = I;
    float sum = 0;
    for (int first = 0; first < 1024; first += 16)
        for (int k = 0; k < 16; k++) sum += x[i * 1024 + first + k];
    y[i] = sum;
}
__global__ void coarse(const float *x, float *y)
{
    const float *p = x + 8 * I;
    float *q = y + 8 * I;
    for (int k = 0; k < 8; k++) *q++ = *p++ + 1;
}
__global__ void store(quad *x, const int *at, float y) { x[at[I]] = {y, y + I, y * 2, y * 3}; }
CU
"$CDPCC" -O2 -S -emit-llvm -march=x86-64-v4 --entry=block scattered.cu -o scattered.ll || fail compile
"$CDPCC" -O2 -c -march=x86-64-v4 --entry=block --explain=plan scattered.cu -o scattered.o 2>plan.txt || fail plan
plan() { grep -A8 "kernel _Z[0-9]*$1.*plan for" plan.txt | sed '1b; /kernel/,$d'; }
is() { plan "$1" | grep -qE -- "$2"; }
is_not() { [ -n "$(plan "$1")" ] && ! is "$1" "$2"; }
check "a shift: replicated" is shift 'replicated contiguous'
check "a division by a power of two, and a sum" is divide 'replicated contiguous'
check "another division: not" is by_three 'load of 4 bytes: gather'
check "four floats: 16 bytes for each lane" is quads 'interleave group, scattered \(4 times\)'
check "two doubles" is pairs 'interleave group, scattered \(2 times\)'
check "three floats are less than 16 bytes" is_not triples 'interleave group'
check "few fields of a large structure: not" is_not some 'interleave group'
check "stores of four floats" is store 'store of 4 bytes: interleave group, scattered'
check "a loop over a part of a row, in a walk along the row, stays a loop: its rows are read in tiles" \
    is walk 'its rows are read in tiles'
check "a loop over the elements of a thread is unrolled" is coarse 'interleave group, transposed \(8 times\)'
# Loops over lanes count the trailing zeros of the mask. One is in the masked chunk.
loops() { sed -n "/^define.*cdp\.one_row\..*$1/,/^}/p" scattered.ll | grep -c 'call .*cttz'; }
check "copies without a loop if all lanes are active" [ "$(loops copy)" -le 2 ]
check "and one in masked chunks" [ "$(loops copy)" -ge 1 ]
finish
