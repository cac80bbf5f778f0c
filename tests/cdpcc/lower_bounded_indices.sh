#!/bin/bash
# Indices in block entries do not wrap around, because the dispatcher leaves grids beyond their bound to
# thread entries. There they may wrap around.
. "$(dirname "$0")/support.bash"

cat >bounded.cu <<'CU'
#define I (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void three(const float *x, float *y) { unsigned i = I; y[i] = x[3 * i] + x[3 * i + 2]; }
__global__ void two_bounds(const float *x, float *y)
{
    unsigned i = I;
    y[i] = x[3 * i + 1] + x[5 * i] + x[2 * i + 1];
}
__global__ void constant_block(const float *x, float *y)
{
    unsigned i = blockIdx.x * 192 + threadIdx.x;
    y[i] = x[3 * i + 1];
}
__global__ void none(const float *x, float *y) { int i = I; y[i] = x[3 * i] + x[i + 1]; }
__global__ void sums(const float *x, float *y, unsigned n) { unsigned i = I; y[i] = x[3 * (i + n) + 1]; }
__global__ void too_small(const float *x, float *y) { unsigned i = I; y[i] = x[100 * i + 1]; }
__global__ void distance(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * n + threadIdx.x, k = (blockIdx.x << n) + threadIdx.x;
    y[I] = x[3 * i + 1] + x[5 * k + 1];
}
#define LOOP(...) for (unsigned i = I; __VA_ARGS__; i += gridDim.x * blockDim.x) y[i] = x[3 * i] + x[3 * i + 2];
__global__ void counted(const float *x, float *y, unsigned n) { LOOP(i < n) }
__global__ void by_area(const float *x, float *y, unsigned width, unsigned height) { LOOP(i < width * height) }
__global__ void by_constant(const float *x, float *y) { LOOP(i < 100000) }
__global__ void by_memory(const float *x, float *y, const unsigned *n) { LOOP(i < *n) }
__global__ void inclusive(const float *x, float *y, unsigned n) { LOOP(i <= n) }
__global__ void changed(const float *x, float *y, unsigned n, unsigned m)
{
    for (unsigned i = I; i < n; i += gridDim.x * blockDim.x) {
        unsigned k = i + m;
        y[i] = x[3 * k] + x[3 * k + 2];
    }
}
#define XY unsigned column = I, row = blockIdx.y * blockDim.y + threadIdx.y
__global__ void area(const float *x, float *y, unsigned width)
{
    XY;
    unsigned i = (row * width + column) * 3;
    y[row * width + column] = x[i] + x[i + 2];
}
__global__ void constant_area(const float *x, float *y, unsigned width)
{
    unsigned column = blockIdx.x * 1024 + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned i = (column * width + row) * 3;
    y[column * 16 + row] = x[i] + x[i + 2];
}
__global__ void plain_area(const float *x, float *y, unsigned width) { XY; y[row * width + column] = x[row + column]; }
CU
"$CDPCC" -O2 -S -emit-llvm -march=x86-64-v4 --entry=block bounded.cu -o bounded.ll || fail compile
body() { sed -n "/^define.*$1/,/^}/p" bounded.ll; }
has() { body "$1" | grep -q -- "$2"; }
lacks() { [ -n "$(body "$1")" ] && ! has "$1" "$2"; }
usual=2147418113
check "three fields: the most threads" has 'cdp.block._Z5three' 'icmp ult i64 .*, 1431655765'
check "the smaller of two bounds" has 'cdp.block._Z10two_bounds' 'icmp ult i64 .*, 858993460'
check "a constant instead of blockDim" has 'cdp.block._Z14constant_block' 'i32 192'
for kernel in none sums too_small distance; do
    check "$kernel: no bound of its own" has "cdp.block._Z${#kernel}$kernel" "icmp ult i64 .*, $usual"
done
check "a loop's counter: its bound, a parameter" has 'cdp.block._Z7counted' 'icmp ult i32 .*, 1431655765'
check "a bound computed from parameters" has 'cdp.block._Z7by_area' 'icmp ult i32 .*, 1431655765'
"$CDPCC" -O2 -march=x86-64-v4 --entry=block --explain=plan -c bounded.cu -o bounded.o 2>plan.txt || fail explains
check "rows of a matrix: the bound of its third" has 'cdp.block._Z4area' 'icmp ult i64 .*, 1431655765'
check "an index of up to 2^41 has a bound before the product" test \
    "$(body 'cdp.block._Z13constant_area' | grep -c 'icmp .* i64 .*, \(4294967296\|4294967295\)')" -ge 2
check "each element has one index: no bound" lacks 'cdp.block._Z10plain_area' 'icmp .* i64 .*\(4294967295\|4294967296\)'
for kernel in counted by_area by_constant area; do
    check "$kernel: its accesses are an interleave group" grep -q 'load.*interleave group (2 times)' \
        <(sed -n "/kernel _Z${#kernel}$kernel.*plan/,/store/p" plan.txt)
done
for kernel in by_memory inclusive changed; do
    check "$kernel: no bound" lacks "cdp.block._Z${#kernel}$kernel" 1431655765
done
check "three: no mark in the thread entry" lacks 'cdp.thread._Z5three' 'mul nuw.* 3$'
finish
