#!/bin/bash
# Parameters that are strides: the dispatcher has versions for launches in which they are 1. Parameters that
# are sizes of dimensions, and those of large kernels, have none.
. "$(dirname "$0")/support.bash"

cat >strides.cu <<'CU'
#define I (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void scaled(const float *x, int incx, float *y, int incy) { int i = I; y[i * incy] += x[i * incx]; }
__global__ void fields(const float *x, float *y, long s)
{
    int i = I;
    y[i] = x[3 * i] + x[3 * i + s] + x[3 * i + 2 * s];
}
__global__ void uniform(const float *x, float *y, int pitch) { y[blockIdx.y * pitch + I] = x[blockIdx.y * pitch + I]; }
__global__ void compared(const float *x, float *y, int n)
{
    int i = I;
    if (i < n) y[i] = x[i * n];
}
__global__ void loop_bound(const float *x, float *y, int n)
{
    int i = I;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += x[i * n + k];
    y[i] = sum;
}
__global__ void divided(const float *x, float *y, int width) { int i = I; y[i] = x[i / width + i % width * width]; }
__global__ void contiguous(const float *x, float *y, int n) { int i = I; y[i] = x[i + n]; }
CU
"$CDPCC" -O2 -S -emit-llvm -march=x86-64-v4 --entry=block strides.cu -o strides.ll || fail compile
body() { sed -n "/^define.*cdp\.$1\..*$2/,/^}/p" strides.ll; }
has() { body "$1" "$2" | grep -q -- "$3"; }
lacks() { [ -n "$(body "$1" "$2")" ] && ! has "$1" "$2" "$3"; }
has_none() { [ -n "$(body one_row "$1")" ] && [ -z "$(body unit_one_row "$1")" ]; }
check "two strides: gathers and scatters for any stride" has one_row scaled 'masked.scatter'
check "contiguous for stride 1" lacks unit_one_row scaled 'masked.scatter\|masked.gather'
dispatches() { body block scaled | grep -cE 'icmp eq i32 .*, 1$'; }
# Each of two parameters, and the product of the block's y and z for each version.
check "the dispatcher tests both" [ "$(dispatches)" -eq 4 ]
plan() { "$CDPCC" -O2 -c -march=x86-64-v4 --entry=block --explain=plan strides.cu -o strides.o 2>&1 | grep -A4 "fields.*$1"; }
check "fields: strided loads for any distance" eval "plan 'block entry' | grep -q ': strided'"
check "an interleave group for distance 1" eval "plan 'stride 1' | grep -q 'interleave group (3 times)'"
check "the pitch of a matrix: no other version" has_none uniform
check "nor for a parameter that is compared with an index" has_none compared
check "the end of a loop" has_none loop_bound
check "a divisor" has_none divided
check "a sum of contiguous indices" has_none contiguous

# --explain names the parameters, also in structures.
cat >explain.cu <<'CU'
struct shape { long pitch, step; };
__global__ void scaled(const float *x, int incx, float *y, struct shape s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i * s.step] += x[i * incx];
}
CU
"$CDPCC" -O2 -c --entry=block --explain explain.cu -o explain.o 2>explain.txt || fail compile
said="other versions for launches with stride 1: "
check "--explain names the strides" grep -qE "$said(incx, s \(from byte 8\)|s \(from byte 8\), incx)$" explain.txt

# A kernel with many values has none.
{
    echo '__global__ void scaled(const float *x, int incx, float *y) { int i = threadIdx.x; float s = 0;'
    for k in $(seq 200); do echo "s = s * x[i * incx + $k] + $k;"; done
    echo 'y[i] = s; }'
} >large.cu
"$CDPCC" -O2 -c --entry=block --explain large.cu -o large.o 2>large.txt || fail compile
check "a large kernel has no other versions" eval "grep -q 'block entry' large.txt && ! grep -q stride large.txt"
finish
